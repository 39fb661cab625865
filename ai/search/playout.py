"""What a position is worth, by playing on from it: at random to the end, or a little way as the
heuristic would, and then by its opinion."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from ai.search.greedy import pick_best_in_world, value_after_action
from games.engines.base import Rng, State
from games.engines.common.bits import lowest


def play_out(state: State, rng: Rng) -> i64:
    """Play at random to the end, in place; the number of decisions it took."""
    decisions: i64 = 0
    while state.to_act != 0:
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
        decisions += 1
    return decisions


class Evaluator(metaclass=ABCMeta):
    """What a search thinks of positions: of the last of a simulation, and of those never tried."""

    prior_visits: i64  # how many visits a first opinion counts for; 0: it has none

    @abstractmethod
    def rewards(self, state: State, rng: Rng) -> list[float]:
        """What the position is worth to each seat, 0 … 1; the state may be changed."""

    def prior_value(self, state: State, seat: i64, action: i64, rng: Rng) -> float:
        """What an action that was never tried is worth to its seat at first sight, 0 … 1."""
        return 0.0


class RandomRolloutEvaluator(Evaluator):
    """By a random game to its end: needs no knowledge of the game."""

    def __init__(self) -> None:
        self.prior_visits = 0

    def rewards(self, state: State, rng: Rng) -> list[float]:
        play_out(state, rng)
        return state.returns()


class HeuristicEvaluator(Evaluator):
    """By what the heuristic says, once players who follow it have come to where it may be asked."""

    def __init__(self, heuristic: Heuristic) -> None:
        self.prior_visits = 1
        self._heuristic = heuristic

    def rewards(self, state: State, rng: Rng) -> list[float]:
        decisions: i64 = 0
        while state.to_act != 0 and not self._heuristic.can_evaluate(state, decisions):
            seat = lowest(state.to_act)
            state.apply(seat, pick_best_in_world(state, seat, self._heuristic, rng), rng)
            decisions += 1
        if state.to_act == 0:
            return state.returns()
        return self._heuristic.values(state)

    def prior_value(self, state: State, seat: i64, action: i64, rng: Rng) -> float:
        return value_after_action(state, seat, action, self._heuristic, rng)
