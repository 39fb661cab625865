"""How long do the bots of Duel of Law think of a whole turn, how soon are its plays suggested, and
how soon is its word list there? `python -m bench.thinking`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Final

from ai.registry import bot, budget
from bench import report
from bench.race import Row
from games import compiled
from games.engines.common.rng import FastRng
from games.engines.duel_of_law import ENGINE
from games.engines.duel_of_law.options import Options
from games.engines.duel_of_law.state import DuelState
from games.engines.duel_of_law.suggesting import short_plays
from games.engines.duel_of_law.table import TABLE

HAND: Final = 12  # cards
CROWDED: Final = range(15, 60)  # cards on the table, in the middle of a game
LOADING: Final = """
from time import process_time
from games.engines.duel_of_law.lexicon import lexicon
start = process_time()
lexicon()
print(process_time() - start)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.thinking", description=__doc__)
    parser.add_argument("--positions", type=int, default=30, help="in the middle of games")
    wanted = parser.parse_args()
    found = list(positions(wanted.positions))
    rows = [loading(), suggestions(found), *(turns(name, found) for name in ("greedy", "mcts"))]
    print(report.table(rows))


def positions(number: int) -> Iterator[tuple[DuelState, int]]:
    """Beginnings of turns in random games, with a dozen cards in hand."""
    seed = 0
    while True:
        seed += 1
        rng = FastRng(seed)
        state = ENGINE.start(Options(), 2 + seed % 3, rng)
        while state.to_act:
            seat = ENGINE.awaited(state)[0]
            is_fit = state.count(TABLE) in CROWDED and state.count(seat) >= HAND
            if is_fit and not state.is_trying() and rng.below(4) == 0:
                yield state.clone(), seat
                number -= 1
                if number == 0:
                    return
            state.apply(seat, state.random_action(seat, rng), rng)


def suggestions(found: list[tuple[DuelState, int]]) -> Row:
    """All plays of one card or two, of a dozen in hand."""
    times = []
    for state, seat in found:
        hand = state.held(seat)[:HAND]
        start = process_time()
        short_plays(state.tableau, hand)
        times.append(1000 * (process_time() - start))
    return limited("Duel of Law, plays suggested (median)", median(times), 50, times)


def turns(name: str, found: list[tuple[DuelState, int]]) -> Row:
    """Whole turns of a bot, decision by decision."""
    times = []
    for begun, seat in found:
        state, rng = begun.clone(), FastRng(1)
        start = process_time()
        while state.turn == seat and state.to_act:
            view, allowed = ENGINE.view(state, seat), budget(name, "duel_of_law")
            answer = bot(name, "duel_of_law").choose(ENGINE, view, rng, allowed)
            state.apply(seat, ENGINE.encode(state, seat, answer.action), rng)
        times.append(1000 * (process_time() - start))
    return limited(f"Duel of Law, whole turns of {name} (longest)", max(times), 2000, times)


def loading() -> Row:
    """The word list, in a process that has not seen it."""
    command = [sys.executable, "-c", LOADING]
    told = subprocess.run(
        command, cwd=compiled.ROOT, stdout=subprocess.PIPE, check=True, text=True
    ).stdout
    return limited("Duel of Law, word list loaded", 1000 * float(told), 300, [float(told)])


def limited(name: str, value: float, limit: float, values: list[float]) -> Row:
    """A time that has a limit."""
    return Row(
        name,
        value,
        "ms of CPU",
        target=limit,
        met=value <= limit,
        is_limit=True,
        repetitions=len(values),
        values=values,
    )


if __name__ == "__main__":
    main()
