"""A reader of one clause: it reads a line of regular cards from one end on, card by card, and keeps
of the cards before no more than the clause needs to judge those that follow.

This *memory* is a state of the automaton that accepts the lines of the clause. Two beginnings with
the same memory can be continued in the same ways, so a search through all lines, however long, ends
when it meets no new memories. Patterns that compare neighbours remember the last one or two values,
cycles a whole round, words a node of the lexicon, sequences their place.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import card_set, is_passed_by_all
from tabularium_engines.duel_of_law.laws.joker_solver import can_follow, monotone_range
from tabularium_engines.duel_of_law.laws.number_sets import SEQUENCE_LENGTH, sequence_member
from tabularium_engines.duel_of_law.laws.value_patterns import has_turned, keeps_pattern
from tabularium_engines.duel_of_law.spelling_lexicon import load_lexicon

BROKEN: Final[int] = -1  # the memory of a clause that no further card mends

_PAIR_PATTERNS: Final[i64] = (  # neighbours are compared: the last value is remembered
    codes.MONOTONE_PATTERNS
    | codes.NEVER_PATTERNS
    | codes.STEP_PATTERNS
    | bit(codes.ADDS_TO)
    | bit(codes.DOUBLES)
)
_CYCLE_BITS: Final[i64] = 6  # of a value in the memory of a round
_VALUE_BITS: Final[i64] = 7


def reversed_clause(clause: i64) -> i64:
    """The clause as it is read from the other end of the line."""
    pattern = codes.pattern_in(clause)
    if bit(pattern) & codes.NEVER_PATTERNS != 0:
        other = codes.NEVER_FALLS + codes.NEVER_RISES - pattern
        return codes.encode_clause(codes.feature_in(clause), other)
    return clause ^ bit(24)


_PLACES_CACHE: Final[dict[tuple[i64, i64, i64], int]] = {}


def _places_of(value: i64, sequence: i64, feature: i64) -> int:
    """The places at which a sequence has a value, as bits."""
    places = _PLACES_CACHE.get((value, sequence, feature))
    if places is None:
        places = 0
        for place in range(SEQUENCE_LENGTH):
            if sequence_member(sequence, feature, place) == value:
                places |= 1 << int(place)
        _PLACES_CACHE[value, sequence, feature] = places
    return places


class ClauseReader:
    """The cards read so far, as the values that the clause sees, and the memory after each."""

    def __init__(self, clause: i64, law: vec[i64], is_from_right: bool) -> None:
        self.said: i64 = clause
        self.clause: i64 = reversed_clause(clause) if is_from_right else clause
        self.pattern: i64 = codes.pattern_in(clause)
        self.is_backward: bool = codes.direction_in(self.clause) == 1
        self._row: i64 = features.print_of(clause) * CARD_COUNT
        self._is_counting: bool = (
            codes.feature_in(clause) == codes.RANK and codes.counts(clause)  # R20
        )
        self._ends: i64 = monotone_range(law, clause)
        self.period: i64 = 0  # of values that recur
        if self.pattern == codes.ALTERNATES:
            self.period = 2
        elif self.pattern == codes.CYCLES:
            self.period = codes.value_in(clause)
        self.values: vec[i64] = vec[i64]()
        self.memories: list[int] = [self._first_memory()]  # by number of cards read

    def read(self, place: i64, card: i64) -> bool:
        """Read a card behind so many others; whether the clause can still be kept."""
        if place == len(self.values):
            self.values = append(self.values, 0)
            self.memories.append(BROKEN)
        value = features.PRINTED_VALUES[self._row + card]
        self.values[place] = value
        memory = BROKEN
        if self.memories[place] != BROKEN and self._is_legible(value):
            memory = self._next_memory(place, card)
        self.memories[place + 1] = memory
        return memory != BROKEN

    def can_see(self, card: i64) -> bool:
        """Whether the clause can hold on a line with this card."""
        return self._is_legible(features.PRINTED_VALUES[self._row + card])

    def seen(self, place: i64) -> i64:
        """The value of a card that was read, as the clause sees it."""
        return features.seen_value(self.clause, self.values[place])

    def _is_legible(self, value: i64) -> bool:
        if self.pattern == codes.IS:
            return True
        return value >= 0 and not (self._is_counting and value >= features.FIRST_FACE_RANK)

    def _first_memory(self) -> int:
        if self.pattern == codes.WORD:
            return load_lexicon().roots[codes.direction_in(self.clause)]
        if self.pattern == codes.FOLLOWS and self.is_backward:
            return (1 << int(SEQUENCE_LENGTH)) - 1
        return 0

    def _next_memory(self, place: i64, card: i64) -> int:
        """The memory after a card that the clause can see; BROKEN if it breaks the clause."""
        pattern, clause, values = self.pattern, self.clause, self.values
        if pattern == codes.IS:
            return 0 if is_passed_by_all(clause, card_set(vec[i64]([card]))) else BROKEN
        if pattern == codes.WORD:
            return load_lexicon().step(self.memories[place], values[place])
        if pattern == codes.STARTS:
            return self._memory_of_start(place)
        if pattern == codes.FOLLOWS:
            return self._memory_of_sequence(place)
        if pattern == codes.ALTERNATES:
            return self._memory_of_turns(place)
        if pattern >= codes.NEVER_FALLS:
            is_kept = keeps_pattern(clause, values, place, place + 3)  # the line may go on
            return self._memory_of_pattern(place) if is_kept else BROKEN
        return values[place] if self._may_follow(place) else BROKEN

    def _may_follow(self, place: i64) -> bool:
        if place == 0:
            return True
        before, value = self.values[place - 1], self.values[place]
        if self.is_backward:
            return can_follow(self.clause, self._ends, value, before)
        return can_follow(self.clause, self._ends, before, value)

    def _memory_of_start(self, place: i64) -> int:
        """Whether the last card may be the end at which a line starts."""
        is_start = self.values[place] == features.start_number(self.clause)
        if self.is_backward:
            return 1 if is_start else 0
        return 0 if is_start or place > 0 else BROKEN

    def _memory_of_sequence(self, place: i64) -> int:
        """The number of cards from the beginning; or, as bits, the places at which the last card
        may be, of a sequence that begins at the other end."""
        value, clause = self.values[place], self.clause
        sequence, feature = codes.value_in(clause), codes.feature_in(clause)
        if not self.is_backward:
            if place >= SEQUENCE_LENGTH or sequence_member(sequence, feature, place) != value:
                return BROKEN
            return place + 1
        places = self.memories[place] >> int(place > 0) & _places_of(value, sequence, feature)
        return places if places != 0 else BROKEN

    def _memory_of_turns(self, place: i64) -> int:
        """The last two values of those that alternate, as the clause sees them."""
        last = features.seen_value(self.clause, self.values[place])
        if last < 0:
            return BROKEN
        if place == 0:
            return last + 1
        before = features.seen_value(self.clause, self.values[place - 1])
        if last == before:
            return BROKEN
        if place > 1 and features.seen_value(self.clause, self.values[place - 2]) != last:
            return BROKEN
        return (before + 1) << _VALUE_BITS | (last + 1)

    def _memory_of_pattern(self, place: i64) -> int:
        """The memory of a pattern on values that is kept."""
        pattern, values = self.pattern, self.values
        if bit(pattern) & _PAIR_PATTERNS != 0:
            return values[place]
        if bit(pattern) & codes.TURNING_PATTERNS != 0:
            turned = has_turned(pattern == codes.DIPS, values, place + 1)
            return (values[place] * 2 + i64(turned)) * 2 + i64(place > 0)
        if pattern == codes.PAIRS:
            return values[place] * 2 + (place & 1)
        if pattern == codes.CYCLES:
            return self._memory_of_round(place)
        before = values[place - 1] + 1 if place > 0 else 0  # a sum of two, or consecutive members
        return before << _VALUE_BITS | (values[place] + 1)

    def _memory_of_round(self, place: i64) -> int:
        """The last values of a cycle, and whether it has begun again."""
        period = self.period
        has_begun_again = place >= period
        memory = i64(has_begun_again)
        for at in range(max(0, place + 1 - period), place + 1):
            memory = memory << _CYCLE_BITS | (self.values[at] + 1)
        return memory


def may_recur(near: ClauseReader, near_count: i64, far: ClauseReader, far_count: i64) -> bool:
    """Whether both ends may be of one line in which values recur: each has the same neighbours
    wherever it comes, and there are no more values than the period has."""
    after: dict[i64, i64] = {}
    before: dict[i64, i64] = {}
    for place in range(1, near_count):
        if not _add_neighbours(after, before, near.seen(place - 1), near.seen(place)):
            return False
    for place in range(1, far_count):
        if not _add_neighbours(after, before, far.seen(place), far.seen(place - 1)):
            return False
    values = {**after, **before}
    for reader, count in ((near, near_count), (far, far_count)):
        if count == 1:
            values[reader.seen(0)] = 0
    return len(values) <= near.period


def _add_neighbours(after: dict[i64, i64], before: dict[i64, i64], one: i64, other: i64) -> bool:
    """Note that one value comes before another; whether it does so everywhere."""
    if after.get(one, other) != other or before.get(other, one) != one:
        return False
    after[one] = other
    before[other] = one
    return True
