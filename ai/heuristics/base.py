"""The interface of heuristics: quick estimates of how good a state is for each seat, which a search
averages over many."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from mypy_extensions import i64, mypyc_attr

from games.engines.base import State


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
