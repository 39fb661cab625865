"""Search from a view: information-set MCTS with the heuristic of the game, as the bot `mcts` of the
server plays."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from tabularium_engines import GAMES
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.search.ismcts import DEFAULT_EXPLORATION, Search
from tabularium_engines.search.playout import Evaluator, HeuristicEvaluator, RandomRolloutEvaluator

HEURISTICS_PACKAGE: Final = "tabularium_engines.heuristics"
MODULES: Final = {slug: import_module(f"{HEURISTICS_PACKAGE}.{slug}") for slug in GAMES}
HEURISTICS: Final[Mapping[str, Heuristic]] = {
    slug: module.HEURISTIC for slug, module in MODULES.items()
}
EXPLORATIONS: Final[Mapping[str, float]] = {
    slug: module.EXPLORATION for slug, module in MODULES.items()
}


def evaluator_of(slug: str) -> Evaluator:
    """The evaluator of a game's search; random playouts for a game without a heuristic."""
    heuristic = HEURISTICS.get(slug)
    return RandomRolloutEvaluator() if heuristic is None else HeuristicEvaluator(heuristic)


def run_search(engine: AnyEngine, view: Any, simulations: int, seed: int = 0) -> Search:
    """A search for the seat of a view after that many simulations. `best_action` is its decision;
    equal views, simulations and seeds give equal searches."""
    slug, rng = engine.about.slug, FastRng(seed)
    exploration = EXPLORATIONS.get(slug, DEFAULT_EXPLORATION)
    state = engine.imagine(view, rng)
    found = Search(state, view.seat, evaluator_of(slug), rng, exploration)
    found.run(simulations)
    return found
