"""Which action looks best right after it is done, over a few worlds that I might be in?"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import Rng, State

WORLDS: Final[i64] = 12


def look_ahead(root: State, seat: i64, heuristic: Heuristic, rng: Rng) -> i64:
    """The action with the best mean value one decision on; of equals, a random one."""
    legal = root.legal_actions(seat)
    values = [0.0] * len(legal)
    for _ in range(WORLDS):
        world = root.clone()
        world.determinize(seat, rng)
        for index in range(len(legal)):
            after = world.clone()
            after.apply(seat, legal[index], rng)
            values[index] += heuristic.value(after, seat)
    return legal[best_index(values, rng)]


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
