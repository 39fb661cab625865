"""`python3 docs/verify.py` prints the right verdict in any folder, with nothing but Python."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tabularium_log.fairness.signed_hash_chain import public_key, sign_receipt
from tests.docs.record_vectors import ORIGIN, SIGNER, STRANGER, proven
from tests.docs.verifier import DOCS
from tests.games.audit.forging import first_of, forged, receipt
from tests.games.audit.making import OTHER_KEY, SIGNING_KEY, GameBuilder, new_plan, play_plan
from tests.support import warm_interpreter

pytestmark = pytest.mark.lane("guides")

ROOT = DOCS.parent
KEY = public_key(SIGNING_KEY)
VKEY = SIGNER.key.text
WITHOUT_RECEIPTS = "WRONG: The receipts in the trailer are not the required ones.\n"


@pytest.fixture(scope="module")
def game() -> GameBuilder:
    """A finished game."""
    return play_plan(new_plan(next(iter(ENGINES.values())), 2, has_seeds=True))


@pytest.fixture
def file(game: GameBuilder, tmp_path: Path) -> Path:
    """Its export, in a folder that contains only that and a copy of the verifier."""
    shutil.copy(DOCS / "verify.py", tmp_path)
    path = tmp_path / "game.ndjson"
    path.write_bytes(b"".join(game.lines()))
    return path


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the verifier alone: without site packages, without the project."""
    command = [sys.executable, "-I", "-S", "verify.py", *arguments]
    process = warm_interpreter.run(command, cwd=folder, capture_output=True, check=False, text=True)
    return process.returncode, process.stdout, process.stderr


@pytest.mark.lane("smoke")
def test_a_good_game(file: Path) -> None:
    code, output, _ = run(file.parent, "game.ndjson")
    assert code == 0
    assert output.startswith("OK: game_")
    assert "Fairness level 2" in output
    assert f"Signed by {KEY}; --key HEX compares it" in output
    assert "The rules are not checked; --rules" in output


@pytest.mark.lane("smoke")
def test_a_bad_game(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:8], *lines[9:]]))
    code, output, _ = run(file.parent, "game.ndjson")
    assert code == 1
    assert output == "WRONG at line 9, entry 8: Entry 8 is missing: its place holds entry 9.\n"


def test_receipts_and_key(file: Path, game: GameBuilder) -> None:
    receipts_file = file.with_name("kept.ndjson")
    receipts_file.write_text(json.dumps(vars(receipt(game, 9))) + "\n")
    assert run(file.parent, "game.ndjson", "--receipts", "kept.ndjson", "--key", KEY)[0] == 0
    other = sign_receipt(SIGNING_KEY, game.plan.game, 9, "0" * 64)
    receipts_file.write_text(json.dumps(vars(other)) + "\n")
    code, output, _ = run(file.parent, "game.ndjson", "--receipts", "kept.ndjson")
    assert code == 1
    assert output.startswith("WRONG at entry 9: The server signed another hash")
    code, output, _ = run(file.parent, "game.ndjson", "--key", "0" * 64)
    assert code == 1
    assert "not signed with the given key" in output


def test_without_signatures(file: Path, game: GameBuilder) -> None:
    file.write_bytes(b"".join(game.lines(key=OTHER_KEY)))
    code, output, _ = run(file.parent, "game.ndjson")
    assert (code, output) == (1, WITHOUT_RECEIPTS)
    code, output, _ = run(file.parent, "game.ndjson", "--unsigned")
    assert code == 0
    assert "NOT checked: signatures (there are none)." in output


def test_the_record(file: Path, game: GameBuilder) -> None:
    lines = proven(game.lines())
    file.write_bytes(b"".join(lines))
    code, output, _ = run(file.parent, "game.ndjson", "--record", VKEY)
    assert code == 0
    place = f"leaf 1 (game/1) of 2 in {ORIGIN}"
    assert f"Recorded as {place}, which its key has signed." in output
    code, output, _ = run(file.parent, "game.ndjson")
    assert code == 0
    assert f"{place}; --record KEY checks the signature of its checkpoint, too." in output
    code, output, _ = run(file.parent, "game.ndjson", "--record", STRANGER.key.text)
    assert code == 1
    sentence = "The checkpoint is of another record than the given key."
    assert output == f"WRONG at line {len(lines)}: {sentence}\n"


@pytest.mark.parametrize("kind", ["game/1", "blind/1"])
def test_a_proof_beside_the_export(file: Path, game: GameBuilder, kind: Any) -> None:
    proof = json.loads(proven(game.lines(), kind)[-1])["record"]["proof"]
    (file.parent / "proof.txt").write_text(proof)
    beside = ("game.ndjson", "--proof", "proof.txt")
    code, output, _ = run(file.parent, *beside, "--record", VKEY)
    assert code == 0
    assert f"leaf 1 ({kind}) of 2" in output
    (file.parent / "proof.txt").write_text(proof.replace("index 1", "index 0"))
    code, output, _ = run(file.parent, *beside)
    assert code == 1
    assert output.startswith("WRONG: The proof does not lead from the leaf of this game")
    code, output, _ = run(file.parent, "game.ndjson", "--record", VKEY)
    assert (code, output) == (1, "WRONG: The export has no proof from the record.\n")


@pytest.mark.parametrize("vkey", ["x", "a+b+c", VKEY[:-4], VKEY.replace("games", "game")])
def test_a_key_of_the_record_that_is_none(file: Path, vkey: str) -> None:
    code, output, error = run(file.parent, "game.ndjson", "--record", vkey)
    assert (code, output) == (2, "")
    assert error


@pytest.mark.parametrize("arguments", [["nothing.ndjson"], [], ["game.ndjson", "--receipts", "no"]])
def test_what_cannot_be_asked(file: Path, arguments: list[str]) -> None:
    code, output, error = run(file.parent, *arguments)
    assert (code, output) == (2, "")
    assert error


def test_the_rules(file: Path, game: GameBuilder) -> None:
    code, output = with_rules(file)
    assert code == 0
    assert "The rules allow every entry" in output
    assert f"Signed by {KEY}" in output
    seq = first_of(game, "")
    other = 1 - json.loads(game.rows[seq - 1].text)["seat"]
    file.write_bytes(b"".join(forged(game, lambda entries, _: entries[seq - 1].update(seat=other))))
    code, output = with_rules(file)
    assert code == 1
    assert output.startswith(f"WRONG at entry {seq}: The entry cannot be replayed")


def test_rules_that_cannot_be_replayed_are_not_called_wrong(file: Path) -> None:
    code, output, _ = run(file.parent, "game.ndjson", "--rules")
    assert code == 2
    assert output.startswith("OK: game_")
    last_line = output.splitlines()[-1]
    assert last_line.startswith("NOT checked: the rules. Python finds no package tabularium-log")


def test_rules_that_are_not_installed_are_not_called_wrong(game: GameBuilder, file: Path) -> None:
    def of_a_later_version(entries: Any, _: Any) -> None:
        entries[0]["action"]["version"] = 99

    header, *lines = forged(game, of_a_later_version)
    header = re.sub(rb'"version":\d+', b'"version":99', header, count=1)
    file.write_bytes(b"".join([header, *lines]))
    code, output = with_rules(file)
    assert code == 2, output
    assert output.splitlines()[-1].startswith("NOT checked: the rules. ")
    assert "not installed" in output


def with_rules(file: Path) -> tuple[int, str]:
    """Run the verifier where the package is importable."""
    command = [sys.executable, str(DOCS / "verify.py"), str(file), "--rules", "--key", KEY]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = warm_interpreter.run(
        command, env=environment, capture_output=True, check=False, text=True
    )
    return process.returncode, process.stdout
