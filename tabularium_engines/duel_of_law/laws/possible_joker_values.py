"""The values that jokers may still have: for every joker and print, a set as two words of 60 bits.
A turn in progress makes new arrays of them; none is ever changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import (
    CARD_COUNT,
    DIE_BY_CARD,
    REGULAR_COUNT,
    SHADE_BY_CARD,
)
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import clause_catalogue as catalogue
from tabularium_engines.duel_of_law.laws import clause_codes as codes

WORDS_PER_JOKER: Final[i64] = 16  # two for each print
# The feature that names a print's values.
NAMING_FEATURES: Final[list[int]] = [
    *(codes.COLOUR, codes.SHADE, codes.DICE, codes.POKER),
    *(codes.RANK, codes.NUMBER, codes.LETTER, codes.LETTER_VALUE),
]


def _fresh_words() -> list[int]:
    """Six jokers on which only the printed features are certain."""  # R25
    found: list[int] = []
    for card in range(int(REGULAR_COUNT), int(CARD_COUNT)):
        printed = ([SHADE_BY_CARD[card]], [DIE_BY_CARD[card]])
        for values in (features.PRINT_DOMAINS[0], *printed, *features.PRINT_DOMAINS[3:]):
            found += [catalogue.word_mask(values, 0), catalogue.word_mask(values, 60)]
    return found


def _naming_clauses() -> list[i64]:
    """By print and value, the clause that states this value."""
    table: list[i64] = [0] * (features.PRINT_COUNT * features.VALUE_SPAN)
    for which, values in enumerate(features.PRINT_DOMAINS):
        feature = NAMING_FEATURES[which]
        for value in values:
            clause = codes.encode_clause(feature, codes.IS, features.word_for(feature, value))
            table[which * features.VALUE_SPAN + value] = clause
    return table


FRESH_JOKERS: Final[vec[i64]] = vec[i64](_fresh_words())
_NAMING_CLAUSES: Final[vec[i64]] = vec[i64](_naming_clauses())


def slot_of(card: i64, which: i64) -> i64:
    """The index of the two words of a joker's print."""
    return (card - REGULAR_COUNT) * WORDS_PER_JOKER + which * 2


def open_values(wilds: vec[i64], card: i64, which: i64) -> list[i64]:
    """All values that a print of a joker may still have, ascending."""
    slot = slot_of(card, which)
    return catalogue.set_members(wilds[slot : slot + 2])


def naming_clause(which: i64, value: i64) -> i64:
    """The clause that states a value of a print."""
    return _NAMING_CLAUSES[which * features.VALUE_SPAN + value]


def naming_clauses(wilds: vec[i64], card: i64, is_certain: bool) -> list[i64]:
    """The clauses that name the values of a joker: of each print with only one left, which is
    certain, or of those with several."""
    found: list[i64] = []
    for which in range(features.PRINT_COUNT):
        values = open_values(wilds, card, which)
        if (len(values) == 1) == is_certain:
            found += [naming_clause(which, value) for value in values]
    return found


def restrict_joker(wilds: vec[i64], card: i64, which: i64, law: vec[i64]) -> vec[i64]:
    """The jokers with one of them left the values of a print that every clause allows."""
    after = wilds[:]
    slot = slot_of(card, which)
    for clause in law:
        if features.print_of(clause) == which:
            row = 2 * catalogue.mask_index(clause)
            after[slot] = after[slot] & catalogue.ALLOWED_VALUES[row]
            after[slot + 1] = after[slot + 1] & catalogue.ALLOWED_VALUES[row + 1]
    return after


def _word(which: i64, value: i64) -> str:
    """The word for a value of a print."""
    return str(codes.VALUE_NAMES[codes.value_in(naming_clause(which, value))])


def remaining_values(wilds: vec[i64], card: i64) -> dict[str, list[str]]:
    """The prints of a joker that are no longer fully open: by feature, the values that are left."""
    found: dict[str, list[str]] = {}
    for which, feature in enumerate(NAMING_FEATURES):
        values = open_values(wilds, card, which)
        if len(values) < len(features.PRINT_DOMAINS[which]):
            found[codes.FEATURE_NAMES[feature]] = [_word(which, value) for value in values]
    return found


def with_remaining_values(
    wilds: vec[i64], card: i64, shown: Mapping[str, Sequence[str]]
) -> vec[i64]:
    """The jokers with one of them as shown."""
    after = wilds[:]
    for which, feature in enumerate(NAMING_FEATURES):
        domain, slot = features.PRINT_DOMAINS[which], slot_of(card, which)
        words = shown.get(codes.FEATURE_NAMES[feature])
        values = [value for value in domain if words is None or _word(which, value) in words]
        after[slot] = catalogue.word_mask(values, 0)
        after[slot + 1] = catalogue.word_mask(values, 60)
    return after
