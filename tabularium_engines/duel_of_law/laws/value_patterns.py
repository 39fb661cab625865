"""Patterns on the values of a line, since version 2: values that never fall, cycles, pairs, sums,
peaks, and sequences from anywhere. One interpreter judges them for cards and for jokers: each looks
back from a value of a print at those before it, from left to right, whichever way the clause is
read."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import seen_value
from tabularium_engines.duel_of_law.laws.number_sets import (
    SEQUENCE_LENGTH,
    ordered_members,
    sequence_member,
)

ANY_VALUE: Final[i64] = -1
NO_VALUE_FITS: Final[i64] = -2


def can_show(clause: i64, size: i64) -> bool:
    """Whether a line of so many cards can show a clause: a cycle begins again, pairs are whole."""
    pattern = codes.pattern_in(clause)
    if pattern == codes.CYCLES:
        return size > codes.value_in(clause)
    return pattern != codes.PAIRS or size & 1 == 0


def keeps_pattern(clause: i64, values: vec[i64], place: i64, size: i64) -> bool:
    """Whether the value at a place fits those before it, in a line of so many cards."""
    pattern = codes.pattern_in(clause)
    if pattern == codes.CYCLES:
        return _keeps_cycle(codes.value_in(clause), values, place)
    if pattern == codes.CONSECUTIVE:
        return _keeps_sequence(clause, values, place)
    if bit(pattern) & codes.TURNING_PATTERNS != 0:
        return _keeps_turn(pattern == codes.DIPS, values, place, size)
    if place == 0:
        return True
    before, value = values[place - 1], values[place]
    if pattern == codes.PAIRS:
        return (seen_value(clause, before) == seen_value(clause, value)) == (place & 1 == 1)
    if pattern == codes.NEVER_FALLS:
        return value >= before
    if pattern == codes.NEVER_RISES:
        return value <= before
    forced = forced_value(clause, values, place)
    return forced in (ANY_VALUE, value)


def forced_value(clause: i64, values: vec[i64], place: i64) -> i64:
    """The only value that fits those before it; ANY_VALUE if the pattern does not determine it,
    NO_VALUE_FITS if there is none."""
    pattern = codes.pattern_in(clause)
    if place == 0:
        return ANY_VALUE
    before, is_backward = values[place - 1], codes.direction_in(clause) == 1
    if pattern == codes.ADDS_TO:
        return _value_or_none(codes.value_in(clause) - before)
    if pattern == codes.DOUBLES:
        if not is_backward:
            return 2 * before
        return before // 2 if before & 1 == 0 else NO_VALUE_FITS
    if pattern == codes.SUM_OF_TWO and place > 1:
        if is_backward:
            return _value_or_none(values[place - 2] - before)
        return values[place - 2] + before
    if pattern == codes.CYCLES and place >= codes.value_in(clause):
        return values[place - codes.value_in(clause)]
    return ANY_VALUE


def _value_or_none(value: i64) -> i64:
    return value if value >= 0 else NO_VALUE_FITS


def _keeps_cycle(period: i64, values: vec[i64], place: i64) -> bool:
    """Whether so many different values come again and again in the same order."""
    if place >= period:
        return values[place] == values[place - period]
    for other in range(place):
        if values[other] == values[place]:
            return False
    return True


def _keeps_turn(is_dip: bool, values: vec[i64], place: i64, size: i64) -> bool:
    """Whether the values rise to a peak inside the line and then fall; or fall, and then rise."""
    if place == 0:
        return size > 2
    is_first_way = _rises(values, place) != is_dip
    if values[place] == values[place - 1]:
        return False
    if is_first_way:
        return place < size - 1 and not has_turned(is_dip, values, place)
    return place > 1


def _rises(values: vec[i64], place: i64) -> bool:
    return values[place] > values[place - 1]


def has_turned(is_dip: bool, values: vec[i64], place: i64) -> bool:
    """Whether the values before a place have begun to fall (after a dip, to rise)."""
    return place > 1 and _rises(values, place - 1) == is_dip


def _keeps_sequence(clause: i64, values: vec[i64], place: i64) -> bool:
    """Whether the values are members of a sequence, one after the other, from anywhere on."""
    members = ordered_members(codes.value_in(clause), codes.feature_in(clause))
    length: i64 = len(members)
    for start in range(length):
        if _is_run(members, start, codes.direction_in(clause) == 1, values, place):
            return True
    return False


def _is_run(members: list[i64], start: i64, is_backward: bool, values: vec[i64], last: i64) -> bool:
    length: i64 = len(members)
    for place in range(last + 1):
        spot = (start - place) % length if is_backward else (start + place) % length
        if members[spot] != values[place]:
            return False
    return True


def can_become_pairs(values: vec[i64]) -> bool:
    """Whether values may be pairs once more cards lie at their ends; negative ones are open."""
    size: i64 = len(values)
    for shift in range(2):
        is_kept = True
        for place in range(1, size):
            before, value = values[place - 1], values[place]
            if before >= 0 and value >= 0 and (before == value) != ((place + shift) & 1 == 1):
                is_kept = False
        if is_kept:
            return True
    return False


def can_become_sequence(clause: i64, values: vec[i64]) -> bool:
    """Whether values may follow a sequence once more cards lie at their ends; negative ones are
    open."""
    size: i64 = len(values)
    for start in range(SEQUENCE_LENGTH - size + 1):
        if _is_part_of_sequence(clause, values, start):
            return True
    return False


def _is_part_of_sequence(clause: i64, values: vec[i64], start: i64) -> bool:
    """Whether these are the members of a sequence from a place on, in the clause's direction."""
    sequence, feature = codes.value_in(clause), codes.feature_in(clause)
    is_backward, last = codes.direction_in(clause) == 1, i64(len(values)) - 1
    for place in range(last + 1):
        value = values[last - place if is_backward else place]
        if value >= 0 and value != sequence_member(sequence, feature, start + place):
            return False
    return True
