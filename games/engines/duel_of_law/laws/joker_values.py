"""The values that jokers may still have: for every joker and print, a set as two words of 60 bits.
A turn in progress makes new arrays of them; none is ever changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, lowest
from games.engines.duel_of_law.cards import DIE_BY_CARD, JOKER_COUNT, REGULAR_COUNT, SHADE_BY_CARD
from games.engines.duel_of_law.laws import clause_codes
from games.engines.duel_of_law.laws.card_features import (
    PRINT_COUNT,
    PRINT_DOMAINS,
    PRINT_OF,
    exact_value,
    word_for,
)
from games.engines.duel_of_law.laws.clause_catalogue import (
    ALLOWED_VALUES_HIGH,
    ALLOWED_VALUES_LOW,
    BITS_PER_WORD,
    mask_index,
)
from games.engines.duel_of_law.laws.clause_codes import encode_clause, feature_in

WORDS_PER_JOKER: Final[i64] = 16  # two for each print
# The feature that names a print's values.
NAMING_FEATURES: Final[list[int]] = [
    *(clause_codes.COLOUR, clause_codes.SHADE, clause_codes.DICE, clause_codes.POKER),
    *(clause_codes.RANK, clause_codes.NUMBER, clause_codes.LETTER, clause_codes.LETTER_VALUE),
]


def _mask_words(values: list[int]) -> list[int]:
    low = sum(1 << value for value in values if value < 60)
    return [low, sum(1 << (value - 60) for value in values if value >= 60)]


def _open_joker_words(card: int) -> list[int]:
    """A joker on which only the printed features are certain."""  # R25
    found: list[int] = []
    for values in [
        PRINT_DOMAINS[0],
        [SHADE_BY_CARD[card]],
        [DIE_BY_CARD[card]],
        *PRINT_DOMAINS[3:],
    ]:
        found += _mask_words(list(values))
    return found


_FRESH_JOKERS: Final[vec[i64]] = vec[i64](
    [
        word
        for joker in range(int(JOKER_COUNT))
        for word in _open_joker_words(int(REGULAR_COUNT) + joker)
    ]
)


def fresh_jokers() -> vec[i64]:
    """Six jokers on which only the printed features are certain."""
    return _FRESH_JOKERS[:]


def slot_of(card: i64, which: i64) -> i64:
    """The index of the two words of a joker's print."""
    return (card - REGULAR_COUNT) * WORDS_PER_JOKER + which * 2


def reset_joker(wilds: vec[i64], card: i64) -> vec[i64]:
    """The jokers with one of them as printed again."""
    fresh = wilds[:]
    for slot in range(slot_of(card, 0), slot_of(card, PRINT_COUNT)):
        fresh[slot] = _FRESH_JOKERS[slot]
    return fresh


def open_values(wilds: vec[i64], card: i64, which: i64) -> list[i64]:
    """All values that a print of a joker may still have, ascending."""
    slot = slot_of(card, which)
    found: list[i64] = []
    for half in range(2):
        mask = wilds[slot + half]
        while mask != 0:
            found.append(lowest(mask) + half * BITS_PER_WORD)
            mask &= mask - 1
    return found


def possible_namings(wilds: vec[i64], card: i64) -> list[i64]:
    """The clauses that may name a joker: each open value of a print that has several."""
    found: list[i64] = []
    for which in range(PRINT_COUNT):
        values = open_values(wilds, card, which)
        if len(values) > 1:
            found += [_value_clause(which, value) for value in values]
    return found


def certain_clauses(wilds: vec[i64], card: i64) -> list[i64]:
    """The certain features of a joker, as clauses."""
    found: list[i64] = []
    for which in range(PRINT_COUNT):
        values = open_values(wilds, card, which)
        if len(values) == 1:
            found.append(_value_clause(which, values[0]))
    return found


def name_joker(wilds: vec[i64], card: i64, clause: i64) -> vec[i64]:
    """The jokers after one of them has been named."""
    key = mask_index(clause)
    slot = slot_of(card, PRINT_OF[feature_in(clause)])
    after = wilds[:]
    after[slot] = wilds[slot] & ALLOWED_VALUES_LOW[key]
    after[slot + 1] = wilds[slot + 1] & ALLOWED_VALUES_HIGH[key]
    return after


def pin_value(wilds: vec[i64], card: i64, which: i64, value: i64) -> vec[i64]:
    """The jokers after a print of one of them is fixed."""
    slot = slot_of(card, which)
    after = wilds[:]
    after[slot] = bit(value) if value < BITS_PER_WORD else 0
    after[slot + 1] = bit(value - BITS_PER_WORD) if value >= BITS_PER_WORD else 0
    return after


def _value_clause(which: i64, value: i64) -> i64:
    """The clause that states this value of a print."""
    feature = NAMING_FEATURES[which]
    return encode_clause(feature, clause_codes.IS, _LANGUAGE_WORDS[which * 120 + value], 0)


def _language_word_table() -> list[int]:
    table = [0] * (8 * 120)
    for which, values in enumerate(PRINT_DOMAINS):
        for value in values:
            table[which * 120 + value] = word_for(NAMING_FEATURES[which], value)
    return table


_LANGUAGE_WORDS: Final[vec[i64]] = vec[i64](_language_word_table())


# -- as words, for views --------------------------------------------------------------------------


def remaining_values(wilds: vec[i64], card: i64) -> dict[str, list[str]]:
    """The prints of a joker that are no longer fully open: by feature, the values that are left."""
    found: dict[str, list[str]] = {}
    for which in range(PRINT_COUNT):
        values = open_values(wilds, card, which)
        if len(values) < len(PRINT_DOMAINS[which]):
            words = [
                clause_codes.VALUE_NAMES[_LANGUAGE_WORDS[which * 120 + value]] for value in values
            ]
            found[clause_codes.FEATURE_NAMES[NAMING_FEATURES[which]]] = words
    return found


def with_remaining_values(
    wilds: vec[i64], card: i64, shown: Mapping[str, Iterable[str]]
) -> vec[i64]:
    """The jokers with one of them as shown."""
    after = reset_joker(wilds, card)
    for which in range(PRINT_COUNT):
        feature = NAMING_FEATURES[which]
        words = shown.get(clause_codes.FEATURE_NAMES[feature])
        if words is not None:
            values = [exact_value(feature, _language_word(feature, word)) for word in words]
            low, high = _mask_words(values)
            after[slot_of(card, which)] = low
            after[slot_of(card, which) + 1] = high
    return after


def _language_word(feature: int, word: str) -> int:
    """The number of a word that names a value of this feature."""
    return next(
        number
        for number, name in enumerate(clause_codes.VALUE_NAMES)
        if name == word and exact_value(feature, number) >= 0
    )
