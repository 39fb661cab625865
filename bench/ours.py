"""Our own contestants. This runs in the benchmark's tree, where Connect Four is one more game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ai import registry
from ai.bots import undisturbed
from ai.search.ismcts import Search
from ai.search.playout import PlayToEnd
from bench import duel
from bench.positions import CARD_SIMULATIONS, DUELS, OPENINGS, SIMULATIONS, TABLES
from bench.worker import Round, Task
from games.engines.base import Engine, State
from games.engines.common.bits import lowest
from games.engines.common.rng import FastRng
from games.registry import ENGINES

play_many: Callable[[State, int, FastRng], int] = import_module("ai.search.play_many").play_many
ConnectFour: Callable[[], State] = import_module("games.engines.connect_four").ConnectFour
PLAYOUTS = 20  # from each position of a round


def opening(drops: str) -> State:
    """Connect Four after some drops."""
    state = ConnectFour()
    for drop in drops:
        state.apply(lowest(state.to_act), int(drop), FastRng(0))
    return state


def after(engine: Engine[Any, Any], seats: int, decisions: int, seed: int) -> State:
    """A game of its default variant after so many random decisions."""
    rng = FastRng(seed)
    state: State = engine.start(engine.about.options(), seats, rng)
    for _ in range(decisions):
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
    return state


def tables(engine: Engine[Any, Any], seats: int, decisions: Sequence[int]) -> list[State]:
    """A game after each number of decisions, each from another deal."""
    return [after(engine, seats, number, seed) for seed, number in enumerate(decisions)]


def playouts(roots: Sequence[State]) -> Round:
    """Random games from the roots; the unit is a game."""
    rng = FastRng(1)

    def play() -> float:
        for root in roots:
            play_many(root, PLAYOUTS, rng)
        return len(roots) * PLAYOUTS

    return play


def steps(roots: Sequence[State]) -> Round:
    """The same, and the unit is a decision."""
    rng = FastRng(1)
    return lambda: sum(play_many(root, PLAYOUTS, rng) for root in roots)


def searches(roots: Sequence[State], simulations: int) -> Round:
    """One search in each position; the unit is a simulation."""
    rng = FastRng(2)

    @undisturbed()
    def search() -> float:
        for root in roots:
            Search(root, lowest(root.to_act), PlayToEnd(), rng).run(simulations)
        return len(roots) * simulations

    return search


def decisions(slug: str, roots: Sequence[State], simulations: int) -> Round:
    """The same, searched as the bot mcts does."""
    bot, rng = registry.searcher(slug), FastRng(2)

    @undisturbed()
    def search() -> float:
        for root in roots:
            bot.search(root, lowest(root.to_act), rng).run(simulations)
        return len(roots) * simulations

    return search


def rounds() -> dict[str, Round]:
    """All that we compete in."""
    found = {
        "connect_four_playouts": playouts([ConnectFour()]),
        "connect_four_steps": steps([ConnectFour()]),
        "connect_four_mcts": searches([opening(drops) for drops in OPENINGS], SIMULATIONS),
    }
    for slug, (seats, begun, *_) in TABLES.items():
        deals = tables(ENGINES[slug], seats, [0] * len(begun))
        found[f"{slug}_playouts"] = playouts(deals)
        found[f"{slug}_steps"] = steps(deals)
        roots = tables(ENGINES[slug], seats, begun)
        found[f"{slug}_ismcts"] = searches(roots, CARD_SIMULATIONS)
        found[f"{slug}_mcts"] = decisions(slug, roots, CARD_SIMULATIONS)
    return found


def agreement(games: int) -> list[float]:
    """In how many random games OpenSpiel agrees with our rules at every step."""
    return [sum(duel.agree(ConnectFour(), FastRng(game)) for game in range(games))]


def duels(simulations: int, games: int) -> list[float]:
    """What we win, draw and lose against OpenSpiel's MCTSBot at as many simulations."""
    results: list[Any] = [duel.play(ConnectFour(), game, simulations) for game in range(games)]
    return [results.count(1.0), results.count(0.5), results.count(0.0)]


TASKS: dict[str, Task] = {
    "agreement": agreement,
    **{f"duels_{simulations}": partial(duels, simulations) for simulations in DUELS},
}
