"""`python -m bench.pictures`: positions per CPU second of the web server, by ranges of pictures and
by single ones, of games of every ruleset; on each store, with a target."""

from __future__ import annotations

import argparse
from typing import Any, Final

from bench import report
from bench.log.stores import Store, open_stores
from bench.race import Row

MIN_RATIO: Final = 3.0  # times the positions of single pictures, for each CPU second


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.pictures", description=__doc__)
    parser.add_argument("--positions", type=int, default=80, help="positions of each game, at most")
    parser.add_argument("--repetitions", type=int, default=3, help="games of each ruleset and way")
    arguments = parser.parse_args()
    with open_stores() as stores:
        for name, store in stores.items():
            costs = run_replays(store, arguments.positions, arguments.repetitions)
            print(report.render_table(replay_rows(name, costs, arguments.repetitions)), flush=True)


def run_replays(store: Store, positions: int, repetitions: int) -> dict[str, Any]:
    """The positions and CPU seconds of each ruleset and way, measured in a process of its own."""
    costs: dict[str, Any] = store.measure("bench.pictures.replays", positions, repetitions)
    return costs


def replay_rows(name: str, costs: dict[str, Any], repetitions: int) -> list[Row]:
    """A row for each ruleset, without a target, and one for all of them."""
    rows = [_row(f"{title}, {name}", ways, repetitions) for title, ways in costs.items()]
    total = {
        way: [sum(ways[way][part] for ways in costs.values()) for part in (0, 1)]
        for way in ("range", "single", "single_again")
    }
    return [
        *rows,
        _row(f"Pictures of a replay, {name}", total, repetitions, MIN_RATIO),
        _row(f"Again, positions kept, {name}", total, repetitions, peer="single_again"),
    ]


def _row(
    title: str,
    ways: dict[str, list[float]],
    repetitions: int,
    target: float | None = None,
    peer: str = "single",
) -> Row:
    """The positions for each CPU second by the range, beside those of single pictures."""
    rate, peer_rate = (ways[way][0] / ways[way][1] for way in ("range", peer))
    return Row(
        title,
        rate,
        "positions/CPU s",
        "single pictures",
        peer_rate,
        rate / peer_rate,
        target,
        None if target is None else rate / peer_rate >= target,
        repetitions=repetitions,
    )


if __name__ == "__main__":
    main()
