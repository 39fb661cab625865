"""The size suite: a short run, and its verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.models import Account
from tests.api.calls import SPECS
from tests.size import measuring, suite
from tests.size.measuring import Comparison
from tests.support.databases import ROOT

pytestmark = pytest.mark.lane("slow")


def test_a_short_run_fills_verifies_and_compares(tmp_path: Path) -> None:
    numbers = {"games": 30, "entries": 30, "accounts": 20, "calls": 2, "sample": 30}
    options = [f"--{name}={number}" for name, number in numbers.items()]
    medians = tmp_path / "medians.json"
    command = [sys.executable, "-m", "tests.size", *options, "--only=busiest", f"--json={medians}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "30 games" in run.stdout, run.stderr
    assert "30 sampled games verify" in run.stdout
    names = set(json.loads(medians.read_text()))
    assert "/games of the busiest" in names
    assert all(name in run.stdout for name in names)


def test_every_operation_is_measured() -> None:
    names = measuring.kinds_of_calls(Account()).keys()
    assert SPECS.keys() - measuring.ENDLESS <= names


def test_the_first_call_counts_for_nothing() -> None:
    times = {"log": lambda calls: [9.0, 0.1, 0.2, 0.3][: calls + 1]}
    assert measuring.medians_of(times, 3) == {"log": 0.2}


@pytest.mark.parametrize(
    ("empty", "filled", "is_good"),
    [(0.010, 0.015, True), (0.010, 0.016, False), (0.001, 0.003, True), (0.001, 0.0031, False)],
)
def test_a_filled_store_may_take_half_as_long_again_or_two_milliseconds(
    empty: float, filled: float, is_good: bool
) -> None:
    assert Comparison("log", empty, filled).is_good == is_good


@pytest.mark.parametrize(("games", "processes", "shares"), [(25, 2, [13, 12]), (5, 4, [5])])
def test_games_are_shared_out(games: int, processes: int, shares: list[int]) -> None:
    assert suite.shared_out(games, processes) == shares
