"""Which cards can a law ever hold, looked at one by one, and how far do their features reach?"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import first, lowest
from games.engines.duel_of_law.cards import CARDS, REGULAR
from games.engines.duel_of_law.language.catalogue import (
    CARDS_HIGH,
    CARDS_LOW,
    CARDS_MIDDLE,
    WORD_SIZE,
    key_of,
)
from games.engines.duel_of_law.language.features import PRINT_OF, PRINTED
from games.engines.duel_of_law.language.names import IS, RANK, pattern_in

WORDS: Final[i64] = 3  # of a set of cards
EVERY_CARD: Final[vec[i64]] = vec[i64]([first(60), first(60), first(36)])
FACES: Final[i64] = 10  # ranks from here on are no numbers
_NOWHERE: Final[i64] = 256


def passing(law: vec[i64]) -> vec[i64]:
    """The set of regular cards that pass every clause which looks at one card alone."""
    cards = EVERY_CARD[:]
    for clause in law:
        if pattern_in(clause) == IS:
            key = key_of(clause)
            cards[0] = cards[0] & CARDS_LOW[key]
            cards[1] = cards[1] & CARDS_MIDDLE[key]
            cards[2] = cards[2] & CARDS_HIGH[key]
    return cards


def members(cards: vec[i64]) -> vec[i64]:
    """The cards of a set, ascending."""
    found: list[i64] = []
    for word in range(WORDS):
        mask = cards[word]
        while mask != 0:
            found.append(lowest(mask) + word * WORD_SIZE)
            mask &= mask - 1
    return vec[i64](found)


class Extent:
    """The least and the greatest value of a feature on the cards that a law lets pass."""  # R16

    def __init__(self, law: vec[i64], feature: i64) -> None:
        self.least: i64 = _NOWHERE
        self.most: i64 = -1
        self._measure(members(passing(law)), feature)
        if self.most < 0:  # no regular card passes: only jokers lie here
            self._measure(members(EVERY_CARD), feature)

    def _measure(self, cards: vec[i64], feature: i64) -> None:
        row = PRINT_OF[feature] * CARDS
        for card in cards:
            value = PRINTED[row + card]
            if value >= 0 and (feature != RANK or value < FACES):
                self.least = min(self.least, value)
                self.most = max(self.most, value)


def _whole() -> list[i64]:
    """By feature, the least and the greatest value of all."""
    found: list[i64] = []
    for feature in range(12):
        extent = Extent(vec[i64](), feature)
        found += [extent.least, extent.most]
    return found


_WHOLE: Final[vec[i64]] = vec[i64](_whole())


_KEPT: Final[dict[tuple[i64, i64, i64, i64], i64]] = {}
_MOST_KEPT: Final = 10_000


def ends_of(law: vec[i64], feature: i64) -> i64:
    """Both ends of a feature under a law: the least and, above eight bits, the greatest value."""
    for clause in law:
        if pattern_in(clause) == IS:
            return _ends_of_some(law, feature)
    return _WHOLE[feature * 2] | _WHOLE[feature * 2 + 1] << 8


def _ends_of_some(law: vec[i64], feature: i64) -> i64:
    cards = passing(law)
    key = (cards[0], cards[1], cards[2], feature)
    ends = _KEPT.get(key)
    if ends is None:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        extent = Extent(law, feature)
        ends = extent.least | extent.most << 8
        _KEPT[key] = ends
    return ends


def is_regular(line: vec[i64]) -> bool:
    """Is there no joker among these cards?"""
    for card in line:
        if card >= REGULAR:
            return False
    return True
