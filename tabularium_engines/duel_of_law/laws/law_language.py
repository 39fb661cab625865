"""The language of laws in a version of the rules: the clauses that may be said, and the
rules of their combination."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count
from tabularium_engines.duel_of_law.cards import REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import clause_catalogue as catalogue
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import print_of
from tabularium_engines.duel_of_law.laws.number_sets import place_of_property

MOST_CARDS_OF_A_PROPERTY: Final[i64] = REGULAR_COUNT // 2  # a law has to exclude cards
_WIDELY_MIRRORED: Final[i64] = (
    bit(codes.COLOUR) | bit(codes.RANK) | bit(codes.NUMBER) | bit(codes.LETTER)
)


class Language:
    """The clauses of a version, as a set, and the rules of their combination."""

    def __init__(self, clauses: vec[i64], is_narrow: bool) -> None:
        self.clauses: vec[i64] = clauses
        # version 2: one start in a law, for either direction; lines of any length are judged
        self.is_narrow: bool = is_narrow
        self._members = frozenset(list(clauses))
        self.single_card_words: vec[i64] = vec[i64]([0] * catalogue.WORDS_PER_CLAUSE_SET)
        self.mirrored_features: i64 = 0  # those that may be a palindrome
        self.monotone_ways: i64 = 0  # rising, rising backward, falling, falling backward
        # by feature, the patterns on values, and the properties that may alternate
        self.value_patterns: list[list[i64]] = [[] for _ in range(12)]
        self.alternating_properties: list[i64] = [0] * 12
        for clause in clauses:
            pattern, feature = codes.pattern_in(clause), codes.feature_in(clause)
            if pattern >= codes.NEVER_FALLS:
                self.value_patterns[feature].append(clause)
            elif pattern == codes.ALTERNATES and codes.is_property(codes.value_in(clause)):
                place = place_of_property(codes.value_in(clause))
                self.alternating_properties[feature] |= bit(place)
            elif pattern == codes.PALINDROME:
                self.mirrored_features |= bit(codes.feature_in(clause))
            elif bit(pattern) & codes.MONOTONE_PATTERNS != 0:
                self.monotone_ways |= bit(2 * (pattern - codes.RISES) + codes.direction_in(clause))
        # those that examine several cards, by print; and the ones that a new branch can be given
        self.multi_card_clauses: vec[i64] = _multi_card_clauses(clauses)
        self.first_clauses: vec[i64] = vec[i64](
            [one for one in self.multi_card_clauses if codes.pattern_in(one) != codes.STARTS]
        )
        for number in range(len(catalogue.SINGLE_CARD_CLAUSES)):
            if catalogue.SINGLE_CARD_CLAUSES[number] in self._members:
                word: i64 = number // catalogue.BITS_PER_WORD
                spot: i64 = number % catalogue.BITS_PER_WORD
                self.single_card_words[word] = self.single_card_words[word] | bit(spot)

    def has_clause(self, clause: i64) -> bool:
        """Whether this clause may be said."""
        return clause in self._members


def _multi_card_clauses(clauses: vec[i64]) -> vec[i64]:
    several = [clause for clause in clauses if codes.pattern_in(clause) != codes.IS]
    several.sort(key=print_of)
    return vec[i64](several)


def cards_allowed(clause: i64) -> i64:
    """The number of regular cards that pass a clause on single cards."""
    row = 3 * catalogue.mask_index(clause)
    found: i64 = 0
    for word in range(3):
        found += count(catalogue.ALLOWED_CARDS[row + word])
    return found


def is_narrow_clause(clause: i64) -> bool:
    """Whether a clause of the catalogue is one of version 2, which drops those that say too little
    or the same as another."""
    pattern, value = codes.pattern_in(clause), codes.value_in(clause)
    if codes.is_property(value) or codes.is_link(clause):
        return cards_allowed(clause) <= MOST_CARDS_OF_A_PROPERTY
    if pattern == codes.PALINDROME:
        return _WIDELY_MIRRORED & bit(codes.feature_in(clause)) != 0
    is_monotone = bit(pattern) & codes.MONOTONE_PATTERNS != 0
    return not (is_monotone and codes.direction_in(clause) == 1)


def is_first_clause(clause: i64) -> bool:
    """Whether a clause of the catalogue is one of version 1."""
    pattern, value = codes.pattern_in(clause), codes.value_in(clause)
    if pattern == codes.ALTERNATES and codes.is_property(value):
        return False
    return pattern < codes.NEVER_FALLS and value <= codes.NO_VALUE


FIRST_LANGUAGE: Final = Language(
    vec[i64]([clause for clause in catalogue.CATALOGUE if is_first_clause(clause)]), False
)
SECOND_LANGUAGE: Final = Language(
    vec[i64]([clause for clause in catalogue.CATALOGUE if is_narrow_clause(clause)]), True
)
