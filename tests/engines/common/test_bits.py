"""Bit masks: they agree with Python sets."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tabularium_engines.common import bits

MEMBERS = st.sets(st.integers(0, 59))


def mask_of(numbers: set[int]) -> int:
    """The same set as a bit mask."""
    return sum(1 << number for number in numbers)


@pytest.mark.parametrize("n", range(60))
def test_bit_is_the_set_of_one(n: int) -> None:
    assert bits.bit(n) == 1 << n
    assert bits.lowest(bits.bit(n)) == n
    assert bits.count(bits.bit(n)) == 1


@pytest.mark.parametrize("n", range(61))
def test_first_n_is_the_set_of_all_smaller_numbers(n: int) -> None:
    assert bits.first_n(n) == mask_of(set(range(n)))
    assert bits.count(bits.first_n(n)) == n


@given(MEMBERS)
def test_members_are_ascending_and_all(numbers: set[int]) -> None:
    assert bits.members(mask_of(numbers)) == sorted(numbers)
    assert bits.count(mask_of(numbers)) == len(numbers)


@given(MEMBERS, st.integers(0, 59))
def test_has_is_membership(numbers: set[int], n: int) -> None:
    assert bits.has(mask_of(numbers), n) == (n in numbers)


@given(MEMBERS)
def test_nth_and_lowest_follow_the_ascending_order(numbers: set[int]) -> None:
    assume(numbers)
    mask = mask_of(numbers)
    assert bits.lowest(mask) == min(numbers)
    assert [bits.nth(mask, k) for k in range(len(numbers))] == sorted(numbers)


def test_the_empty_set_has_no_members() -> None:
    assert bits.members(0) == []
    assert bits.count(0) == 0
