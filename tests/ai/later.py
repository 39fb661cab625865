"""A heuristic for tests of searches with playouts."""

from __future__ import annotations

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State


class Later(Heuristic):
    """Another heuristic, applied only after a number of decisions."""

    def __init__(self, other: Heuristic, decisions: int) -> None:
        self.other = other
        self.decisions = decisions

    def value(self, state: State, seat: i64) -> float:
        return self.other.value(state, seat)

    def values(self, state: State) -> list[float]:
        return self.other.values(state)

    def can_evaluate(self, state: State, decisions: i64) -> bool:
        return decisions >= self.decisions
