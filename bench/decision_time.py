"""`python -m bench.decision_time`: the time that bots' decisions take relative to their budget,
judged by the slowest in a hundred.

The bot's clock and ours measure the CPU time of this process, so that other load on the machine
does not matter; with `--wall` they measure wall-clock time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import cycle
from math import ceil
from statistics import median
from time import monotonic, process_time
from typing import Any, Final

from ai import bot_kinds
from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from bench import report
from bench.race import Row
from bench.search_positions import MEASURED_GAMES
from tabularium_engines.base import State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES

Clock = Callable[[], float]

BUDGET_SECONDS: Final = (0.2, 0.5)
MAX_TIME_SHARE: Final = 1.10  # of the budget, at the 99th percentile


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.decision_time", description=__doc__)
    parser.add_argument("--positions", type=int, default=100, help="decisions of each game")
    parser.add_argument("--game", choices=list(ENGINES), help="only this game")
    parser.add_argument("--wall", action="store_true", help="measure wall-clock time")
    arguments = parser.parse_args()
    clock = monotonic if arguments.wall else process_time
    bot_kinds.monotonic = clock  # type: ignore[attr-defined]  # the bot's clock
    slugs = [arguments.game] if arguments.game else list(ENGINES)
    for slug in slugs:
        print(report.render_table(list(game_rows(slug, arguments.positions, clock))), flush=True)


def game_rows(slug: str, number: int, clock: Clock) -> Iterator[Row]:
    """The rows of a game, one for each budget."""
    positions = list(find_positions(slug, number))
    for seconds in BUDGET_SECONDS:
        shares = sorted(
            measure_time_share(slug, state, seat, seconds, clock) for state, seat in positions
        )
        p99 = shares[ceil(0.99 * len(shares)) - 1]
        yield Row(
            f"{slug}, {seconds} s (median {median(shares):.3f}, longest {shares[-1]:.3f})",
            p99,
            "of the time given",
            target=MAX_TIME_SHARE,
            met=p99 <= MAX_TIME_SHARE,
            is_limit=True,
            repetitions=len(shares),
            values=shares,
        )


def find_positions(slug: str, number: int) -> Iterator[tuple[State, int]]:
    """Positions with a choice, each from another deal."""
    engine, table = ENGINES[slug], MEASURED_GAMES[slug]
    for deal, decision_count in enumerate(cycle(table.decisions)):
        remaining = decision_count
        rng = FastRng(deal)
        state: Any = engine.start(engine.about.options(), table.seats, rng)
        seat = engine.awaited_seats(state)[0]
        while state.to_act and (remaining > 0 or len(state.legal_actions(seat)) == 1):
            state.apply(seat, state.random_action(seat, rng), rng)
            remaining -= 1
            seat = next(iter(engine.awaited_seats(state)), 0)
        if state.to_act:
            yield state, seat
            number -= 1
        if number == 0:
            return


def measure_time_share(slug: str, state: State, seat: int, seconds: float, clock: Clock) -> float:
    """The time of a decision as a share of its budget."""
    engine, bot = ENGINES[slug], create_bot("mcts", slug)
    view = engine.view(state, seat)
    start = clock()
    bot.choose(engine, view, FastRng(1), Budget(seconds))
    return (clock() - start) / seconds


if __name__ == "__main__":
    main()
