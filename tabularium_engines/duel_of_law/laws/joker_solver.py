"""The joker solver: whether a law holds on a line of cards, and the values that it leaves to
jokers. It finds the values of the jokers with which the line follows the law, for one printed
property of the cards at a time.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, has, members
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import clause_catalogue as catalogue
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import (
    card_set,
    is_passed_by_all,
    is_regular,
    value_range,
)
from tabularium_engines.duel_of_law.laws.clause_catalogue import set_members
from tabularium_engines.duel_of_law.laws.clauses_on_line import holds_without_jokers
from tabularium_engines.duel_of_law.laws.number_sets import sequence_member
from tabularium_engines.duel_of_law.laws.possible_joker_values import (
    naming_clause,
    open_values,
    restrict_joker,
    slot_of,
)
from tabularium_engines.duel_of_law.laws.value_patterns import (
    ANY_VALUE,
    can_show,
    forced_value,
    has_turned,
    keeps_pattern,
)
from tabularium_engines.duel_of_law.spelling_lexicon import NO_NODE, load_lexicon

# patterns that examine a card alone, or its place
SINGLE_CARD_PATTERNS: Final[i64] = bit(codes.IS) | bit(codes.STARTS) | bit(codes.FOLLOWS)
# those in which no two neighbours are alike
UNLIKE_PATTERNS: Final[i64] = (
    codes.MONOTONE_PATTERNS
    | codes.STEP_PATTERNS
    | codes.TURNING_PATTERNS
    | bit(codes.ALTERNATES)
    | bit(codes.CYCLES)
)
# those by which a value comes again further on
REPEATING_PATTERNS: Final[i64] = bit(codes.PALINDROME) | bit(codes.CYCLES)
# patterns that look past a neighbour; a turn is part of the state that is remembered
LONG_RANGE_PATTERNS: Final[i64] = bit(codes.PALINDROME) | (
    codes.JOINT_PATTERNS & ~codes.TURNING_PATTERNS
)


def looks_past_neighbour(clause: i64) -> bool:
    """Whether a value may suit the one before it, and yet not an earlier one. Where a clause sees
    only two values, each is alike to the one before the last if it is unlike the last."""
    if codes.pattern_in(clause) == codes.ALTERNATES:
        return not features.has_two_looks(clause)
    return LONG_RANGE_PATTERNS & bit(codes.pattern_in(clause)) != 0


def monotone_range(law: vec[i64], clause: i64) -> i64:
    """Both ends of the values under this law, where rising or falling may begin again; else 0."""
    if bit(codes.pattern_in(clause)) & codes.MONOTONE_PATTERNS == 0:
        return 0
    return value_range(law, codes.feature_in(clause))


class JokerSolver:
    """One print along a line. `values` holds the value of each card, once `solve` has found it."""

    def __init__(self, line: vec[i64], which: i64, wilds: vec[i64], law: vec[i64]) -> None:
        self.line: vec[i64] = line
        self.which: i64 = which
        self.wilds: vec[i64] = wilds
        self.size: i64 = len(line)
        self.values: vec[i64] = line[:]
        self._clauses: vec[i64] = vec[i64]()
        self._ends: vec[i64] = vec[i64]()  # by clause, both ends of the range
        self._patterns: i64 = 0
        self._is_local = True  # what fits behind a value depends on that value, and on a turn
        self._word_nodes: vec[i64] = vec[i64]()  # by place and direction, a word's node
        self._dead_ends: vec[i64] = vec[i64]()  # by place and value: nothing fits behind it
        self._fitting: vec[i64] = vec[i64]()  # by place, two words: the values that suit it
        self._add_clauses(law)

    def _add_clauses(self, law: vec[i64]) -> None:
        """Add all clauses of a law that examine this print."""
        for clause in law:
            if features.print_of(clause) == self.which:
                self._clauses = append(self._clauses, clause)
                self._ends = append(self._ends, monotone_range(law, clause))
                self._patterns |= bit(codes.pattern_in(clause))
                if looks_past_neighbour(clause):
                    self._is_local = False
        if self._patterns & bit(codes.WORD) != 0:
            roots = load_lexicon().roots
            self._word_nodes = vec[i64]([0] * (2 * self.size + 2))
            self._word_nodes[0], self._word_nodes[1] = roots[0], roots[1]

    def has_only_is_clauses(self) -> bool:
        """Whether each clause examines one card, so that no joker need be certain."""
        return self._patterns == bit(codes.IS)

    def solve(self) -> bool:
        """Whether all clauses can hold at once; of several solutions, the lowest from the left is
        found."""
        if not self.is_legible():
            return False
        for index in range(len(self._clauses)):  # quick, while trying values may take long
            if self.breaks_clause(self._clauses[index], self._ends[index]):
                return False
        jokers = [card for card in self.line if card >= REGULAR_COUNT]
        if self._is_local and len(jokers) > 1:
            self._dead_ends = vec[i64]([0] * (2 * self.size * features.VALUE_SPAN))
        if self._patterns & REPEATING_PATTERNS != 0 and len(jokers) > 1:
            self._find_fitting()
        return self._solve_from(0)

    def _find_fitting(self) -> None:
        """Find the values that each place may have for clauses that examine it alone."""
        self._fitting = vec[i64]([0] * (2 * self.size))
        for place in range(self.size):
            values = [self.values[place]]
            if self.line[place] >= REGULAR_COUNT:
                values = open_values(self.wilds, self.line[place], self.which)
            for value in values:
                if self._fits_alone(place, value):
                    word = 2 * place + value // catalogue.BITS_PER_WORD
                    self._fitting[word] = self._fitting[word] | bit(value % catalogue.BITS_PER_WORD)

    def _fits_alone(self, place: i64, value: i64) -> bool:
        for index in range(len(self._clauses)):
            clause = self._clauses[index]
            is_alone = bit(codes.pattern_in(clause)) & SINGLE_CARD_PATTERNS != 0
            if is_alone and not self._is_clause_kept(clause, self._ends[index], place, value):
                return False
        return True

    def _is_fitting(self, place: i64, value: i64) -> bool:
        """Whether a place may have this value, as far as is known; as long as nothing is, any."""
        if len(self._fitting) == 0:
            return True
        word = 2 * place + value // catalogue.BITS_PER_WORD
        return has(self._fitting[word], value % catalogue.BITS_PER_WORD)

    def is_legible(self) -> bool:
        """Whether each regular card has this print; if so, `values` holds their values."""
        for place in range(self.size):
            if self.line[place] < REGULAR_COUNT:
                value = features.PRINTED_VALUES[self.which * CARD_COUNT + self.line[place]]
                self.values[place] = value
                if value < 0:
                    return False
        return True

    def breaks_clause(self, clause: i64, ends: i64) -> bool:
        """Whether regular cards, which are legible, break a clause regardless of the jokers."""
        if not can_show(clause, self.size) or self._is_torn(clause):
            return True
        if codes.pattern_in(clause) == codes.CYCLES and self._breaks_cycle(codes.value_in(clause)):
            return True
        for place in range(self.size):
            is_certain = self._is_certain(clause, place)
            if is_certain and not self._is_clause_kept(clause, ends, place, self.values[place]):
                return True
        return False

    def _is_torn(self, clause: i64) -> bool:
        """Whether both cards in the middle would have to be equal, and must not be."""
        if codes.pattern_in(clause) != codes.PALINDROME or self.size & 1 == 1:
            return False
        return self._patterns & UNLIKE_PATTERNS != 0 and features.sees_all(clause)

    def _breaks_cycle(self, period: i64) -> bool:
        """Whether regular cards are wrongly alike or unlike."""
        for place in range(self.size):
            for other in range(place):
                if self.line[place] < REGULAR_COUNT and self.line[other] < REGULAR_COUNT:
                    is_alike = self.values[place] == self.values[other]
                    if is_alike != ((place - other) % period == 0):
                        return True
        return False

    def _is_certain(self, clause: i64, place: i64) -> bool:
        """Whether no joker is among the cards that the clause compares at this place."""
        pattern = codes.pattern_in(clause)
        if pattern == codes.WORD or self.line[place] >= REGULAR_COUNT:
            return False
        if bit(pattern) & SINGLE_CARD_PATTERNS != 0:
            return True
        if pattern == codes.PALINDROME:
            return self.line[self.size - 1 - place] < REGULAR_COUNT
        if bit(pattern) & codes.JOINT_PATTERNS != 0:
            return self._is_certain_before(place)
        if pattern == codes.ALTERNATES and place > 1 and self.line[place - 2] >= REGULAR_COUNT:
            return False
        return place == 0 or self.line[place - 1] < REGULAR_COUNT

    def _is_certain_before(self, place: i64) -> bool:
        """Whether no joker is before a place."""
        for other in range(place):
            if self.line[other] >= REGULAR_COUNT:
                return False
        return True

    def _solve_from(self, place: i64) -> bool:
        while place < self.size and self.line[place] < REGULAR_COUNT:
            if not self.try_put(place, self.values[place]):
                return False
            place += 1
        if place == self.size:
            return True
        forced = self._forced_value(place)
        for value in open_values(self.wilds, self.line[place], self.which):
            if forced != ANY_VALUE and value != forced:
                continue
            if self.try_put(place, value) and self._can_continue(place, value):
                return True
        return False

    def _forced_value(self, place: i64) -> i64:
        """The only value that one of the clauses allows after those before it, or ANY_VALUE."""
        for clause in self._clauses:
            forced = forced_value(clause, self.values, place)
            if codes.pattern_in(clause) == codes.CYCLES and forced == ANY_VALUE:
                forced = self._value_one_round_later(codes.value_in(clause), place)
            if forced != ANY_VALUE:
                return forced
        return ANY_VALUE

    def _value_one_round_later(self, period: i64, place: i64) -> i64:
        """The value of a regular card in a later round of a cycle, or ANY_VALUE."""
        while place < self.size:
            if self.line[place] < REGULAR_COUNT:
                return self.values[place]
            place += period
        return ANY_VALUE

    def _can_continue(self, place: i64, value: i64) -> bool:
        """Whether the rest of the line fits behind this value of a joker."""
        if len(self._dead_ends) == 0:
            return self._solve_from(place + 1)
        spot = 2 * (place * features.VALUE_SPAN + value) + self._turns_before(place + 1)
        if self._dead_ends[spot] == 0 and self._solve_from(place + 1):
            return True
        self._dead_ends[spot] = 1
        return False

    def _turns_before(self, place: i64) -> i64:
        """Whether the values before a place have turned, if a clause lets them turn once."""
        if self._patterns & codes.TURNING_PATTERNS == 0:
            return 0
        is_dip = self._patterns & bit(codes.DIPS) != 0
        return 1 if has_turned(is_dip, self.values, place) else 0

    def try_put(self, place: i64, value: i64) -> bool:
        """Whether a place may have this value after those before it; if so, it is stored."""
        for index in range(len(self._clauses)):
            if not self._is_clause_kept(self._clauses[index], self._ends[index], place, value):
                return False
        self.values[place] = value
        return True

    def _is_clause_kept(self, clause: i64, ends: i64, place: i64, value: i64) -> bool:
        pattern = codes.pattern_in(clause)
        if pattern == codes.IS:
            return self._is_allowed(clause, place, value)
        if pattern == codes.ALTERNATES:
            return self._is_alternating(clause, place, value)
        if pattern == codes.PALINDROME:
            return self._is_mirrored(clause, place, value)
        if pattern == codes.WORD:
            return self._is_spelling(codes.direction_in(clause), place, value)
        is_face = codes.feature_in(clause) == codes.RANK and value >= features.FIRST_FACE_RANK
        if is_face and codes.counts(clause):  # R20
            return False
        if pattern == codes.CYCLES and not self._can_come_again(clause, place, value):
            return False
        if pattern >= codes.NEVER_FALLS:
            self.values[place] = value
            return keeps_pattern(clause, self.values, place, self.size)
        return self._is_in_order(clause, ends, place, value)

    def _is_allowed(self, clause: i64, place: i64, value: i64) -> bool:
        """Whether `is` allows a value; where it names another feature, a regular card."""
        if codes.is_link(clause) and self.line[place] < REGULAR_COUNT:
            return is_passed_by_all(clause, card_set(vec[i64]([self.line[place]])))
        row = 2 * catalogue.mask_index(clause)
        if value < catalogue.BITS_PER_WORD:
            return has(catalogue.ALLOWED_VALUES[row], value)
        return has(catalogue.ALLOWED_VALUES[row + 1], value - catalogue.BITS_PER_WORD)

    def _is_in_order(self, clause: i64, ends: i64, place: i64, value: i64) -> bool:
        """Whether a pattern on the position or the order of numbers holds at a place."""
        pattern = codes.pattern_in(clause)
        backward = codes.direction_in(clause) == 1
        if pattern == codes.STARTS:  # R19
            first = self.size - 1 if backward else 0
            return place != first or value == features.start_number(clause)
        if pattern == codes.FOLLOWS:
            position = self.size - 1 - place if backward else place
            sequence, feature = codes.value_in(clause), codes.feature_in(clause)
            return value == sequence_member(sequence, feature, position)
        if place == 0:
            return True
        before = self.values[place - 1]
        if backward:
            return can_follow(clause, ends, value, before)
        return can_follow(clause, ends, before, value)

    def _is_mirrored(self, clause: i64, place: i64, value: i64) -> bool:
        mirror = self.size - 1 - place
        if mirror == place:
            return True
        if mirror > place and self.line[mirror] >= REGULAR_COUNT:
            return self._can_be_mirrored(clause, mirror, value)
        return features.seen_value(clause, self.values[mirror]) == features.seen_value(
            clause, value
        )

    def _can_be_mirrored(self, clause: i64, mirror: i64, value: i64) -> bool:
        """Whether a joker further on may have a value that looks like this one."""
        if self._is_fitting(mirror, value):
            return True
        look = features.seen_value(clause, value)
        for other in set_members(self._fitting[2 * mirror : 2 * mirror + 2]):
            if features.seen_value(clause, other) == look:
                return True
        return False

    def _can_come_again(self, clause: i64, place: i64, value: i64) -> bool:
        """Whether the places of later rounds may have this value of a cycle."""
        later = place + codes.value_in(clause)
        while later < self.size:
            if not self._is_fitting(later, value):
                return False
            later += codes.value_in(clause)
        return True

    def _is_alternating(self, clause: i64, place: i64, value: i64) -> bool:
        look = features.seen_value(clause, value)
        if look < 0 or (place > 0 and look == features.seen_value(clause, self.values[place - 1])):
            return False
        if place > 1 and look != features.seen_value(clause, self.values[place - 2]):
            return False
        for other in range(place + 1, self.size):  # else many joker values are tried in vain
            if self.line[other] < REGULAR_COUNT:
                is_like = look == features.seen_value(clause, self.values[other])
                if is_like == ((other - place) & 1 == 1):
                    return False
        return True

    def _is_spelling(self, direction: i64, place: i64, value: i64) -> bool:
        words = load_lexicon()
        node = words.step(self._word_nodes[2 * place + direction], value)
        if node == NO_NODE:
            return False
        self._word_nodes[2 * place + 2 + direction] = node
        return place < self.size - 1 or words.is_word(node)


def can_follow(clause: i64, ends: i64, value: i64, other: i64) -> bool:
    """Whether one value may come right after another, in the order of reading."""
    pattern = codes.pattern_in(clause)
    if pattern == codes.RISES:
        return other > value or (other < value and value >= ends >> 8)  # R16
    if pattern == codes.FALLS:
        return other < value or (other > value and value <= ends & 0xFF)  # R17
    circle = features.CIRCLE_SIZE[codes.feature_in(clause)]  # R15
    step = codes.value_in(clause)
    way = other - value if pattern == codes.RISES_BY else value - other
    return (way + circle) % circle == step


def holds(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> bool:
    """Whether every clause holds, if need be with suitable values of jokers."""
    if is_regular(line):
        return holds_without_jokers(line, law)
    wilds = with_linked_values(line, law, wilds)
    for which in members(features.prints_of(law)):
        if not JokerSolver(line, which, wilds, law).solve():
            return False
    return True


def with_linked_values(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    """The jokers, where a law says that features of a card are equal, with the lowest value that
    all of these may have."""  # R50
    links = [clause for clause in law if codes.is_link(clause)]
    if len(links) > 0:
        law = codes.clauses_with(bit(codes.IS), law)
        for card in line:
            if card >= REGULAR_COUNT:
                wilds = _with_equal_values(wilds, card, links, law)
    return wilds


def _with_equal_values(wilds: vec[i64], card: i64, links: list[i64], law: vec[i64]) -> vec[i64]:
    for which in range(features.PRINT_COUNT):
        wilds = restrict_joker(wilds, card, which, law)
    for _ in links:  # until all features that are linked have the same values
        for clause in links:
            one, other = _linked_slots(card, clause)
            wilds[one] = wilds[other] = wilds[one] & wilds[other]  # such values are below 60
    for clause in links:
        one, other = _linked_slots(card, clause)
        wilds[one] = wilds[other] = wilds[one] & -wilds[one]
        wilds[one + 1] = wilds[other + 1] = 0
    return wilds


def _linked_slots(card: i64, clause: i64) -> tuple[i64, i64]:
    """The places of both linked prints of a joker."""
    other = features.PRINT_OF[codes.linked_feature(clause)]
    return slot_of(card, features.print_of(clause)), slot_of(card, other)


def settle_jokers(line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    """The jokers after a law that holds: with the values left, or with the lowest that keep it."""
    if is_regular(line):
        return wilds
    wilds = with_linked_values(line, law, wilds)
    for which in members(features.prints_of(law)):
        wilds = _settle_print(which, line, law, wilds)
    return wilds


def _settle_print(which: i64, line: vec[i64], law: vec[i64], wilds: vec[i64]) -> vec[i64]:
    reading = JokerSolver(line, which, wilds, law)
    if not reading.has_only_is_clauses() and not reading.solve():
        return wilds
    for place in range(len(line)):
        card = line[place]
        if card >= REGULAR_COUNT:
            if not reading.has_only_is_clauses():
                law = vec[i64]([naming_clause(which, reading.values[place])])
            wilds = restrict_joker(wilds, card, which, law)
    return wilds
