"""`python -m bench.audit`: entries of stored games verified per CPU second, by the quick pass and
by the replay, and recognized as those that a ledger knows, on equal numbers of entries of every
ruleset; on each store, with targets."""

from __future__ import annotations

import argparse
from statistics import median
from typing import Final, TypeAlias

from bench import race, report
from bench.log.stores import Store, open_stores
from bench.race import Contest, Row

MIN_RATIO: Final = 4.0  # times the entries of the replay, for each CPU second
MIN_RATE: Final = 40_000.0  # entries for each CPU second, with compiled engines
UNIT: Final = "entries/CPU s"
Costs: TypeAlias = dict[str, list[list[float]]]  # by way: entries and CPU seconds, by repetition


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.audit", description=__doc__)
    parser.add_argument("--entries", type=int, default=1_500, help="of each ruleset and way")
    parser.add_argument("--repetitions", type=int, default=3, help="each with games of its own")
    arguments = parser.parse_args()
    with open_stores() as stores:
        for name, store in stores.items():
            costs = run_verifications(store, arguments.entries, arguments.repetitions)
            print(report.render_table(verification_rows(name, costs)), flush=True)


def run_verifications(store: Store, entries: int, repetitions: int) -> dict[str, Costs]:
    """The costs of each ruleset, measured in a process of its own."""
    costs: dict[str, Costs] = store.measure("bench.audit.verifications", entries, repetitions)
    return costs


def verification_rows(name: str, costs: dict[str, Costs]) -> list[Row]:
    """A row for each ruleset, without a target, and three for all of them."""
    ways = next(iter(costs.values()))
    total: Costs = {
        way: [
            [sum(parts) for parts in zip(*repetition, strict=True)]
            for repetition in zip(*(each[way] for each in costs.values()), strict=True)
        ]
        for way in ways
    }
    rates = [entries / seconds for entries, seconds in total["quick"]]
    rate = median(rates)
    title = f"Verification, {name}"
    return [
        *(_row(f"{ruleset}, {name}", ways) for ruleset, ways in costs.items()),
        _row(title, total, MIN_RATIO),
        Row(title, rate, UNIT, target=MIN_RATE, met=rate >= MIN_RATE, values=rates),
        _row(f"Known games, {name}", total, way="known", peer="quick"),
    ]


def _row(
    title: str, costs: Costs, target: float | None = None, way: str = "quick", peer: str = "replay"
) -> Row:
    """The rate of a way beside that of another."""
    rates = {
        way: [entries / seconds for entries, seconds in repetitions]
        for way, repetitions in costs.items()
    }
    return race.judge_contest(Contest(title, UNIT, way, (peer,), target), rates)


if __name__ == "__main__":
    main()
