"""Does a clause follow from a law already, so that it would narrow nothing?

A clause that looks at one card follows if each regular card that the law can ever hold passes it.
Any other follows if it holds on every line of three such cards, in any order and with repetitions,
on which the law holds: R12.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit, has
from games.engines.duel_of_law.cards import CARDS, REGULAR
from games.engines.duel_of_law.language.catalogue import (
    CARDS_HIGH,
    CARDS_LOW,
    CARDS_MIDDLE,
    WORD_SIZE,
    key_of,
)
from games.engines.duel_of_law.language.extent import members, passing
from games.engines.duel_of_law.language.features import CIRCLE, PRINT_OF, PRINTED, PRINTS
from games.engines.duel_of_law.language.names import (
    FOLLOWS,
    IS,
    RETURNS,
    STARTS,
    STEPS,
    feature_in,
    pattern_in,
    value_in,
)
from games.engines.duel_of_law.language.reading import Reading, look_at, number_in
from games.engines.duel_of_law.language.sequences import LONGEST, member
from games.engines.duel_of_law.language.wilds import fresh_wilds

MOST_KEPT: Final[i64] = 50_000  # answers
_THREE: Final[vec[i64]] = vec[i64]([REGULAR, REGULAR, REGULAR])  # where anything may lie
_KEPT: Final[dict[tuple[tuple[i64, ...], i64], bool]] = {}


def implied(law: vec[i64], clause: i64) -> bool:
    """Would the clause say nothing new? (The order of the law does not matter.)"""
    ordered = list(law)
    ordered.sort()
    key = (tuple(ordered), clause)
    answer = _KEPT.get(key)
    if answer is None:
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        answer = _is_implied(law, clause)
        _KEPT[key] = answer
    return answer


def _is_implied(law: vec[i64], clause: i64) -> bool:
    for old in law:
        if old == clause:
            return True
    cards = possible(law)
    if pattern_in(clause) != IS:
        return not Triples(law, clause, members(cards)).has_exception()
    key = key_of(clause)
    beyond = cards[0] & ~CARDS_LOW[key] | cards[1] & ~CARDS_MIDDLE[key]
    return beyond == 0 and cards[2] & ~CARDS_HIGH[key] == 0


# -- cards a law can hold --------------------------------------------------------------------------


def possible(law: vec[i64]) -> vec[i64]:
    """The set of regular cards that a law can ever hold, one by one."""
    cards = passing(law)
    for clause in law:
        if is_settled(law, clause):
            _keep(cards, feature_in(clause), _course(law, clause))
    return cards


def is_settled(law: vec[i64], clause: i64) -> bool:
    """Does this clause, with the start that the law names, say what each value is?"""
    return pattern_in(clause) == FOLLOWS or (_is_step(clause) and start_of(law, clause) >= 0)


def _is_step(clause: i64) -> bool:
    return bit(pattern_in(clause)) & STEPS != 0


def start_of(law: vec[i64], clause: i64) -> i64:
    """The value with which the feature of a clause starts at either end; -1: any."""
    for other in law:
        if pattern_in(other) == STARTS and feature_in(other) == feature_in(clause):
            return number_in(other)
    return -1


def _course(law: vec[i64], clause: i64) -> vec[i64]:
    """All values that such a clause ever comes to."""
    found: list[i64] = []
    feature = feature_in(clause)
    if pattern_in(clause) == FOLLOWS:
        for place in range(LONGEST):
            found.append(member(value_in(clause), feature, place))
        return vec[i64](found)
    circle = CIRCLE[feature]
    start = start_of(law, clause)
    for step in range(circle):  # forth and back make the same round
        value = (start + step * value_in(clause)) % circle
        found.append(circle if value == 0 and circle == 6 else value)  # dice count from 1
    return vec[i64](found)


def _keep(cards: vec[i64], feature: i64, values: vec[i64]) -> None:
    """Strike the cards out whose feature says anything else."""
    low: i64 = 0
    high: i64 = 0
    for value in values:
        if value < WORD_SIZE:
            low |= bit(value)
        else:
            high |= bit(value - WORD_SIZE)
    row = PRINT_OF[feature] * CARDS
    for card in members(cards):
        value = PRINTED[row + card]
        mask = low if value < WORD_SIZE else high
        if value < 0 or not has(mask, value % WORD_SIZE):
            word = card // WORD_SIZE
            cards[word] = cards[word] & ~bit(card % WORD_SIZE)


# -- lines of three --------------------------------------------------------------------------------


class Triples:
    """All lines of three cards on which a law holds, in search of one that breaks a clause."""

    def __init__(self, law: vec[i64], clause: i64, cards: vec[i64]) -> None:
        self.law: list[Reading] = []
        self.clause = Reading(_THREE, PRINT_OF[feature_in(clause)], fresh_wilds())
        self.clause.demand(append(_only_cards(law), clause))
        self.far: vec[i64] = vec[i64]()  # the clauses by which the third card is as the first
        for which in range(PRINTS):
            reading = Reading(_THREE, which, fresh_wilds())
            reading.demand(law)
            if reading.is_demanded():
                self.law.append(reading)
        for old in law:
            if bit(pattern_in(old)) & RETURNS != 0:
                self.far = append(self.far, old)
        self.cards: vec[i64] = self._distinct(cards)

    def _distinct(self, cards: vec[i64]) -> vec[i64]:
        """One card of all that are the same in what matters here."""
        seen: dict[i64, bool] = {}
        found: list[i64] = []
        for card in cards:
            print_of_all = self._say(self.clause, card) + 1
            for reading in self.law:
                print_of_all = print_of_all << 7 | (self._say(reading, card) + 1)
            if print_of_all not in seen:
                seen[print_of_all] = True
                found.append(card)
        return vec[i64](found)

    def _say(self, reading: Reading, card: i64) -> i64:
        return PRINTED[reading.which * CARDS + card]

    def has_exception(self) -> bool:
        """Is there a line on which the law holds and the clause does not?"""
        for card in self.cards:
            if self._put(0, card) and self._has_exception_from(card):
                return True
        return False

    def _has_exception_from(self, card: i64) -> bool:
        thirds = self._thirds(card)
        is_kept = self._say(self.clause, card) >= 0 and self.clause.put(
            0, self._say(self.clause, card)
        )
        for second in self.cards:
            if not self._put(1, second):
                continue
            value = self._say(self.clause, second)
            is_still_kept = is_kept and value >= 0 and self.clause.put(1, value)
            for third in thirds:
                if not self._put(2, third):
                    continue
                value = self._say(self.clause, third)
                if not (is_still_kept and value >= 0 and self.clause.put(2, value)):
                    return True
        return False

    def _put(self, place: i64, card: i64) -> bool:
        """May this card lie there, as far as the law says?"""
        for reading in self.law:
            value = self._say(reading, card)
            if value < 0 or not reading.put(place, value):
                return False
        return True

    def _thirds(self, card: i64) -> vec[i64]:
        """The cards that may come third after this one."""
        if len(self.far) == 0:
            return self.cards
        found: list[i64] = []
        for third in self.cards:
            if self._is_alike(card, third):
                found.append(third)
        return vec[i64](found)

    def _is_alike(self, card: i64, third: i64) -> bool:
        for clause in self.far:
            row = PRINT_OF[feature_in(clause)] * CARDS
            one, other = PRINTED[row + card], PRINTED[row + third]
            if one < 0 or other < 0 or look_at(clause, one) != look_at(clause, other):
                return False
        return True


def _only_cards(law: vec[i64]) -> vec[i64]:
    """The clauses that look at one card: these say how far values reach."""
    found = vec[i64]()
    for clause in law:
        if pattern_in(clause) == IS:
            found = append(found, clause)
    return found
