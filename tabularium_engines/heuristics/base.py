"""The interface of heuristics: quick estimates of how good a state is for each seat, which a search
averages over many, and whole plans where a single action says little."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tabularium_engines.base import State

# Of plans with several steps: a bit that no action has, and a hash of 38 bits below it.
_PLAN_BIT: Final[i64] = 1 << 38
_HASH_FACTOR: Final[i64] = 0x9E3779  # so small that a product stays below 2^62
_HASH_MASK: Final[i64] = (1 << 38) - 1
NO_ACTION: Final[i64] = -1
UNKNOWN_WORTH: Final[float] = -1.0


class Plan:
    """Actions that a seat intends to take one after the other, and their worth: a search tries
    them as one."""

    def __init__(self, steps: list[i64], worth: float) -> None:
        self.steps: list[i64] = steps  # one or more
        self.worth: float = worth  # the seat's chance of winning, or UNKNOWN_WORTH
        self.code: i64 = steps[0]  # a number below 2^39 that stands for the steps
        if len(steps) > 1:
            found: i64 = 0
            for step in steps:
                found = (found ^ step) * _HASH_FACTOR & _HASH_MASK
                found ^= found >> 19
            self.code = _PLAN_BIT | found


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic(metaclass=ABCMeta):
    """How good a state looks to a seat, from 0 (lost) to 1 (won)."""

    @abstractmethod
    def value(self, state: State, seat: i64) -> float:
        """The estimate for `seat`."""

    def can_evaluate(self, state: State, decisions: i64) -> bool:
        """Whether a search may evaluate the state after that many decisions of playing on. Games in
        which an immediate evaluation says little override this."""
        return True

    def values(self, state: State) -> list[float]:
        """The estimate for each seat; games in which one seat's value determines the others
        override this."""
        return [self.value(state, seat) for seat in range(state.seats)]


@mypyc_attr(allow_interpreted_subclasses=True)
class PlanningHeuristic(Heuristic):
    """The heuristic of a game whose turns take many actions: bots decide between plans."""

    @abstractmethod
    def plans(self, state: State, seat: i64, is_imagined: bool) -> list[Plan]:
        """The plans worth searching, at least one; in an imagined future, found quickly."""

    @abstractmethod
    def follow_up(self, state: State, seat: i64) -> i64:
        """The action that follows from those of a plan, such as an answer; NO_ACTION if none
        does."""

    def effort(self, state: State, seat: i64) -> float:
        """The share of its budget that a bot spends on this decision: less than 1 where the seat
        goes on with a plan, and has learnt nothing since it chose it."""
        return 1.0
