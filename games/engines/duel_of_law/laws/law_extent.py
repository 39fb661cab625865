"""The extent of a law: the set of cards that pass its clauses on single cards, and the least and
the greatest value of each feature among them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import first_n, lowest
from games.engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from games.engines.duel_of_law.laws.card_features import PRINT_OF, PRINTED_VALUES
from games.engines.duel_of_law.laws.clause_catalogue import (
    ALLOWED_CARDS_HIGH,
    ALLOWED_CARDS_LOW,
    ALLOWED_CARDS_MIDDLE,
    BITS_PER_WORD,
    mask_index,
)
from games.engines.duel_of_law.laws.clause_codes import IS, RANK, pattern_in

WORDS_PER_CARD_SET: Final[i64] = 3
EVERY_CARD: Final[vec[i64]] = vec[i64]([first_n(60), first_n(60), first_n(36)])
FIRST_FACE_RANK: Final[i64] = 10  # ranks from here on are no numbers
_ABOVE_ALL_VALUES: Final[i64] = 256


def cards_passing(law: vec[i64]) -> vec[i64]:
    """The set of regular cards that pass every clause on single cards."""
    cards = EVERY_CARD[:]
    for clause in law:
        if pattern_in(clause) == IS:
            key = mask_index(clause)
            cards[0] = cards[0] & ALLOWED_CARDS_LOW[key]
            cards[1] = cards[1] & ALLOWED_CARDS_MIDDLE[key]
            cards[2] = cards[2] & ALLOWED_CARDS_HIGH[key]
    return cards


def cards_in_set(cards: vec[i64]) -> vec[i64]:
    """The cards of a set, ascending."""
    found: list[i64] = []
    for word in range(WORDS_PER_CARD_SET):
        mask = cards[word]
        while mask != 0:
            found.append(lowest(mask) + word * BITS_PER_WORD)
            mask &= mask - 1
    return vec[i64](found)


class Extent:
    """The least and the greatest value of a feature on the cards that a law lets pass."""  # R16

    def __init__(self, law: vec[i64], feature: i64) -> None:
        self.least: i64 = _ABOVE_ALL_VALUES
        self.most: i64 = -1
        self._measure(cards_in_set(cards_passing(law)), feature)
        if self.most < 0:  # no regular card passes: only jokers lie here
            self._measure(cards_in_set(EVERY_CARD), feature)

    def _measure(self, cards: vec[i64], feature: i64) -> None:
        row = PRINT_OF[feature] * CARD_COUNT
        for card in cards:
            value = PRINTED_VALUES[row + card]
            if value >= 0 and (feature != RANK or value < FIRST_FACE_RANK):
                self.least = min(self.least, value)
                self.most = max(self.most, value)


def _full_ranges() -> list[i64]:
    """By feature, the least and the greatest value of all."""
    found: list[i64] = []
    for feature in range(12):
        extent = Extent(vec[i64](), feature)
        found += [extent.least, extent.most]
    return found


_FULL_RANGES: Final[vec[i64]] = vec[i64](_full_ranges())


_RANGE_CACHE: Final[dict[tuple[i64, i64, i64, i64], i64]] = {}
_MAX_CACHED_RANGES: Final = 10_000


def value_range(law: vec[i64], feature: i64) -> i64:
    """Both ends of a feature under a law: the least and, above eight bits, the greatest value."""
    for clause in law:
        if pattern_in(clause) == IS:
            return _range_under_law(law, feature)
    return _FULL_RANGES[feature * 2] | _FULL_RANGES[feature * 2 + 1] << 8


def _range_under_law(law: vec[i64], feature: i64) -> i64:
    cards = cards_passing(law)
    key = (cards[0], cards[1], cards[2], feature)
    ends = _RANGE_CACHE.get(key)
    if ends is None:
        if len(_RANGE_CACHE) >= _MAX_CACHED_RANGES:
            _RANGE_CACHE.clear()
        extent = Extent(law, feature)
        ends = extent.least | extent.most << 8
        _RANGE_CACHE[key] = ends
    return ends


def is_regular(line: vec[i64]) -> bool:
    """Whether there is no joker among these cards."""
    for card in line:
        if card >= REGULAR_COUNT:
            return False
    return True
