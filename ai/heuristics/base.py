"""What a heuristic is: an opinion on a state, of which a bot has many and trusts none fully."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from mypy_extensions import i64, mypyc_attr

from games.engines.base import State


@mypyc_attr(allow_interpreted_subclasses=True)
class Heuristic(metaclass=ABCMeta):
    """How good a state looks to a seat, from 0 (lost) to 1 (won)."""

    @abstractmethod
    def value(self, state: State, seat: i64) -> float:
        """What `seat` may hope for."""

    def can_evaluate(self, state: State, decisions: i64) -> bool:
        """May a search ask it here, after it has played on so far? A game in which a look at once
        says little overrides this."""
        return True

    def values(self, state: State) -> list[float]:
        """What each seat may hope for; a game overrides this where one seat's hope tells all."""
        return [self.value(state, seat) for seat in range(state.seats)]
