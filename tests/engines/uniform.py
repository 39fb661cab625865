"""Uniformity of random actions, by Pearson's chi-square with a bound of many standard
deviations."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from games.engines.base import State
from games.engines.common.rng import FastRng

SIGMAS = 5


def assert_uniform(state: State, seat: int, throws: int, seed: int) -> None:
    """A random player chooses every legal action equally often, and no other; there are `throws`
    throws for each."""
    legal = state.legal_actions(seat)
    rng = FastRng(seed)
    chosen = Counter(state.random_action(seat, rng) for _ in range(throws * len(legal)))
    assert set(chosen) == set(legal)
    freedom = len(legal) - 1
    chi_square = sum((chosen[action] - throws) ** 2 / throws for action in legal)
    assert chi_square <= freedom + SIGMAS * sqrt(2 * freedom) + SIGMAS**2
