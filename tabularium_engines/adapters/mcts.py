"""Search from a view: information-set MCTS with the heuristic of the game, as the bot `mcts` of the
server plays."""

from __future__ import annotations

from typing import Any

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import evaluator_of, tuning_of
from tabularium_engines.installed.registry import ruleset_of
from tabularium_engines.search.ismcts import Search


def run_search(engine: AnyEngine, view: Any, simulations: int, seed: int = 0) -> Search:
    """A search for the seat of a view after that many simulations. `best_action` is its decision;
    equal views, simulations and seeds give equal searches."""
    ruleset, rng = ruleset_of(engine), FastRng(seed)
    exploration = tuning_of(ruleset.slug).exploration
    state = engine.imagine(view, rng)
    found = Search(state, view.seat, evaluator_of(ruleset), rng, exploration)
    found.run(simulations)
    return found
