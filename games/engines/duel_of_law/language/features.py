"""What can be read off a card? Twelve features, some of which are only another look at the same
print: a colour is a suit, a vowel is a letter. A *print* is what is independent on a joker."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import (
    CARDS,
    DICE,
    LETTER,
    NUMBER,
    POKER,
    RANK,
    SHADE,
    SUIT,
    VALUE,
)
from games.engines.duel_of_law.language import names
from games.engines.duel_of_law.language.sequences import has_property

PRINTS: Final[i64] = 8  # suit, shade, dice, poker, rank, number, letter, letter value
NUMBER_PRINT: Final[i64] = 5
LETTER_PRINT: Final[i64] = 6
SPAN: Final[i64] = 120  # values of a print are below it: two words of 60 bits are a set of them
PRINT_OF: Final[vec[i64]] = vec[i64]([0, 0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7])  # by feature
NUMERIC: Final[list[int]] = [
    *(names.SUIT, names.DICE, names.RANK, names.NUMBER, names.LETTER_VALUE),
]
ORDERED: Final[list[int]] = [*NUMERIC, names.LETTER]
IS_NUMERIC: Final[vec[i64]] = vec[i64]([int(feature in NUMERIC) for feature in range(12)])
IS_ORDERED: Final[vec[i64]] = vec[i64]([int(feature in ORDERED) for feature in range(12)])
CIRCLE: Final[vec[i64]] = vec[i64]([0, 12, 0, 6, 0, 0, 10, 0, 120, 26, 0, 0])  # by feature, R15
VOWELS: Final = "AEIOU"  # R41

_PRINTED: Final = (SUIT, SHADE, DICE, POKER, RANK, NUMBER, LETTER, VALUE)

# By print and card, what is printed there; -1 where there is nothing.
PRINTED: Final[vec[i64]] = vec[i64]([row[card] for row in _PRINTED for card in range(CARDS)])

# By print, all its values.
DOMAINS: Final = (
    *([*range(12)], [0, 1], [*range(1, 7)], [*range(4)], [*range(13)], [*range(120)]),
    *([*range(26)], [1, 2, 3, 4, 5, 8, 10]),
)


def printed(card: i64, which: i64) -> i64:
    """What a print of a card says."""
    return PRINTED[which * CARDS + card]


def look(feature: int, value: int) -> int:
    """A feature of a card whose print says this: -1 where it has none (a jack has no number)."""
    if feature == names.POKER_COLOUR:
        return value % 2
    if feature == names.VOWEL:
        return 0 if value in (0, 4, 8, 14, 20) else 1
    if feature == names.FACE:
        return 0 if value >= 10 else 1
    return value


# By feature, and the value of its print.
LOOKS: Final[vec[i64]] = vec[i64](
    [look(feature, value) for feature in range(12) for value in range(120)]
)


def exact(feature: int, word: int) -> int:
    """Which value a word of the language means for a feature; -1: none."""
    first = {
        names.COLOUR: names.FIRST_COLOUR,
        names.SHADE: names.FIRST_SHADE,
        names.POKER: names.FIRST_POKER,
        names.LETTER: names.FIRST_LETTER,
        names.VOWEL: names.IS_VOWEL,
        names.FACE: names.IS_FACE,
    }.get(feature, 0)
    if feature == names.POKER_COLOUR:
        return {names.BLACK: 0, names.RED: 1}.get(word, -1)
    if feature == names.RANK and word >= 10:
        faces = [names.FIRST_LETTER + place for place in (9, 16, 10)]  # J, Q, K
        return faces.index(word) + 10 if word in faces else -1
    value = word - first
    return value if value in values_of(feature) else -1


def values_of(feature: int) -> list[int]:
    """All that a feature may say."""
    if feature in (names.POKER_COLOUR, names.VOWEL, names.FACE):
        return [0, 1]
    return DOMAINS[PRINT_OF[feature]]


def word_for(feature: int, value: int) -> int:
    """The word for a value of a feature."""
    return next(word for word in range(names.NO_VALUE) if exact(feature, word) == value)


def allows(feature: int, word: int, value: int) -> bool:
    """Does `feature is word` hold for a card whose print says this value?"""
    if exact(feature, word) >= 0:
        return look(feature, value) == exact(feature, word)
    if not names.EVEN <= word < names.PARITY or feature not in NUMERIC:
        return False
    if feature == names.RANK and value >= 10:  # R20
        return False
    return has_property(word, value)
