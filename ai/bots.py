"""Who plays where nobody sits: three bots, which are given a view, never a state."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

from ai.heuristics.base import Heuristic
from ai.search.greedy import look_ahead
from ai.search.ismcts import Search
from ai.search.playout import Judge
from games.engines.base import Engine, Rng

SLICE = 20  # simulations between two looks at the clock; compiled code hears nothing meanwhile


@dataclass(frozen=True)
class Budget:
    """How much a bot may think."""

    seconds: float = 0.0  # at the most
    simulations: int = 0  # exactly so many, whatever time it takes; 0: as many as there is time for


@dataclass(frozen=True)
class Tried:
    """What a search found out about an action."""

    action: Any
    visits: int
    value: float  # what it was worth on average, 0 … 1


@dataclass(frozen=True)
class Answer:
    """What a bot does, and how much it thought: with equally many simulations it does so again."""

    action: Any
    simulations: int = 0
    tried: tuple[Tried, ...] = ()  # the favourites first


class Bot(Protocol):
    """A player that is a program."""

    name: str

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> Answer:
        """An action for the seat whose view this is."""


class RandomBot:
    """Plays any legal action."""

    name = "random"

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> Answer:
        """A random action; this takes no time."""
        state = engine.imagine(view, rng)
        return Answer(engine.decode(state, view.seat, state.random_action(view.seat, rng)))


class GreedyBot:
    """Looks one decision ahead and trusts the game's heuristic."""

    name = "greedy"

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> Answer:
        """The action that looks best; this takes a few milliseconds."""
        state = engine.imagine(view, rng)
        action = look_ahead(state, view.seat, self._heuristic, rng)
        return Answer(engine.decode(state, view.seat, action))


class MctsBot:
    """Searches imagined worlds until its budget is spent."""

    name = "mcts"

    def __init__(self, judge: Judge, exploration: float) -> None:
        self._judge = judge
        self._exploration = exploration

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> Answer:
        """The action tried most often; a forced one takes no time."""
        state = engine.imagine(view, rng)
        seat = view.seat
        search = Search(state, seat, self._judge, rng, self._exploration)
        promising = state.promising(seat)
        if len(promising) > 1:
            _spend(budget, search)
        tried = [
            Tried(engine.decode(state, seat, action), search.visits(action), search.mean(action))
            for action in promising
        ]
        best = engine.decode(state, seat, search.best())
        favourites = sorted(tried, key=lambda tried: -tried.visits)
        return Answer(best, int(search.simulations), tuple(favourites))


def _spend(budget: Budget, search: Search) -> None:
    """Search in slices, so that signals are heard, until the budget is spent."""
    if budget.simulations:
        while left := budget.simulations - int(search.simulations):
            search.run(min(SLICE, left))
        return
    deadline = monotonic() + budget.seconds
    search.run(SLICE)
    while monotonic() < deadline:
        search.run(SLICE)
