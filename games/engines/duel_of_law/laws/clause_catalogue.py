"""The catalogue of clauses: all that a law may contain, and the cards and values that each clause
with `is` allows."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from games.engines.duel_of_law.laws import clause_codes
from games.engines.duel_of_law.laws.card_features import (
    CIRCLE_SIZE,
    NUMERIC_FEATURES,
    ORDERED_FEATURES,
    PRINT_DOMAINS,
    PRINT_OF,
    PRINTED_VALUES,
    exact_value,
    is_allowed,
    values_of,
    word_for,
)
from games.engines.duel_of_law.laws.clause_codes import NO_VALUE, encode_clause

BITS_PER_WORD: Final[i64] = 60  # in a word of a set


def _property_words(feature: int) -> list[int]:
    """The properties that at least two values of a feature have: a property of one alone is that
    value."""
    found: list[int] = []
    if feature not in NUMERIC_FEATURES:
        return found
    for word in range(clause_codes.EVEN, clause_codes.PARITY):
        if sum(is_allowed(feature, word, value) for value in values_of(feature)) >= 2:
            found.append(word)
    return found


def _value_words(feature: int) -> list[int]:
    """All words that can follow `is` for a feature. The value of a suit is said by its colour."""
    if feature == clause_codes.SUIT:
        return _property_words(feature)
    return [word_for(feature, value) for value in values_of(feature)] + _property_words(feature)


def _is_clauses(feature: int) -> list[int]:
    """The clauses that examine card after card."""
    return [int(encode_clause(feature, clause_codes.IS, word, 0)) for word in _value_words(feature)]


def _step_clauses(feature: int) -> list[int]:
    """Constant steps. A step of more than half the circle is one in the other direction."""
    circle = int(CIRCLE_SIZE[feature])
    found = [
        int(encode_clause(feature, clause_codes.RISES_BY, step, 0))
        for step in range(1, circle // 2 + 1)
    ]
    for step in range(1, (circle + 1) // 2):
        found.append(int(encode_clause(feature, clause_codes.FALLS_BY, step, 0)))
    return found


def _repeating_clauses(feature: int) -> list[int]:
    """Clauses that return: alternation, and the same from both ends."""
    if feature == clause_codes.SUIT:  # its colour expresses it
        return [int(encode_clause(feature, clause_codes.ALTERNATES, clause_codes.PARITY, 0))]
    found = [int(encode_clause(feature, clause_codes.ALTERNATES, NO_VALUE, 0))]
    found.append(int(encode_clause(feature, clause_codes.PALINDROME, NO_VALUE, 0)))
    if feature in NUMERIC_FEATURES:
        found.append(int(encode_clause(feature, clause_codes.ALTERNATES, clause_codes.PARITY, 0)))
    return found


def _directed_clauses(feature: int) -> list[int]:
    """Clauses that are read from one of the ends."""
    found: list[tuple[int, int]] = []
    if feature in ORDERED_FEATURES:
        found += [(clause_codes.RISES, NO_VALUE), (clause_codes.FALLS, NO_VALUE)]
        numbers = [
            value for value in values_of(feature) if feature != clause_codes.RANK or value < 10
        ]
        found += [(clause_codes.STARTS, _start_word(feature, value)) for value in numbers]
    if feature == clause_codes.LETTER:
        found.append((clause_codes.WORD, NO_VALUE))
    if feature in (clause_codes.RANK, clause_codes.NUMBER):
        found += [
            (clause_codes.FOLLOWS, word) for word in range(clause_codes.FIRST_SEQUENCE, NO_VALUE)
        ]
    return [
        int(encode_clause(feature, pattern, word, direction))
        for pattern, word in found
        for direction in range(2)
    ]


def _start_word(feature: int, value: int) -> int:
    return value if feature == clause_codes.SUIT else word_for(feature, value)


def _all_clauses() -> list[int]:
    found: list[int] = []
    for feature in range(int(clause_codes.FEATURE_COUNT)):
        found += (
            _is_clauses(feature)
            + _step_clauses(feature)
            + _repeating_clauses(feature)
            + _directed_clauses(feature)
        )
    return sorted(found)


CATALOGUE: Final[vec[i64]] = vec[i64](_all_clauses())
_CLAUSE_SET: Final = frozenset(_all_clauses())


def is_clause(clause: int) -> bool:
    """Whether the language can say this clause."""
    return clause in _CLAUSE_SET


# -- values and cards that `is` allows ------------------------------------------------------------


def _allowed_values(feature: int, word: int) -> list[int]:
    return [value for value in PRINT_DOMAINS[PRINT_OF[feature]] if is_allowed(feature, word, value)]


def _word_mask(members: list[int], first: int) -> int:
    """The members from `first` on, as one word of a set."""
    return sum(1 << (member - first) for member in members if first <= member < first + 60)


def _allowed_values_table() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for feature in range(int(clause_codes.FEATURE_COUNT)):
        for word in _value_words(feature):
            found[feature * 256 + word] = _allowed_values(feature, word)
        if feature == clause_codes.SUIT:
            for suit in range(12):
                found[feature * 256 + suit] = [suit]
    return found


_ALLOWED_VALUES: Final = _allowed_values_table()


def _value_masks(first: int) -> vec[i64]:
    """By feature and word: the values of the print that `is` allows."""
    return vec[i64]([_word_mask(_ALLOWED_VALUES.get(key, []), first) for key in range(12 * 256)])


def _card_masks(first: int) -> vec[i64]:
    """By feature and word: the cards that `is` allows."""
    table = [0] * (12 * 256)
    for key, values in _ALLOWED_VALUES.items():
        row = int(PRINT_OF[key // 256]) * int(CARD_COUNT)
        cards = [card for card in range(int(REGULAR_COUNT)) if PRINTED_VALUES[row + card] in values]
        table[key] = _word_mask(cards, first)
    return vec[i64](table)


ALLOWED_VALUES_LOW: Final[vec[i64]] = _value_masks(0)
ALLOWED_VALUES_HIGH: Final[vec[i64]] = _value_masks(60)
ALLOWED_CARDS_LOW: Final[vec[i64]] = _card_masks(0)
ALLOWED_CARDS_MIDDLE: Final[vec[i64]] = _card_masks(60)
ALLOWED_CARDS_HIGH: Final[vec[i64]] = _card_masks(120)


def mask_index(clause: i64) -> i64:
    """The index of a clause in the tables."""
    return (clause & 0xFF) << 8 | (clause >> 16) & 0xFF


def is_exact_word(feature: int, word: int) -> bool:
    """Whether this word is a value of the feature, and not a property of several."""
    return exact_value(feature, word) >= 0
