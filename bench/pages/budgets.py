"""The budgets of the pages, as rows: each measure, the same on a static page, and its limit."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bench.log.stores import Store, migrate_stores
from bench.race import Row

POSITIONS: Final = 80
ENTRIES: Final = 100
LONG_ENTRIES: Final = 1000
CLICKS: Final = 10  # in each repetition
CHROMIUM: Final = os.environ.get("TABULARIUM_CHROMIUM", "chromium")


class Budget(NamedTuple):
    """A measure in words, and its target."""

    name: str
    unit: str
    target: float | None = None
    is_limit: bool = True


BUDGETS: Final = {
    "assets": Budget("First load of a table, scripts and styles", "kB", 40),
    "calls": Budget("First load, calls before the picture", "calls", 3),
    "first": Budget("First load to picture", "ms"),
    "reload": Budget("Reload to picture", "ms", 500),
    "answered": Budget("Click to answer", "ms", 30),
    "clicked": Budget("Click to new picture", "ms", 100),
    "seen": Budget("Click to new picture in another window", "ms", 300),
    "swapped": Budget("Replay, pictures kept, swapped", "positions/s", 60, is_limit=False),
    "painted": Budget("Replay, pictures kept, painted", "positions/s", 30, is_limit=False),
    "cold": Budget(f"Replay of {POSITIONS} positions by one request", "ms", 700),
    "singly": Budget("Replay by single pictures", "positions/s"),
    "chain": Budget(f"Chain of {LONG_ENTRIES:,} entries read", "ms", 100),
    "verified": Budget(f"Export of {ENTRIES} entries verified", "ms", 300),
    "smallest": Budget("Smallest thing on a phone", "px", 24, is_limit=False),
}


def measure_all(repetitions: int, clicks: int = CLICKS) -> list[Row]:
    """All rows, measured on SQLite in a process of its own; none without a browser."""
    if shutil.which(CHROMIUM) is None:
        print(f"Not measured in a browser: {CHROMIUM} is missing.")
        return []
    with TemporaryDirectory() as folder:
        store = migrate_stores({"sqlite": Store(Path(folder))})["sqlite"]
        ours, theirs = store.measure("bench.pages.visit", repetitions, clicks)
    return rows(ours, theirs)


def rows(ours: dict[str, list[float]], theirs: dict[str, list[float]]) -> list[Row]:
    """A row for each measure; the smallest thing counts, of all other values the median."""
    return [_row(budget, ours[name], theirs.get(name)) for name, budget in BUDGETS.items()]


def _row(budget: Budget, ours: list[float], theirs: list[float] | None) -> Row:
    value = min(ours) if budget.unit == "px" else median(ours)
    peer: dict[str, Any] = {}
    if theirs:
        peer = {
            "peer": "static page",
            "peer_value": median(theirs),
            "ratio": value / median(theirs),
            "peer_values": theirs,
        }
    return Row(
        budget.name,
        value,
        budget.unit,
        target=budget.target,
        met=None if budget.target is None else _is_met(budget, value),
        is_limit=budget.is_limit,
        repetitions=len(ours),
        values=ours,
        **peer,
    )


def _is_met(budget: Budget, value: float) -> bool:
    assert budget.target is not None
    return value <= budget.target if budget.is_limit else value >= budget.target
