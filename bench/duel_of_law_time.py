"""`python -m bench.duel_of_law_time`: the time of whole bot turns in Duel of Law, of suggesting
plays and of loading the word list."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Final

from ai.bot_registry import bot_budget, create_bot
from bench import report
from bench.race import Row
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import ENGINE
from tabularium_engines.duel_of_law.card_zones import ZONE_TABLE
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.heuristics.duel_of_law_turns.play_generator import PlayGenerator

HAND_SIZE: Final = 12
CARDS_ON_TABLE: Final = range(15, 60)  # in the middle of a game
LOADING_SCRIPT: Final = """
from time import process_time
from tabularium_engines.duel_of_law.spelling_lexicon import load_lexicon
start = process_time()
load_lexicon()
print(process_time() - start)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.duel_of_law_time", description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=30, help="positions from the middle of games"
    )
    arguments = parser.parse_args()
    positions = list(find_positions(arguments.positions))
    rows = [
        loading_row(),
        suggestion_row(positions),
        *(turn_row(name, positions) for name in ("greedy", "mcts")),
    ]
    print(report.render_table(rows))


def find_positions(number: int) -> Iterator[tuple[DuelState, int]]:
    """Starts of turns in random games, with a dozen cards in hand."""
    seed = 0
    while True:
        seed += 1
        rng = FastRng(seed)
        state = ENGINE.start(Options(), 2 + seed % 3, rng)
        while state.to_act:
            seat = ENGINE.awaited_seats(state)[0]
            is_fit = (
                state.zones.count(ZONE_TABLE) in CARDS_ON_TABLE
                and state.zones.count(seat) >= HAND_SIZE
            )
            if is_fit and not state.turn.has_trial() and rng.below(4) == 0:
                yield state.clone(), seat
                number -= 1
                if number == 0:
                    return
            state.apply(seat, state.random_action(seat, rng), rng)


def suggestion_row(positions: list[tuple[DuelState, int]]) -> Row:
    """All plays of one or two cards, out of a dozen in hand."""
    times = []
    for state, seat in positions:
        hand = state.zones.cards(seat)[:HAND_SIZE]
        start = process_time()
        PlayGenerator(state.turn.tableau, hand, seat).one_and_two_card_plays()
        times.append(1000 * (process_time() - start))
    return limited_row("Duel of Law, plays suggested (median)", median(times), 50, times)


def turn_row(name: str, positions: list[tuple[DuelState, int]]) -> Row:
    """Whole turns of a bot, decision by decision."""
    times = []
    for start_state, seat in positions:
        state, rng = start_state.clone(), FastRng(1)
        start = process_time()
        while state.turn.seat == seat and state.to_act:
            view, budget = ENGINE.view(state, seat), bot_budget(name, "duel_of_law")
            decision = create_bot(name, "duel_of_law").choose(ENGINE, view, rng, budget)
            state.apply(seat, ENGINE.encode(state, seat, decision.action), rng)
        times.append(1000 * (process_time() - start))
    return limited_row(f"Duel of Law, whole turns of {name} (longest)", max(times), 2000, times)


def loading_row() -> Row:
    """Loading the word list in a fresh process."""
    command = [sys.executable, "-c", LOADING_SCRIPT]
    output = subprocess.run(
        command, cwd=compiled_engines.PROJECT_ROOT, stdout=subprocess.PIPE, check=True, text=True
    ).stdout
    return limited_row("Duel of Law, word list loaded", 1000 * float(output), 300, [float(output)])


def limited_row(name: str, value: float, limit: float, values: list[float]) -> Row:
    """A time with a limit."""
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
