"""Heuristics for tests of searches with playouts."""

from __future__ import annotations

from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.heuristics.base import Heuristic, Plan, PlanningHeuristic


class _Delay:
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


class Later(_Delay, Heuristic):
    """The same as a heuristic without plans."""


class LaterPlans(_Delay, PlanningHeuristic):
    """The same with plans."""

    other: PlanningHeuristic

    def plans(self, state: State, seat: i64, is_imagined: bool) -> list[Plan]:
        return self.other.plans(state, seat, is_imagined)

    def follow_up(self, state: State, seat: i64) -> i64:
        return self.other.follow_up(state, seat)


def later(other: Heuristic, decisions: int) -> Heuristic:
    """A heuristic that is applied only after a number of decisions."""
    if isinstance(other, PlanningHeuristic):
        return LaterPlans(other, decisions)
    return Later(other, decisions)
