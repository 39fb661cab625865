"""Which action looks best right after it is done, over a few worlds that I might be in?"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import Rng, State

WORLDS: Final[i64] = 12


def look_ahead(root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """The action with the best mean value one decision on; of equals, a random one."""
    legal = root.promising(seat)
    return legal[best_index(outlook(root, seat, legal, heuristic, rng), rng)]


def glance(root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """A random one of the better half of the actions: none that looks absurd."""
    legal = root.promising(seat)
    values = outlook(root, seat, legal, heuristic, rng)
    for _ in range(rng.below((len(legal) + 1) // 2)):
        values[best_index(values, rng)] = -1.0  # overlooked
    return legal[best_index(values, rng)]


def outlook(
    root: State, seat: i64, actions: list[i64], heuristic: Heuristic, rng: Rng
) -> list[float]:
    """What `seat` may hope for after each action, summed over a few worlds."""
    values = [0.0] * len(actions)
    for _ in range(WORLDS):
        world = root.clone()
        world.determinize(seat, rng)
        for index in range(len(actions)):
            values[index] += prospect(world, seat, actions[index], heuristic, rng)
    return values


def favourite(world: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """The action that looks best in this one world; of equals, a random one."""
    legal = world.promising(seat)
    if len(legal) == 1:
        return legal[0]
    values = [prospect(world, seat, action, heuristic, rng) for action in legal]
    return legal[best_index(values, rng)]


def prospect(world: State, seat: i64, action: i64, heuristic: Heuristic, rng: Rng) -> float:
    """What `seat` may hope for right after it did this."""
    after = world.clone()
    after.apply(seat, action, rng)
    return heuristic.value(after, seat)


def best_index(values: list[float], rng: Rng) -> i64:
    """Where the highest value stands; of equals, a random place."""
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
