"""Comparing the speed of two revisions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bench import revisions
from bench.worker_process import WorkerProcess
from tabularium_engines.installed.registry import ENGINES

ROOT: Final = Path(__file__).resolve().parents[2]


class Paced(WorkerProcess):
    """A worker with a fixed rate, which notes its turns."""

    def __init__(self, name: str, rate: float, turns: list[str]) -> None:
        self.name, self.rate, self.turns = name, rate, turns

    def ask(self, name: str, amount: float) -> list[float]:
        self.turns.append(self.name)
        return [self.rate * 2, 2.0]


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [(1, 0, 0), (5, 0, 4), (6, 0, 5), (15, 3, 11), (21, 5, 15), (100, 39, 60)],
)  # of tables of the sign test
def test_the_interval_of_a_median_is_that_of_the_sign_test(
    number: int, low: int, high: int
) -> None:
    values = [float(value) for value in range(number)]
    interval = revisions.median_interval(values)
    assert (interval.low, interval.high) == (low, high)
    assert interval.middle == (number - 1) / 2


def test_the_ratio_is_of_the_new_over_the_old_in_either_order() -> None:
    turns: list[str] = []
    workers = [Paced("old", 10.0, turns), Paced("new", 12.0, turns)]
    for is_reversed in (False, True):
        assert revisions.ratio_of(workers, "race", 0.1, is_reversed) == pytest.approx(1.2)
    assert turns == ["old", "new", "new", "old"]


def test_every_race_of_ours_is_compared() -> None:
    names = revisions.race_names()
    kinds = ("playouts", "steps", "ismcts", "mcts")
    assert {f"{slug}_{kind}" for slug in ENGINES for kind in kinds} < set(names)
    assert len(names) == len(set(names)) == len(kinds) * len(ENGINES) + 3  # of Connect Four


def test_this_revision_has_a_known_layout() -> None:
    layouts = [kind for file, kind in revisions.LAYOUTS.items() if (ROOT / file).exists()]
    assert len(layouts) == 1
    module, _, function = layouts[0].build.removesuffix("()").partition(".")
    assert f"def {function}(" in (ROOT / "bench" / f"{module}.py").read_text(encoding="utf-8")
    assert (ROOT / "bench" / f"{layouts[0].team}.py").exists()
