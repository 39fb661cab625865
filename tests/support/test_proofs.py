"""Proofs are recorded, go on after the tests that have passed, and are due when their sources have
changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support import lanes, proofs
from tests.support.proofs import Proof, game_of

TESTS: Final = """
from pathlib import Path

HERE = Path(__file__).parent

def test_good():
    with (HERE / "runs").open("a") as runs:
        runs.write("again ")

def test_mended():
    assert (HERE / "mended").exists()
"""
SETTINGS: Final = "[pytest]\naddopts = -p no:schemathesis -p no:anyio -p no:django\n"


@pytest.fixture
def proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Proof:
    """A proof with two tests; its record and its progress are in a folder of the test's own."""
    monkeypatch.setattr(proofs, "RECORDS", tmp_path / "records")
    monkeypatch.setattr(proofs, "PROGRESS", tmp_path / "progress")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    module = tmp_path / "test_it.py"
    module.write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    return Proof("trial", ("LICENSE",), (sys.executable, "-m", "pytest", str(module)), tests=("x",))


def record(folder: Path) -> Any:
    return json.loads((folder / "records" / "trial.json").read_text())


@pytest.mark.lane("slow")
def test_a_proof_goes_on_after_the_tests_that_have_passed(proof: Proof, tmp_path: Path) -> None:
    assert not proofs.run(proof, [], seed=7)
    assert proof.is_due()
    assert not (tmp_path / "records").exists()
    (tmp_path / "mended").touch()
    assert proofs.run(proof, [], seed=7)
    assert (tmp_path / "runs").read_text() == "again "
    kept = record(tmp_path)
    assert (kept["tests"], kept["seed"]) == ({"passed": 2}, 7)
    assert not proof.is_due()
    assert proofs.run(proof, [], seed=8)  # anew
    assert (tmp_path / "runs").read_text() == "again again "


def test_changed_sources_make_it_due(proof: Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    before = proof.digest()
    assert Proof("trial", ("README.md",), tests=("x",)).digest() != before
    monkeypatch.setattr(proofs, "tracked_files", lambda paths: ["LICENSE", "README.md"])
    assert proof.digest() != before


@pytest.mark.parametrize("name", lanes.PROOFS)
def test_no_word_of_a_command_is_taken_for_a_folder(name: str) -> None:
    _, *words = proofs.PROOFS[name].command
    assert not [word for word in words if (proofs.ROOT / word).exists()]


def test_the_tests_of_a_lane_are_among_its_sources() -> None:
    files = {path.as_posix() for path in proofs.PROOFS["storms"].paths()}
    assert {"tests/chaos/test_kill_storms.py", "tests/chaos/kill_storm.py", "games"} <= files
    assert "tests/chaos/test_log_check.py" not in files


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("tests/referees/test_duel_of_law.py::test_it[1]", "duel_of_law"),
        ("tests/engines/test_conformance.py::test_1[law-v2-2-default]", "law"),
        ("tests/engines/test_conformance.py::test_1[law_of_the_dice-2-default]", "law_of_the_dice"),
        ("tests/engines/test_parity.py::test_13", None),
    ],
)
def test_a_test_is_about_the_game_that_it_names(name: str, game: str | None) -> None:
    assert game_of(name) == game
