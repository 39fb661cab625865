"""Random number generators: `FastRng` is uniform and the same compiled and interpreted, and
recorded draws are replayed."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabularium_engines.base import Rng
from tabularium_engines.common.random_generators import (
    DrawMismatch,
    FastRng,
    RecordingRng,
    ReplayingRng,
)

PINNED = {
    0: 690159769,
    1: 746184236,
    -1: 830751784,
    2**40 + 3: 880476145,
}  # by seed: the first draw below 10^9
PINNED_ROW = [0, 1, 10, 2, 627, 582580330]

SEEDS = st.integers(-(2**62), 2**62)
DRAWS = st.lists(
    st.integers(1, 2**20).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n)))
)


class ListedRng(Rng):
    """A random number generator that returns these values in order."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def below(self, limit: int) -> int:
        return self.values.pop(0)


# -- FastRng --------------------------------------------------------------------------------------


@given(SEEDS, st.lists(st.integers(1, 2**31), max_size=50))
def test_draws_are_in_range(seed: int, limits: list[int]) -> None:
    rng = FastRng(seed)
    assert all(0 <= rng.below(limit) < limit for limit in limits)


@given(SEEDS)
def test_the_same_seed_gives_the_same_draws(seed: int) -> None:
    first, second = FastRng(seed), FastRng(seed)
    assert [first.below(52) for _ in range(20)] == [second.below(52) for _ in range(20)]


def test_the_draws_are_pinned_compiled_and_interpreted() -> None:
    assert {seed: int(FastRng(seed).below(10**9)) for seed in PINNED} == PINNED
    rng = FastRng(7)
    assert [int(rng.below(limit)) for limit in (2, 6, 20, 52, 1000, 2**31)] == PINNED_ROW


@pytest.mark.parametrize("limit", [2, 3, 4, 6, 13, 20, 52, 1000])
def test_every_number_is_equally_frequent(limit: int) -> None:
    rng = FastRng(limit)
    expected = 400
    counts = Counter(int(rng.below(limit)) for _ in range(expected * limit))
    chi_square = sum((counts[number] - expected) ** 2 / expected for number in range(limit))
    assert abs(chi_square - (limit - 1)) <= 5 * sqrt(2 * limit)


@pytest.mark.parametrize("distance", [1, 2, 3])
def test_draws_are_independent_of_earlier_draws(distance: int) -> None:
    rng = FastRng(99)
    draws = [int(rng.below(6)) for _ in range(40_000)]
    pairs = Counter(zip(draws, draws[distance:], strict=False))
    expected = (len(draws) - distance) / 36
    chi_square = sum((pairs[a, b] - expected) ** 2 / expected for a in range(6) for b in range(6))
    assert abs(chi_square - 35) <= 5 * sqrt(2 * 35)


def test_neighbouring_seeds_are_independent() -> None:
    counts = Counter(int(FastRng(seed).below(52)) for seed in range(52 * 200))
    chi_square = sum((counts[number] - 200) ** 2 / 200 for number in range(52))
    assert abs(chi_square - 51) <= 5 * sqrt(2 * 51)


# -- recording and replaying ----------------------------------------------------------------------


@given(DRAWS)
def test_recorded_draws_are_replayed(draws: list[tuple[int, int]]) -> None:
    recorder = RecordingRng(ListedRng([value for value, _ in draws]))
    assert [recorder.below(limit) for _, limit in draws] == [value for value, _ in draws]
    assert recorder.draws == draws
    replaying = ReplayingRng(recorder.draws)
    assert [replaying.below(limit) for _, limit in draws] == [value for value, _ in draws]
    replaying.finish()


def test_another_limit_is_refused() -> None:
    with pytest.raises(DrawMismatch, match="draw below 8, the log says 3 of 6"):
        ReplayingRng([(3, 6)]).below(8)


@pytest.mark.parametrize("value", [6, 7, -1])
def test_an_impossible_value_is_refused(value: int) -> None:
    with pytest.raises(DrawMismatch, match=f"{value} of 6"):
        ReplayingRng([(value, 6)]).below(6)


def test_a_missing_draw_is_refused() -> None:
    rng = ReplayingRng([(3, 6)])
    rng.below(6)
    with pytest.raises(DrawMismatch, match="no more draws"):
        rng.below(6)


def test_an_unused_draw_is_refused() -> None:
    rng = ReplayingRng([(3, 6), (1, 2)])
    rng.below(6)
    with pytest.raises(DrawMismatch, match="1 draws that the rules do not make"):
        rng.finish()
