"""Greedy search: the action that looks best one decision ahead, averaged over a few
determinizations; or the first action of the plan that looks best."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import has
from tabularium_engines.heuristics.base import Heuristic, Plan, PlanningHeuristic
from tabularium_engines.search.node import WAIT

WORLD_COUNT: Final[i64] = 12


class WeighedActions:
    """The actions worth considering, and waiting if the game does not wait for the seat; each with
    its value, summed over a few worlds."""

    def __init__(self, root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> None:
        if isinstance(heuristic, PlanningHeuristic):
            plans = heuristic.plans(root, seat, False)
            self.actions: list[i64] = first_actions(plans)
            self.values: list[float] = [
                float(WORLD_COUNT) * _best_worth(plans, action) for action in self.actions
            ]
        else:
            self.actions = root_options(root, seat)
            self.values = action_values(root, seat, self.actions, heuristic, rng)


def pick_best_action(root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """The action with the best mean value one decision ahead; ties are broken at random, but none
    is worth an action for which the game does not wait."""
    weighed = WeighedActions(root, seat, heuristic, rng)
    options, values = weighed.actions, weighed.values
    best = best_index(values, rng)
    last: i64 = len(options) - 1
    return WAIT if options[last] == WAIT and values[last] == values[best] else options[best]


def pick_decent_action(root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """A random action from the better half: none that looks absurd."""
    weighed = WeighedActions(root, seat, heuristic, rng)
    options, values = weighed.actions, weighed.values
    for _ in range(rng.below((len(options) + 1) // 2)):
        values[best_index(values, rng)] = -1.0  # overlooked
    return options[best_index(values, rng)]


def first_actions(plans: list[Plan]) -> list[i64]:
    """The first actions of plans, each once."""
    found: list[i64] = []
    for plan in plans:
        if plan.steps[0] not in found:
            found.append(plan.steps[0])
    return found


def _best_worth(plans: list[Plan], action: i64) -> float:
    """The worth of the best plan that begins with an action."""
    best = -1.0
    for plan in plans:
        if plan.steps[0] == action:
            best = max(best, plan.worth)
    return best


def root_options(root: State, seat: i64) -> list[i64]:
    """The actions worth considering, and waiting if the game does not wait for the seat."""
    if has(root.to_act, seat):
        return root.promising_actions(seat)
    return [*root.promising_actions(seat), WAIT]


def action_values(
    root: State, seat: i64, actions: list[i64], heuristic: Heuristic, rng: Rng
) -> list[float]:
    """The heuristic value to `seat` after each action, summed over a few worlds."""
    values = [0.0] * len(actions)
    for _ in range(WORLD_COUNT):
        world = root.clone()
        world.determinize(seat, rng)
        for index in range(len(actions)):
            values[index] += value_after_action(world, seat, actions[index], heuristic, rng)
    return values


def pick_best_in_world(world: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """The action that looks best in this one world; ties are broken at random."""
    legal = world.promising_actions(seat)
    if len(legal) == 1:
        return legal[0]
    values = [value_after_action(world, seat, action, heuristic, rng) for action in legal]
    return legal[best_index(values, rng)]


def value_after_action(
    world: State, seat: i64, action: i64, heuristic: Heuristic, rng: Rng
) -> float:
    """The heuristic value to `seat` right after the action; after waiting, of the world as it
    is."""
    if action == WAIT:
        return heuristic.value(world, seat)
    after = world.clone()
    after.apply(seat, action, rng)
    return heuristic.value(after, seat)


def best_index(values: list[float], rng: Rng) -> i64:
    """The index of the highest value; ties are broken at random."""
    best: i64 = 0
    equals: i64 = 0
    for index in range(len(values)):
        if values[index] > values[best]:
            best = index
            equals = 1
        elif values[index] == values[best]:
            equals += 1
            if rng.below(equals) == 0:
                best = index
    return best
