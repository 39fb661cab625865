"""Two servers witness each other. A third one, which is the first restored from an older dump with
its guard of that time, signs a second history, and is refused and reported."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from record.policy import parse_policy
from record.witness_identity import log_hash
from tabularium_log.record.checkpoint import parse_checkpoint
from tabularium_log.record.note import (
    Note,
    VerifierKey,
    parse_note,
    parse_verifier_key,
    verify_note,
)
from tests.config.processes import PATIENCE, soon
from tests.support import databases, warm_interpreter
from tests.support.databases import ROOT, Kept
from tests.support.served import Mortal, serving

pytestmark = [pytest.mark.lane("processes"), pytest.mark.stores]

SEATS = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]


def run(server: Mortal, *arguments: str) -> str:
    """The output of `manage.py record`."""
    process = warm_interpreter.Popen(
        [sys.executable, "manage.py", "record", *arguments],
        cwd=ROOT,
        env=server.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    output, _ = process.communicate()
    assert process.returncode == 0, output
    return str(output)


def read(server: Mortal, path: str) -> bytes:
    """A file of the server; empty if there is none yet."""
    with suppress(OSError), urlopen(f"{server.url}/{path}", timeout=PATIENCE) as reply:
        return bytes(reply.read())
    return b""


def begin(server: Mortal, name: str) -> VerifierKey:
    """Sign a record, and be a witness; the key of the witness."""
    run(server, "init", f"{name}/record")
    run(server, "witness", "--begin", f"{name}/witness")
    [line] = [line for line in run(server, "witness").splitlines() if line.startswith("key: ")]
    return parse_verifier_key(line.removeprefix("key: "))


def introduce(server: Mortal, other: Mortal, witness: VerifierKey) -> None:
    """Let a server ask another one, and be the witness of it."""
    (server.kept.folder / "record_policy").write_text(
        f"witness w {witness.text} {other.url}/witness\nquorum w\n"
    )
    assert soon(lambda: read(other, "record/policy"))
    [log] = parse_policy(read(other, "record/policy")).logs
    (server.kept.folder / "witness_logs").write_text(f"log {log.key.text}\nquorum none\n")


def end_game(server: Mortal) -> None:
    """Play a game that is over at once."""
    key = server.post("/guests", {})["secret"]
    game = server.post("/games", {"rules": "law_of_the_dice", "seats": SEATS}, key)["id"]
    server.post(f"/games/{game}/resign", {"seat": 0}, key)


def checkpoint(server: Mortal) -> Note:
    """The last checkpoint."""
    return parse_note(read(server, "record/checkpoint"))


def size_of(note: Note) -> int:
    """The size that a checkpoint states."""
    return parse_checkpoint(note.text).size


def is_cosigned(server: Mortal, witness: VerifierKey, size: int) -> bool:
    """Whether the server has a checkpoint of at least so many leaves, cosigned by this witness."""
    note = checkpoint(server)
    if size_of(note) < size or witness.name not in [line.name for line in note.signatures]:
        return False
    return verify_note(note, [witness]) == [witness]


@pytest.mark.one_mode
def test_two_servers_witness_each_other_and_refuse_a_fork(
    kept_template: Kept, tmp_path: Path
) -> None:
    with (
        serving(kept_template, tmp_path / "first", REDIS_URL="") as first,
        serving(kept_template, tmp_path / "second", REDIS_URL="") as second,
    ):
        keys = begin(first, "first.example"), begin(second, "second.example")
        introduce(first, second, keys[1])
        introduce(second, first, keys[0])
        end_game(first)
        assert soon(lambda: is_cosigned(first, keys[1], 4))
        assert soon(lambda: is_cosigned(second, keys[0], 3))
        assert "quorum of the last checkpoint: reached" in run(first, "status")
        with first.killed():
            dump = databases.copy_template(first.kept, tmp_path / "dump")
        size = size_of(checkpoint(first)) + 1
        end_game(first)
        assert soon(lambda: is_cosigned(first, keys[1], size))
        with serving(dump, tmp_path / "restored", REDIS_URL="") as restored:
            end_game(restored)
            assert soon(lambda: size_of(checkpoint(restored)) == size)
            assert soon(lambda: "It answers 422" in run(restored, "status"))
            assert not is_cosigned(restored, keys[1], size)
        databases.drop(dump)
        assert "evidence against first.example/record: fork, 1" in run(second, "witness")
        kept = read(second, f"witness/{log_hash('first.example/record')}/checkpoint")
        assert parse_note(kept).text == checkpoint(first).text
        end_game(first)
        assert soon(lambda: is_cosigned(first, keys[1], size + 1))
