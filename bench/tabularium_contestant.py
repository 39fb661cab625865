"""Our own contestants. They run in the benchmark's tree, where Connect Four is one more game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ai import bot_registry
from ai.bot_kinds import gc_paused
from bench import openspiel_duel
from bench.search_positions import (
    CARD_SIMULATIONS,
    CONNECT_FOUR_OPENINGS,
    CONNECT_FOUR_SIMULATIONS,
    DUEL_SIMULATIONS,
    MEASURED_GAMES,
)
from bench.worker import Round, Task
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.playout import RandomRolloutEvaluator

play_many: Callable[[State, int, FastRng], int] = import_module(
    "tabularium_engines.search.play_many"
).play_many
ConnectFour: Callable[[], State] = import_module("tabularium_engines.connect_four").ConnectFour
PLAYOUTS_PER_POSITION = 20  # from each position of a round


def opening_state(drops: str) -> State:
    """Connect Four after some drops."""
    state = ConnectFour()
    for drop in drops:
        state.apply(lowest(state.to_act), int(drop), FastRng(0))
    return state


def state_after(engine: AnyEngine, seats: int, decisions: int, seed: int) -> State:
    """A game in its default variant after a number of random decisions."""
    rng = FastRng(seed)
    state: State = engine.start(engine.about.options(), seats, rng)
    for _ in range(decisions):
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
    return state


def states_after(engine: AnyEngine, seats: int, decisions: Sequence[int]) -> list[State]:
    """A game after each number of decisions, each from another deal."""
    return [state_after(engine, seats, number, seed) for seed, number in enumerate(decisions)]


def playout_round(roots: Sequence[State]) -> Round:
    """Random games from the roots; the unit is a game."""
    rng = FastRng(1)

    def play() -> float:
        for root in roots:
            play_many(root, PLAYOUTS_PER_POSITION, rng)
        return len(roots) * PLAYOUTS_PER_POSITION

    return play


def step_round(roots: Sequence[State]) -> Round:
    """The same, and the unit is a decision."""
    rng = FastRng(1)
    return lambda: sum(play_many(root, PLAYOUTS_PER_POSITION, rng) for root in roots)


def search_round(roots: Sequence[State], simulations: int) -> Round:
    """One search in each position; the unit is a simulation."""
    rng = FastRng(2)

    @gc_paused()
    def search() -> float:
        for root in roots:
            Search(root, lowest(root.to_act), RandomRolloutEvaluator(), rng).run(simulations)
        return len(roots) * simulations

    return search


def bot_search_round(slug: str, roots: Sequence[State], simulations: int) -> Round:
    """The same, searched as by the bot mcts."""
    bot, rng = bot_registry.create_searcher(slug), FastRng(2)

    @gc_paused()
    def search() -> float:
        for root in roots:
            bot.create_search(root, lowest(root.to_act), rng).run(simulations)
        return len(roots) * simulations

    return search


def rounds() -> dict[str, Round]:
    """All our rounds."""
    named_rounds = {
        "connect_four_playouts": playout_round([ConnectFour()]),
        "connect_four_steps": step_round([ConnectFour()]),
        "connect_four_mcts": search_round(
            [opening_state(drops) for drops in CONNECT_FOUR_OPENINGS], CONNECT_FOUR_SIMULATIONS
        ),
    }
    for slug, (seats, decisions, *_) in MEASURED_GAMES.items():
        deals = states_after(ENGINES[slug], seats, [0] * len(decisions))
        named_rounds[f"{slug}_playouts"] = playout_round(deals)
        named_rounds[f"{slug}_steps"] = step_round(deals)
        roots = states_after(ENGINES[slug], seats, decisions)
        named_rounds[f"{slug}_ismcts"] = search_round(roots, CARD_SIMULATIONS)
        named_rounds[f"{slug}_mcts"] = bot_search_round(slug, roots, CARD_SIMULATIONS)
    return named_rounds


def count_agreements(games: int) -> list[float]:
    """The number of random games in which OpenSpiel agrees with our rules at every step."""
    return [sum(openspiel_duel.rules_agree(ConnectFour(), FastRng(game)) for game in range(games))]


def play_duels(simulations: int, games: int) -> list[float]:
    """Our wins, draws and losses against OpenSpiel's MCTSBot with the same number of
    simulations."""
    results: list[Any] = [
        openspiel_duel.play_duel(ConnectFour(), game, simulations) for game in range(games)
    ]
    return [results.count(1.0), results.count(0.5), results.count(0.0)]


TASKS: dict[str, Task] = {
    "agreement": count_agreements,
    **{
        f"duels_{simulations}": partial(play_duels, simulations) for simulations in DUEL_SIMULATIONS
    },
}
