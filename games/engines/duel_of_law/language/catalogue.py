"""Which clauses are there? All that the language can say, and what `is` lets a card say."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARDS, REGULAR
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.features import (
    CIRCLE,
    DOMAINS,
    NUMERIC,
    ORDERED,
    PRINT_OF,
    PRINTED,
    allows,
    exact,
    values_of,
    word_for,
)
from games.engines.duel_of_law.language.names import NO_VALUE, clause_of

WORD_SIZE: Final[i64] = 60  # bits of a set's word


def _classes(feature: int) -> list[int]:
    """The properties that two values of a feature have at least: one alone is a value."""
    found: list[int] = []
    if feature not in NUMERIC:
        return found
    for word in range(names.EVEN, names.PARITY):
        if sum(allows(feature, word, value) for value in values_of(feature)) >= 2:
            found.append(word)
    return found


def _words(feature: int) -> list[int]:
    """All that a feature can be said to be. What a suit is, its colour says."""
    if feature == names.SUIT:
        return _classes(feature)
    return [word_for(feature, value) for value in values_of(feature)] + _classes(feature)


def _said_of_one(feature: int) -> list[int]:
    """The clauses that look at card after card."""
    return [int(clause_of(feature, names.IS, word, 0)) for word in _words(feature)]


def _steps(feature: int) -> list[int]:
    """Constant steps. One that goes more than half around is one in the other direction."""
    circle = int(CIRCLE[feature])
    found = [int(clause_of(feature, names.RISES_BY, step, 0)) for step in range(1, circle // 2 + 1)]
    for step in range(1, (circle + 1) // 2):
        found.append(int(clause_of(feature, names.FALLS_BY, step, 0)))
    return found


def _repeated(feature: int) -> list[int]:
    """What returns: alternation, and the same from both ends."""
    if feature == names.SUIT:  # its colour says it
        return [int(clause_of(feature, names.ALTERNATES, names.PARITY, 0))]
    found = [int(clause_of(feature, names.ALTERNATES, NO_VALUE, 0))]
    found.append(int(clause_of(feature, names.PALINDROME, NO_VALUE, 0)))
    if feature in NUMERIC:
        found.append(int(clause_of(feature, names.ALTERNATES, names.PARITY, 0)))
    return found


def _directed(feature: int) -> list[int]:
    """What is read from one of the ends."""
    found: list[tuple[int, int]] = []
    if feature in ORDERED:
        found += [(names.RISES, NO_VALUE), (names.FALLS, NO_VALUE)]
        numbers = [value for value in values_of(feature) if feature != names.RANK or value < 10]
        found += [(names.STARTS, _word(feature, value)) for value in numbers]
    if feature == names.LETTER:
        found.append((names.WORD, NO_VALUE))
    if feature in (names.RANK, names.NUMBER):
        found += [(names.FOLLOWS, word) for word in range(names.FIRST_SEQUENCE, NO_VALUE)]
    return [
        int(clause_of(feature, pattern, word, direction))
        for pattern, word in found
        for direction in range(2)
    ]


def _word(feature: int, value: int) -> int:
    return value if feature == names.SUIT else word_for(feature, value)


def _everything() -> list[int]:
    found: list[int] = []
    for feature in range(int(names.FEATURES)):
        found += _said_of_one(feature) + _steps(feature) + _repeated(feature) + _directed(feature)
    return sorted(found)


CATALOGUE: Final[vec[i64]] = vec[i64](_everything())
_KNOWN: Final = frozenset(_everything())


def is_clause(clause: int) -> bool:
    """Can the language say this?"""
    return clause in _KNOWN


# -- what `is` allows -----------------------------------------------------------------------------


def _allowed(feature: int, word: int) -> list[int]:
    return [value for value in DOMAINS[PRINT_OF[feature]] if allows(feature, word, value)]


def _mask(members: list[int], first: int) -> int:
    """The members from `first` on, as one word of a set."""
    return sum(1 << (member - first) for member in members if first <= member < first + 60)


def _table() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for feature in range(int(names.FEATURES)):
        for word in _words(feature):
            found[feature * 256 + word] = _allowed(feature, word)
        if feature == names.SUIT:
            for suit in range(12):
                found[feature * 256 + suit] = [suit]
    return found


_ALLOWED: Final = _table()


def _by_value(first: int) -> vec[i64]:
    """By feature and word: the values of the print that `is` allows."""
    return vec[i64]([_mask(_ALLOWED.get(key, []), first) for key in range(12 * 256)])


def _by_card(first: int) -> vec[i64]:
    """By feature and word: the cards that `is` allows."""
    table = [0] * (12 * 256)
    for key, values in _ALLOWED.items():
        row = int(PRINT_OF[key // 256]) * int(CARDS)
        cards = [card for card in range(int(REGULAR)) if PRINTED[row + card] in values]
        table[key] = _mask(cards, first)
    return vec[i64](table)


ALLOWED_LOW: Final[vec[i64]] = _by_value(0)
ALLOWED_HIGH: Final[vec[i64]] = _by_value(60)
CARDS_LOW: Final[vec[i64]] = _by_card(0)
CARDS_MIDDLE: Final[vec[i64]] = _by_card(60)
CARDS_HIGH: Final[vec[i64]] = _by_card(120)


def key_of(clause: i64) -> i64:
    """Where the tables have a clause."""
    return (clause & 0xFF) << 8 | (clause >> 16) & 0xFF


def exact_word(feature: int, word: int) -> bool:
    """Is this word a value of the feature, and not a property of several?"""
    return exact(feature, word) >= 0
