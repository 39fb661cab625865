"""Uniformity of random actions, by Pearson's chi-square with a bound of many standard
deviations."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from tabularium_engines.base import State
from tabularium_engines.common.random_generators import FastRng

SIGMAS = 5


def assert_uniform(state: State, seat: int, calls_per_action: int, seed: int) -> None:
    """`random_action` chooses every legal action equally often, and no other; it is called
    `calls_per_action` times for each."""
    legal_actions = state.legal_actions(seat)
    rng = FastRng(seed)
    counts = Counter(
        state.random_action(seat, rng) for _ in range(calls_per_action * len(legal_actions))
    )
    assert set(counts) == set(legal_actions)
    degrees_of_freedom = len(legal_actions) - 1
    chi_square = sum(
        (counts[action] - calls_per_action) ** 2 / calls_per_action for action in legal_actions
    )
    assert chi_square <= degrees_of_freedom + SIGMAS * sqrt(2 * degrees_of_freedom) + SIGMAS**2
