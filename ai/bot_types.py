"""Who plays where nobody sits: bots, which are given a view, never a state."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any, Protocol

from ai.heuristics.base import Heuristic
from ai.search.greedy import pick_best_action, pick_decent_action
from ai.search.ismcts import Search
from ai.search.playout import Evaluator
from games.engines.base import Engine, Rng, State

SLICE_SECONDS = 0.005  # seconds between two looks at the clock, unless a simulation takes longer
SEARCH_TIME_SHARE = 0.95  # of the time given: to be taken apart again takes a tree the rest
MIN_PACE_SECONDS = 1e-9  # seconds, which even a simulation takes


@dataclass(frozen=True)
class Budget:
    """How much a bot may think."""

    seconds: float = 0.0  # at the most; 0, if simulations are counted: as long as they take
    simulations: int = 0  # at the most; 0: as many as there is time for
    parts: int = 1  # among how many workers a decision is spread, each with this budget

    def with_simulation_cap(self, simulations: int) -> Budget:
        """The same with at most so many simulations; 0: with as many as before."""
        both = self.simulations, simulations
        return replace(self, simulations=min(both) if all(both) else max(both))


@dataclass(frozen=True)
class ActionEstimate:
    """What a search found out about an action."""

    action: Any
    visits: int
    value: float  # what it was worth on average, 0 … 1


@dataclass(frozen=True)
class BotDecision:
    """What a bot does, and how much it thought: with equally many simulations it does so again."""

    action: Any
    simulations: int = 0
    estimates: tuple[ActionEstimate, ...] = ()  # the favourites first


class Bot(Protocol):
    """A player that is a program."""

    name: str

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """An action for the seat whose view this is."""


class RandomBot:
    """Plays any legal action."""

    name = "random"

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """A random action; this takes no time."""
        state = engine.imagine(view, rng)
        return BotDecision(engine.decode(state, view.seat, state.random_action(view.seat, rng)))


class GreedyBot:
    """Looks one decision ahead and trusts the game's heuristic."""

    name = "greedy"
    pick_action = staticmethod(pick_best_action)

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The action that this look at the table finds; it takes a few milliseconds."""
        state = engine.imagine(view, rng)
        action = self.pick_action(state, view.seat, self._heuristic, rng)
        return BotDecision(engine.decode(state, view.seat, action))


class CarelessBot(GreedyBot):
    """Sees what GreedyBot sees, and takes whatever is not bad."""

    name = "careless"
    pick_action = staticmethod(pick_decent_action)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Nothing is collected meanwhile: a tree has no cycles, and to look for them in a growing one
    takes as long as to grow it. It has to be gone again by the end of this."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class MctsBot:
    """Searches imagined worlds until its budget is spent."""

    name = "mcts"

    def __init__(self, judge: Evaluator, exploration: float) -> None:
        self._evaluator = judge
        self._exploration = exploration

    @gc_paused()
    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The action tried most often; a forced one takes no time."""
        start = monotonic()
        state = engine.imagine(view, rng)
        seat = view.seat
        search = self.create_search(state, seat, rng)
        promising = state.promising_actions(seat)
        if len(promising) > 1:
            search_within_budget(budget, search, start)
        tried = [
            ActionEstimate(
                engine.decode(state, seat, action), search.visits(action), search.mean(action)
            )
            for action in promising
        ]
        best = engine.decode(state, seat, search.best_action())
        favourites = sorted(tried, key=lambda tried: -tried.visits)
        return BotDecision(best, int(search.simulations), tuple(favourites))

    def create_search(self, state: State, seat: int, rng: Rng, also: int = -1) -> Search:
        """A search that has not begun, of what the seat knows in this (imagined) state; an action
        that it would not think of is `also` compared."""
        return Search(state, seat, self._evaluator, rng, self._exploration, also)


class LevelBot:
    """Another bot under the name of a level, which thinks as much as that allows."""

    def __init__(self, name: str, bot: Bot, simulations: int) -> None:
        self.name = name
        self._bot = bot
        self._simulations = simulations

    def choose(self, engine: Engine[Any, Any], view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """What the other does."""
        return self._bot.choose(engine, view, rng, budget.with_simulation_cap(self._simulations))


def search_within_budget(
    budget: Budget, search: Search, start: float, is_wanted: Callable[[], bool] = lambda: True
) -> None:
    """Search until the budget is spent, or nobody wants to know any more; in slices, for compiled
    code hears no signals."""
    most = budget.simulations or inf
    is_timed = budget.seconds > 0 or not budget.simulations
    deadline = start + SEARCH_TIME_SHARE * budget.seconds if is_timed else inf
    search.run(1)  # with a first look at every action, which tells nothing of the pace
    now, size, pace = monotonic(), 1, 0.0
    while deadline - now > pace:  # nothing is begun that cannot be finished
        left = most - int(search.simulations)
        if left <= 0 or not is_wanted():
            return
        size = int(min(size, left))
        search.run(size)
        before, now = now, monotonic()
        pace = (now - before) / size
        fitting = min(SLICE_SECONDS, deadline - now) / max(pace, MIN_PACE_SECONDS)
        size = max(1, min(2 * size, int(fitting)))
