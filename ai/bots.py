"""Who plays where nobody sits: three bots, which are given a view, never a state."""

from __future__ import annotations

from time import monotonic
from typing import Any, Protocol

from ai.heuristics.base import Heuristic
from ai.search.greedy import look_ahead
from ai.search.ismcts import Search
from ai.search.playout import Judge
from games.engines.base import Engine, Rng

SLICE = 100  # simulations between two looks at the clock; compiled code hears nothing meanwhile


class Bot(Protocol):
    """A player that is a program."""

    name: str

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, seconds: float) -> Any:
        """An action for the seat whose view this is, within about `seconds`."""


class RandomBot:
    """Plays any legal action."""

    name = "random"

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, seconds: float) -> Any:
        """A random action; this takes no time."""
        state = engine.imagine(view, rng)
        return engine.decode(state, view.seat, state.random_action(view.seat, rng))


class GreedyBot:
    """Looks one decision ahead and trusts the game's heuristic."""

    name = "greedy"

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, seconds: float) -> Any:
        """The action that looks best; this takes a few milliseconds."""
        state = engine.imagine(view, rng)
        return engine.decode(state, view.seat, look_ahead(state, view.seat, self._heuristic, rng))


class MctsBot:
    """Searches until its time is over, or for a fixed number of simulations."""

    name = "mcts"

    def __init__(self, judge: Judge, exploration: float, simulations: int = 0) -> None:
        self._judge = judge
        self._exploration = exploration
        self._simulations = simulations

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, seconds: float) -> Any:
        """The action tried most often; a forced one takes no time."""
        state = engine.imagine(view, rng)
        search = Search(state, view.seat, self._judge, rng, self._exploration)
        if len(state.legal_actions(view.seat)) > 1:
            self._think(search, seconds)
        return engine.decode(state, view.seat, search.best())

    def _think(self, search: Search, seconds: float) -> None:
        if self._simulations:
            search.run(self._simulations)
            return
        deadline = monotonic() + seconds
        search.run(SLICE)
        while monotonic() < deadline:
            search.run(SLICE)
