"""The kinds of bots, such as random, greedy and search bots, and their budgets: a bot is given a
view, never a state."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, inf
from time import monotonic
from typing import Any, Protocol

from tabularium_engines.base import AnyEngine, Rng, State
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.search.greedy import pick_best_action, pick_decent_action
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.node import WAIT
from tabularium_engines.search.playout import Evaluator

SLICE_SECONDS = 0.005  # between two clock checks, unless a simulation takes longer
SEARCH_TIME_SHARE = 0.95  # of the budget: freeing the tree takes the rest
MIN_PACE_SECONDS = 1e-9  # lower bound of a simulation's time


@dataclass(frozen=True)
class Budget:
    """How much a bot may think."""

    seconds: float = 0.0  # at most; 0 with a number of simulations: no time limit
    simulations: int = 0  # at most; 0: as many as time allows
    parts: int = 1  # workers that share a decision, each with this budget
    is_whole: bool = False  # spent whole, to repeat a decision, whatever it is worth

    def with_simulation_cap(self, simulations: int) -> Budget:
        """The same budget with at most that many simulations; 0 adds no limit."""
        both = self.simulations, simulations
        return replace(self, simulations=min(both) if all(both) else max(both))

    def with_effort(self, effort: float) -> Budget:
        """The share of the budget, from 0 to 1, that a decision is worth."""
        if self.is_whole:
            return self
        return replace(
            self, seconds=effort * self.seconds, simulations=ceil(effort * self.simulations)
        )


@dataclass(frozen=True)
class ActionEstimate:
    """A search's estimate of one action."""

    action: Any  # None: waiting
    visits: int
    value: float  # mean reward, 0 … 1


@dataclass(frozen=True)
class BotDecision:
    """A bot's decision and the simulations behind it: the same number of them repeats it."""

    action: Any  # None: the bot, which the game does not wait for, waits
    simulations: int = 0
    estimates: tuple[ActionEstimate, ...] = ()  # most visited first


class Bot(Protocol):
    """A player that is a program."""

    name: str

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """An action for the seat whose view this is; of a seat that is not awaited, perhaps
        none."""


class RandomBot:
    """Plays any legal action, when the game waits for it."""

    name = "random"

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """A random action; this takes no time."""
        state = engine.imagine(view, rng)
        if not int(state.to_act) >> view.seat & 1:
            return BotDecision(None)
        return BotDecision(engine.decode(state, view.seat, state.random_action(view.seat, rng)))


class GreedyBot:
    """Looks one decision ahead and trusts the game's heuristic."""

    name = "greedy"
    pick_action = staticmethod(pick_best_action)

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The action that looks best one decision ahead; this takes a few milliseconds."""
        state = engine.imagine(view, rng)
        action = self.pick_action(state, view.seat, self._heuristic, rng)
        return BotDecision(action_of_code(engine, state, view.seat, action))


class CarelessBot(GreedyBot):
    """Looks ahead like GreedyBot, and plays any action that does not look bad."""

    name = "careless"
    pick_action = staticmethod(pick_decent_action)


def action_of_code(engine: AnyEngine, state: State, seat: int, code: int) -> Any:
    """The action with a number in the search; None for waiting."""
    return None if code == WAIT else engine.decode(state, seat, code)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection: a tree has no cycles, and scanning a growing one takes as long as
    growing it. The tree must be freed before this ends."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class MctsBot:
    """Searches determinizations until its budget is spent."""

    name = "mcts"

    def __init__(self, evaluator: Evaluator, exploration: float) -> None:
        self._evaluator = evaluator
        self._exploration = exploration

    @gc_paused()
    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The most visited action; a forced one takes no time."""
        start = monotonic()
        state = engine.imagine(view, rng)
        seat = view.seat
        search = self.create_search(state, seat, rng)
        if len(search.candidates) > 1:
            search_within_budget(budget.with_effort(search.effort()), search, start)
        tried = [
            ActionEstimate(
                action_of_code(engine, state, seat, action),
                search.visits(action),
                search.mean(action),
            )
            for action in search.candidates
        ]
        best = action_of_code(engine, state, seat, search.best_action())
        favourites = sorted(tried, key=lambda tried: -tried.visits)
        return BotDecision(best, int(search.simulations), tuple(favourites))

    def create_search(self, state: State, seat: int, rng: Rng, extra: int = -1) -> Search:
        """A new search from this (imagined) state, for the seat; `extra` adds an action to compare
        that the search would not consider."""
        return Search(state, seat, self._evaluator, rng, self._exploration, extra)


class LevelBot:
    """Another bot under the name of a level, limited to the level's simulations."""

    def __init__(self, name: str, bot: Bot, simulations: int) -> None:
        self.name = name
        self._bot = bot
        self._simulations = simulations

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The other bot's decision within the level's budget."""
        return self._bot.choose(engine, view, rng, budget.with_simulation_cap(self._simulations))


def search_within_budget(
    budget: Budget, search: Search, start: float, is_wanted: Callable[[], bool] = lambda: True
) -> None:
    """Search until the budget is spent or the result is no longer wanted. The search runs in
    slices, because compiled code does not handle signals."""
    most = budget.simulations or inf
    is_timed = budget.seconds > 0 or not budget.simulations
    deadline = start + SEARCH_TIME_SHARE * budget.seconds if is_timed else inf
    search.run(1)  # includes evaluating every action, so it does not show the pace
    now, size, pace = monotonic(), 1, 0.0
    while deadline - now > pace:  # start no slice that cannot finish in time
        left = most - int(search.simulations)
        if left <= 0 or not is_wanted():
            return
        size = int(min(size, left))
        search.run(size)
        before, now = now, monotonic()
        pace = (now - before) / size
        fitting = min(SLICE_SECONDS, deadline - now) / max(pace, MIN_PACE_SECONDS)
        size = max(1, min(2 * size, int(fitting)))
