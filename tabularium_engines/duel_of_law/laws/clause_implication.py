"""The implication of clauses in version 1: whether a clause already follows from a law, so that it
would narrow nothing.

A clause that examines one card follows if each regular card that the law can ever hold passes it.
Any other follows if it holds on every line of three such cards, in any order and with repetitions,
on which the law holds. Version 2 examines lines of any length: `excluded_line`.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, members
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import cards_allowed_by_law as allowed
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.clause_catalogue import BITS_PER_WORD, set_members
from tabularium_engines.duel_of_law.laws.joker_solver import JokerSolver
from tabularium_engines.duel_of_law.laws.number_sets import SEQUENCE_LENGTH, sequence_member
from tabularium_engines.duel_of_law.laws.possible_joker_values import FRESH_JOKERS

_MAX_CACHED_ANSWERS: Final[i64] = 50_000
# a line on which anything may lie
_THREE_JOKERS: Final[vec[i64]] = vec[i64]([REGULAR_COUNT, REGULAR_COUNT, REGULAR_COUNT])
_ANSWER_CACHE: Final[dict[tuple[tuple[i64, ...], i64], bool]] = {}


def is_implied(law: vec[i64], clause: i64) -> bool:
    """Whether the clause would say nothing new. (The order of the law does not matter.)"""
    ordered = list(law)
    ordered.sort()
    key = (tuple(ordered), clause)
    answer = _ANSWER_CACHE.get(key)
    if answer is None:
        if len(_ANSWER_CACHE) >= _MAX_CACHED_ANSWERS:
            _ANSWER_CACHE.clear()
        answer = _compute_is_implied(law, clause)
        _ANSWER_CACHE[key] = answer
    return answer


def _compute_is_implied(law: vec[i64], clause: i64) -> bool:
    if clause in list(law):
        return True
    cards = _possible_cards(law)
    if codes.pattern_in(clause) == codes.IS:
        return allowed.is_passed_by_all(clause, cards)
    return not has_exception(law, clause, set_members(cards))


def _possible_cards(law: vec[i64]) -> vec[i64]:
    """The set of regular cards that a law can ever hold, one by one."""
    cards = allowed.cards_passing(law)
    for clause in law:
        values = _reachable_values(law, clause)
        if len(values) > 0:
            _keep_cards_with(cards, codes.feature_in(clause), values)
    return cards


def _start_value(law: vec[i64], clause: i64) -> i64:
    """The value with which the feature of a clause starts at either end; -1: any."""
    for other in law:
        is_alike = codes.feature_in(other) == codes.feature_in(clause)
        if is_alike and codes.pattern_in(other) == codes.STARTS:
            return features.start_number(other)
    return -1


def _reachable_values(law: vec[i64], clause: i64) -> list[i64]:
    """All values that a clause ever reaches, if the clause determines each value with the start
    that the law names; else none."""
    found: list[i64] = []
    feature, word = codes.feature_in(clause), codes.value_in(clause)
    if codes.pattern_in(clause) == codes.FOLLOWS:
        return [sequence_member(word, feature, place) for place in range(SEQUENCE_LENGTH)]
    circle = features.CIRCLE_SIZE[feature]
    start = _start_value(law, clause)
    if start < 0 or bit(codes.pattern_in(clause)) & codes.STEP_PATTERNS == 0:
        return found
    for step in range(circle):  # both directions make the same round
        value = (start + step * word) % circle
        found.append(circle if value == 0 and circle == 6 else value)  # dice count from 1
    return found


def _keep_cards_with(cards: vec[i64], feature: i64, values: list[i64]) -> None:
    """Remove the cards whose feature has any other value."""
    row = features.PRINT_OF[feature] * CARD_COUNT
    for card in set_members(cards):
        if features.PRINTED_VALUES[row + card] not in values:
            word = card // BITS_PER_WORD
            cards[word] = cards[word] & ~bit(card % BITS_PER_WORD)


class Triples:
    """The lines of three cards on which clauses hold, that are on some of the prints. But for those
    that are joint, each clause compares cards in pairs, so the cards that may come third are those
    that fit the second and those that fit the first."""

    def __init__(self, clauses: vec[i64], prints: i64) -> None:
        self.readings: list[JokerSolver] = [
            JokerSolver(_THREE_JOKERS, which, FRESH_JOKERS, clauses) for which in members(prints)
        ]
        # the clauses by which the third card is like the first
        self.returning_clauses = codes.clauses_with(codes.RETURNING_PATTERNS, clauses)
        self.is_joint: bool = len(codes.clauses_with(codes.JOINT_PATTERNS, clauses)) > 0
        self.fitting_second: dict[i64, int] = {}  # sets of cards, by their places in a list
        self.fitting_first: dict[i64, int] = {}

    def try_put(self, place: i64, card: i64) -> bool:
        """Whether this card may lie there after those before it; if so, it is stored."""
        for reading in self.readings:
            value = _value_on_card(reading, card)
            if value < 0 or not reading.try_put(place, value):
                return False
        return True

    def possible_thirds(self, first: i64, second: i64, cards: vec[i64]) -> int:
        """The set of the places of those cards that may come after two that are stored."""
        if self.is_joint:
            return self._thirds_where(cards, -1)
        if second not in self.fitting_second:
            self.fitting_second[second] = self._thirds_where(cards, second)
            self._store(first, second)
        if len(self.returning_clauses) == 0:
            return self.fitting_second[second]
        if first not in self.fitting_first:
            alike = [self._is_alike(first, card) for card in cards]
            self.fitting_first[first] = _set_of_places(alike)
        return self.fitting_second[second] & self.fitting_first[first]

    def _thirds_where(self, cards: vec[i64], second: i64) -> int:
        """The cards that may come third, after a second one and, as each card is like itself, any
        first one; after the stored cards if that is -1."""
        fitting = list[bool]()
        for card in cards:
            if second >= 0:
                self._store(card, second)
            fitting.append(self.try_put(2, card))
        return _set_of_places(fitting)

    def _store(self, first: i64, second: i64) -> None:
        for reading in self.readings:
            reading.values[0] = _value_on_card(reading, first)
            reading.values[1] = _value_on_card(reading, second)

    def _is_alike(self, card: i64, third: i64) -> bool:
        for clause in self.returning_clauses:
            if not _is_alike(clause, card, third):
                return False
        return True


def _is_alike(clause: i64, card: i64, other: i64) -> bool:
    """Whether a clause sees the same value on two cards."""
    row = features.print_of(clause) * CARD_COUNT
    one, two = features.PRINTED_VALUES[row + card], features.PRINTED_VALUES[row + other]
    if one < 0 or two < 0:
        return False
    return features.seen_value(clause, one) == features.seen_value(clause, two)


def has_exception(law: vec[i64], clause: i64, cards: list[i64]) -> bool:
    """Whether there is a line of three of these cards with the law, but without the clause."""
    with_clause = append(codes.clauses_with(bit(codes.IS), law), clause)
    lawful = Triples(law, features.prints_of(law))
    kept = Triples(with_clause, bit(features.print_of(clause)))
    distinct = _distinct_cards(cards, [*lawful.readings, *kept.readings])
    for first in distinct:
        if not lawful.try_put(0, first):
            continue
        is_kept = kept.try_put(0, first)
        for second in distinct:
            if not lawful.try_put(1, second):
                continue
            thirds = lawful.possible_thirds(first, second, distinct)
            if thirds == 0:
                continue
            if not (is_kept and kept.try_put(1, second)):
                return True
            if thirds & ~kept.possible_thirds(first, second, distinct) != 0:
                return True
    return False


def _distinct_cards(cards: list[i64], readings: list[JokerSolver]) -> vec[i64]:
    """One card of each group that is the same in all these prints."""
    seen: dict[i64, bool] = {}
    found = vec[i64]()
    for card in cards:
        print_of_all: i64 = 0
        for reading in readings:
            print_of_all = print_of_all << 7 | (_value_on_card(reading, card) + 1)
        if print_of_all not in seen:
            seen[print_of_all] = True
            found = append(found, card)
    return found


def _value_on_card(reading: JokerSolver, card: i64) -> i64:
    return features.PRINTED_VALUES[reading.which * CARD_COUNT + card]


def _set_of_places(fitting: list[bool]) -> int:
    """The places that are true, as bits of a number that may be long."""
    return sum([1 << place for place, is_fitting in enumerate(fitting) if is_fitting])


def set_places(places: int) -> list[i64]:
    """The members of a set that may be long."""
    return [place for place in range(places.bit_length()) if places >> place & 1]
