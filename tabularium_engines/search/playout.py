"""Playouts: evaluators that value a position by playing on from it, either at random to the end or
a few decisions by the heuristic, whose value is then used."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import lowest
from tabularium_engines.heuristics.base import NO_ACTION, Heuristic, Plan, PlanningHeuristic
from tabularium_engines.search.greedy import pick_best_in_world, value_after_action


def play_out(state: State, rng: Rng) -> i64:
    """Play at random to the end, in place; the number of decisions."""
    decisions: i64 = 0
    while state.to_act != 0:
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
        decisions += 1
    return decisions


def follow(planner: PlanningHeuristic, state: State, seat: i64, plan: Plan, rng: Rng) -> None:
    """Carry out a plan in place, with all that follows from it."""
    for step in plan.steps:
        state.apply(seat, step, rng)
    action = planner.follow_up(state, seat)
    while action != NO_ACTION:
        state.apply(seat, action, rng)
        action = planner.follow_up(state, seat)


def best_plan(plans: list[Plan]) -> Plan:
    """The plan with the highest worth; among equals, the first."""
    best = plans[0]
    for plan in plans:
        if plan.worth > best.worth:
            best = plan
    return best


class Evaluator(metaclass=ABCMeta):
    """Values positions for a search: the last one of a simulation, and untried actions."""

    prior_visits: i64  # visits that a prior value counts for; 0: no priors
    planner: PlanningHeuristic | None  # whose plans are searched, where single actions say little

    @abstractmethod
    def rewards(self, state: State, rng: Rng) -> list[float]:
        """The position's value to each seat, 0 … 1; the state may be changed."""

    def prior_value(self, state: State, seat: i64, action: i64, rng: Rng) -> float:
        """The first estimate of an untried action for its seat, 0 … 1."""
        return 0.0


class RandomRolloutEvaluator(Evaluator):
    """Plays at random to the end: needs no knowledge of the game."""

    def __init__(self) -> None:
        self.prior_visits = 0
        self.planner = None

    def rewards(self, state: State, rng: Rng) -> list[float]:
        play_out(state, rng)
        return state.returns()


class HeuristicEvaluator(Evaluator):
    """Plays by the heuristic until it can evaluate the position, and returns its value."""

    def __init__(self, heuristic: Heuristic) -> None:
        self.prior_visits = 1
        self.planner = heuristic if isinstance(heuristic, PlanningHeuristic) else None
        self._heuristic = heuristic

    def rewards(self, state: State, rng: Rng) -> list[float]:
        decisions: i64 = 0
        while state.to_act != 0 and not self._heuristic.can_evaluate(state, decisions):
            self._play_on(state, lowest(state.to_act), rng)
            decisions += 1
        if state.to_act == 0:
            return state.returns()
        return self._heuristic.values(state)

    def _play_on(self, state: State, seat: i64, rng: Rng) -> None:
        """Take the action or follow the plan that looks best."""
        if self.planner is None:
            state.apply(seat, pick_best_in_world(state, seat, self._heuristic, rng), rng)
        else:
            follow(self.planner, state, seat, best_plan(self.planner.plans(state, seat, True)), rng)

    def prior_value(self, state: State, seat: i64, action: i64, rng: Rng) -> float:
        return value_after_action(state, seat, action, self._heuristic, rng)
