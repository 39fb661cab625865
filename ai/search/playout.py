"""What a position is worth, by playing on from it at random: to the end, or a little way and then
by a heuristic's opinion."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import Rng, State
from games.engines.common.bits import lowest


def play_out(state: State, rng: Rng) -> i64:
    """Play to the end, in place; the number of decisions it took."""
    decisions: i64 = 0
    while state.to_act != 0:
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
        decisions += 1
    return decisions


def play_on(state: State, decisions: i64, rng: Rng) -> None:
    """Play so many decisions, or to the end, in place."""
    while decisions > 0 and state.to_act != 0:
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
        decisions -= 1


class Judge(metaclass=ABCMeta):
    """How a simulation that has left the tree is judged."""

    @abstractmethod
    def rewards(self, state: State, rng: Rng) -> list[float]:
        """What the position is worth to each seat, 0 … 1; the state may be changed."""


class PlayToEnd(Judge):
    """By a random game to its end: needs no knowledge of the game."""

    def rewards(self, state: State, rng: Rng) -> list[float]:
        play_out(state, rng)
        return state.returns()


class PlayAndLook(Judge):
    """By a few random decisions and then the heuristic."""

    def __init__(self, heuristic: Heuristic, decisions: i64) -> None:
        self._heuristic = heuristic
        self._decisions: i64 = decisions

    def rewards(self, state: State, rng: Rng) -> list[float]:
        play_on(state, self._decisions, rng)
        if state.to_act == 0:
            return state.returns()
        return self._heuristic.values(state)
