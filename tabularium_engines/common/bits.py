"""Bit masks as sets of small numbers (cards, seats): one integer per set, up to 60 members."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

_HIGHEST_BIT: Final[i64] = 1 << 60


def bit(n: i64) -> i64:
    """The set {n}. Compiled code shifts a literal in 32 bits, so this shifts a constant down."""
    return _HIGHEST_BIT >> (60 - n)


def first_n(n: i64) -> i64:
    """The set {0 … n-1}."""
    return bit(n) - 1


def has(mask: i64, n: i64) -> bool:
    """Whether n is a member."""
    return (mask >> n) & 1 == 1


def _counts_by_byte(mask: i64) -> i64:
    """The number of members in each group of eight, a byte for each."""
    # The first literal stays below 2^62: compiled code boxes a larger one.
    mask = mask - ((mask >> 1) & 0x0555555555555555)
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    return (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F


def count(mask: i64) -> i64:
    """The number of members."""
    mask = _counts_by_byte(mask)
    mask = mask + (mask >> 8)
    mask = mask + (mask >> 16)
    mask = mask + (mask >> 32)
    return mask & 0x7F


def lowest(mask: i64) -> i64:
    """The smallest member of a set that is not empty."""
    n: i64 = 0
    if mask & 0xFFFFFFFF == 0:
        n = 32
        mask >>= 32
    if mask & 0xFFFF == 0:
        n += 16
        mask >>= 16
    if mask & 0xFF == 0:
        n += 8
        mask >>= 8
    if mask & 0xF == 0:
        n += 4
        mask >>= 4
    if mask & 0x3 == 0:
        n += 2
        mask >>= 2
    return n + 1 - (mask & 1)


def nth(mask: i64, k: i64) -> i64:
    """The member with k smaller ones."""
    passed: i64 = 0
    if k > 7:  # then pass whole groups of eight first
        counts = _counts_by_byte(mask)
        while k >= counts & 0xF:
            k -= counts & 0xF
            counts >>= 8
            passed += 8
        mask >>= passed
    while k > 0:
        mask &= mask - 1
        k -= 1
    return passed + lowest(mask)


def members(mask: i64) -> list[i64]:
    """All members, ascending."""
    found: list[i64] = []
    while mask != 0:
        found.append(lowest(mask))
        mask &= mask - 1
    return found
