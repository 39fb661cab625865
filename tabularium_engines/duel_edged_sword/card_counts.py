"""Cards as counts: a heap of cards is a set of Completes and a tally of the other kinds, one number
with four bits for each of the eleven."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, members, nth
from tabularium_engines.duel_edged_sword.cards import KIND_COUNT, face_of

ALL_COMPLETES: Final[i64] = 0x7FFFFFF
ALL_SINGLES: Final[i64] = 0x444444444  # four of each of nine kinds
ALL_LOGICAL: Final[i64] = 0xAA000000000  # ten Trues and ten Falses
ALL_KINDS: Final[i64] = ALL_SINGLES | ALL_LOGICAL
SINGLES_MASK: Final[i64] = 0xFFFFFFFFF
LOGICAL_MASK: Final[i64] = 0xFF000000000

# Adding 5 to a four-bit count sets its highest bit from 3 on; adding 4 does so from 4 on.
_FIVE_OF_EACH: Final[i64] = 0x55555555555
_FOUR_OF_EACH: Final[i64] = 0x44444444444
_HIGH_BITS: Final[i64] = 0x88888888888


def single_tally(kind: i64) -> i64:
    """The tally of a single card."""
    return bit(4 * kind)


def has_three(tally: i64) -> bool:
    """Whether there are three or more of any kind."""
    return (tally + _FIVE_OF_EACH) & _HIGH_BITS != 0


def has_four(tally: i64) -> bool:
    """Whether there are four or more of any kind."""
    return (tally + _FOUR_OF_EACH) & _HIGH_BITS != 0


def heap_size(completes: i64, tally: i64) -> i64:
    """The number of cards in a heap."""
    size = count(completes)
    while tally != 0:
        size += tally & 0xF
        tally >>= 4
    return size


def face_at(completes: i64, tally: i64, place: i64) -> i64:
    """The face of the card at an index of the sorted heap; it must exist."""
    singular = count(completes)
    if place < singular:
        return nth(completes, place)
    place -= singular
    kind: i64 = 0
    while place >= tally & 0xF:
        place -= tally & 0xF
        tally >>= 4
        kind += 1
    return face_of(kind)


def faces_in(completes: i64, tally: i64) -> list[i64]:
    """The faces of all cards in a heap, ascending."""
    found = members(completes)
    for kind in range(KIND_COUNT):
        found += [face_of(kind)] * ((tally >> 4 * kind) & 0xF)
    return found
