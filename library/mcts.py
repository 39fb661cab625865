"""Search from a view: information-set MCTS with the heuristic of the game, as the bot `mcts` of the
server plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ai.heuristics import duality, duel_edged_sword, duel_of_law, law, law_of_the_dice
from ai.heuristics.base import Heuristic
from ai.search.ismcts import DEFAULT_EXPLORATION, Search
from ai.search.playout import Evaluator, HeuristicEvaluator, RandomRolloutEvaluator
from games.engines.base import AnyEngine
from games.engines.common.recorded_rng import FastRng

MODULES: Final = (law_of_the_dice, duel_edged_sword, duality, law, duel_of_law)
# by game; a module may have a heuristic for searches that differs from the one for greedy play
HEURISTICS: Final[Mapping[str, Heuristic]] = {
    module.__name__.rpartition(".")[2]: getattr(module, "SEARCH_HEURISTIC", module.HEURISTIC)
    for module in MODULES
}
# tuned in contests; heuristics rarely return 0 or 1, so these lie below the value of theory
EXPLORATIONS: Final[Mapping[str, float]] = {
    "law_of_the_dice": 0.4,
    "duel_edged_sword": 0.15,
    "duality": 0.15,
    "law": 0.15,
    "duel_of_law": 0.15,
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
