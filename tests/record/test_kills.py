"""A process that is killed at any point of integrating, signing, verifying for a ledger and
cosigning loses nothing and forks nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from signal import SIGKILL

import pytest
from pytest_django import Settings

from games.models import Game
from record import beginning
from record.ledger_folder import UNFINISHED, newest_ledger
from record.models import Leaf, SignedCheckpoint
from record.signing import sign_due
from record.witness import add_checkpoint
from tabularium_log.record.errors import RecordError
from tests.record import witnessing
from tests.record.recording import (
    KEY,
    ORIGIN,
    called_off,
    check_whole,
    guard,
    integrated,
    use_folder,
)
from tests.record.witnessing import Log, cosigned, guard_of, use_witness, witnessed
from tests.support.databases import Kept

pytestmark = pytest.mark.stores


@pytest.mark.lane("processes")
def test_a_kill_at_any_point(
    kept_here: Kept, settings: Settings, games_count: Callable[[int, int], int]
) -> None:
    use_folder(kept_here.folder, settings, KEY)
    beginning.begin(ORIGIN)
    sign_due()
    notes: dict[int, str] = {}
    step = games_count(5, 1)
    passes = 0
    for _ in range(games_count(1, 6)):
        for point in count(1, step):
            called_off("private" if point % 2 else "public")
            process = kept_here.process(
                "tests.record.killed_round", str(point), TABULARIUM_RECORD_KEYS=KEY.hex()
            )
            process.communicate()
            check_whole()
            notes |= dict(SignedCheckpoint.objects.values_list("pk", "note"))
            assert notes == dict(SignedCheckpoint.objects.values_list("pk", "note"))
            passes += 1
            if process.returncode == 0:
                break
            assert process.returncode == -SIGKILL
    assert passes > games_count(5, 200)
    integrated()
    assert not Game.objects.filter(leaf=None).exists()
    assert check_whole() >= guard().size == SignedCheckpoint.objects.order_by("-pk")[0].size


def test_a_kill_at_any_point_of_a_ledger(
    kept_here: Kept, settings: Settings, games_count: Callable[[int, int], int]
) -> None:
    """Each ledger that the record states is there and trusted, and the next run goes on."""
    use_folder(kept_here.folder, settings, KEY)
    beginning.begin(ORIGIN)
    folder = kept_here.folder / "ledgers"
    step = games_count(9, 1)
    passes = 0
    for point in count(1, step):
        called_off()
        integrated()
        process = kept_here.process(
            "tests.record.killed_ledger", str(folder), str(point), TABULARIUM_RECORD_KEYS=KEY.hex()
        )
        process.communicate()
        check_whole()
        assert stated_ledgers() <= {sha256(raw).hexdigest() for raw in files(folder)}
        passes += 1
        if process.returncode == 0:
            break
        assert process.returncode == -SIGKILL
    assert passes > games_count(3, 30)
    ledger = newest_ledger(folder, print)
    assert ledger is not None
    assert ledger.ranges[-1].last >= Leaf.objects.filter(game__isnull=False).latest("number").number
    assert not (folder / UNFINISHED).read_bytes()


def test_a_kill_at_any_point_of_a_witness(
    kept_here: Kept, settings: Settings, games_count: Callable[[int, int], int]
) -> None:
    """After each kill the log is cosigned at a size that the witness names, and never a fork of a
    tree of which a cosignature was given out."""
    log, fork = Log("a"), Log("x")
    use_witness(kept_here.folder, settings, log)
    cosigned(log, 0)
    passes, seen = 0, 1
    for point in count(1, games_count(4, 1)):
        log.add(f"log {point}")
        fork.add(f"fork {point}")
        process = kept_here.process(
            "tests.record.killed_witness",
            b64encode(log.body(seen)).decode(),
            str(point),
            TABULARIUM_WITNESS_KEYS=witnessing.KEY.hex(),
        )
        output, _ = process.communicate()
        guard = guard_of(log)
        assert guard
        assert guard.size >= witnessed(log).size
        assert guard.size >= seen
        seen = guard.size
        if output:
            assert witnessed(log).size == log.size
        for size in range(fork.size + 1):
            with pytest.raises(RecordError):
                add_checkpoint(fork.body(size))
        assert guard_of(log) == guard
        passes += 1
        if process.returncode == 0:
            break
        assert process.returncode == -SIGKILL
        assert not output
        if point % 2:
            cosigned(log, seen)
            seen = log.size
    assert passes > games_count(3, 12)
    cosigned(log, log.size)


def stated_ledgers() -> set[str]:
    """The hashes of the ledgers that the record states."""
    texts = Leaf.objects.filter(text__contains="ledger/1").values_list("text", flat=True)
    return {json.loads(text)["sha256"] for text in texts}


def files(folder: Path) -> list[bytes]:
    """The ledgers in the folder."""
    return [path.read_bytes() for path in folder.glob("*.ledger")]
