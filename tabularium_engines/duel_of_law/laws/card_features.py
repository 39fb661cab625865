"""The features of a card: twelve, such as colour, number and letter, with their values and the
words for these. Some are only another look at the same print: a colour is a suit, a vowel is a
letter. A *print* is one of the properties that are independent of each other on a joker."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.duel_of_law import cards as deck
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.number_sets import (
    PROPERTY_SETS,
    has_property,
    place_of_property,
)

PRINT_COUNT: Final[i64] = 8  # suit, shade, dice, poker, rank, number, letter, letter value
# print values are below it: two words of 60 bits are a set of them
VALUE_SPAN: Final[i64] = 120
PRINT_OF: Final[vec[i64]] = vec[i64]([0, 0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7])  # by feature
NUMERIC_FEATURES: Final = [codes.SUIT, codes.DICE, codes.RANK, codes.NUMBER, codes.LETTER_VALUE]
ORDERED_FEATURES: Final = [*NUMERIC_FEATURES, codes.LETTER]
IS_NUMERIC: Final[vec[i64]] = vec[i64]([int(feature in NUMERIC_FEATURES) for feature in range(12)])
IS_ORDERED: Final[vec[i64]] = vec[i64]([int(feature in ORDERED_FEATURES) for feature in range(12)])
# by feature, R15
CIRCLE_SIZE: Final[vec[i64]] = vec[i64]([0, 12, 0, 6, 0, 0, 10, 0, 120, 26, 0, 0])
FIRST_FACE_RANK: Final[i64] = 10  # ranks from here on are no numbers
_VOWELS: Final = (0, 4, 8, 14, 20)  # A, E, I, O, U: R41

_TABLES_BY_PRINT: Final = (
    *(deck.SUIT_BY_CARD, deck.SHADE_BY_CARD, deck.DIE_BY_CARD, deck.POKER_SUIT_BY_CARD),
    *(deck.RANK_BY_CARD, deck.NUMBER_BY_CARD, deck.LETTER_BY_CARD, deck.LETTER_VALUE_BY_CARD),
)

# By print and card, the printed value; -1 where there is none.
PRINTED_VALUES: Final[vec[i64]] = vec[i64](
    [row[card] for row in _TABLES_BY_PRINT for card in range(deck.CARD_COUNT)]
)

# By print, all its values.
PRINT_DOMAINS: Final = (
    *([*range(12)], [0, 1], [*range(1, 7)], [*range(4)], [*range(13)], [*range(120)]),
    *([*range(26)], [1, 2, 3, 4, 5, 8, 10]),
)


def feature_value(feature: int, value: int) -> int:
    """A feature of a card from its print; -1 where it has none (a jack has no number)."""
    if feature == codes.POKER_COLOUR:
        return value % 2
    if feature == codes.VOWEL:
        return 0 if value in _VOWELS else 1
    if feature == codes.FACE:
        return 0 if value >= FIRST_FACE_RANK else 1
    return value


# By feature and value of its print.
FEATURE_VALUES: Final[vec[i64]] = vec[i64](
    [feature_value(feature, value) for feature in range(12) for value in range(120)]
)


# By feature and card, the value, and the number that it counts as; -1 where there is none.
VALUES_ON_CARD: Final[vec[i64]] = vec[i64](
    [
        feature_value(feature, printed) if printed >= 0 else -1
        for feature in range(12)
        for printed in PRINTED_VALUES[PRINT_OF[feature] * 162 : PRINT_OF[feature] * 162 + 162]
    ]
)
NUMBERS_ON_CARD: Final[vec[i64]] = vec[i64](
    [
        -1 if at // 162 == codes.RANK and value >= FIRST_FACE_RANK else value
        for at, value in enumerate(VALUES_ON_CARD)
    ]
)


def exact_value(feature: int, word: int) -> int:
    """The value that a word of the language means for a feature; -1 if there is none."""
    first = {
        codes.COLOUR: codes.FIRST_COLOUR,
        codes.SHADE: codes.FIRST_SHADE,
        codes.POKER: codes.FIRST_POKER,
        codes.LETTER: codes.FIRST_LETTER,
        codes.VOWEL: codes.IS_VOWEL,
        codes.FACE: codes.IS_FACE,
    }.get(feature, 0)
    if feature == codes.POKER_COLOUR:
        return {codes.BLACK: 0, codes.RED: 1}.get(word, -1)
    if feature == codes.RANK and word >= FIRST_FACE_RANK:
        faces = [codes.FIRST_LETTER + place for place in (9, 16, 10)]  # J, Q, K
        return faces.index(word) + 10 if word in faces else -1
    value = word - first
    return value if value in values_of(feature) else -1


def values_of(feature: int) -> list[int]:
    """All values of a feature."""
    if feature in (codes.POKER_COLOUR, codes.VOWEL, codes.FACE):
        return [0, 1]
    return PRINT_DOMAINS[PRINT_OF[feature]]


TWO_VALUED: Final[vec[i64]] = vec[i64]([int(len(values_of(n)) == 2) for n in range(12)])


def word_for(feature: int, value: int) -> int:
    """The word for a value of a feature."""
    return next(word for word in range(codes.NO_VALUE) if exact_value(feature, word) == value)


def is_allowed(feature: int, word: int, value: int) -> bool:
    """Whether `feature is word` holds for a card whose print has this value."""
    if exact_value(feature, word) >= 0:
        return feature_value(feature, value) == exact_value(feature, word)
    if not codes.is_property(word) or feature not in NUMERIC_FEATURES:
        return False
    if feature == codes.RANK and value >= FIRST_FACE_RANK:  # R20
        return False
    return has_property(word, value)


def is_number(feature: int, value: int) -> bool:
    """Whether a value of a feature counts as a number: a jack has no rank that does."""
    return feature != codes.RANK or value < FIRST_FACE_RANK


def linked_values(feature: int, other: int) -> list[int]:
    """The values that two features can both have."""
    values = [value for value in values_of(feature) if is_number(feature, value)]
    return [value for value in values if value in values_of(other)]


def print_of(clause: i64) -> i64:
    """The print that a clause examines."""
    return PRINT_OF[codes.feature_in(clause)]


def prints_of(law: vec[i64]) -> i64:
    """The set of prints that a law examines."""
    found: i64 = 0
    for clause in law:
        found |= bit(print_of(clause))
    return found


def seen_value(clause: i64, value: i64) -> i64:
    """The value of a print as a clause sees it; -1 if the clause cannot apply to it."""
    feature, word = codes.feature_in(clause), codes.value_in(clause)
    if word == codes.PARITY or codes.is_property(word):
        if feature == codes.RANK and value >= FIRST_FACE_RANK:
            return -1
        if word == codes.PARITY:
            return value & 1
        return (PROPERTY_SETS[value] >> place_of_property(word)) & 1
    return FEATURE_VALUES[feature * VALUE_SPAN + value]


def has_two_looks(clause: i64) -> bool:
    """Whether a clause sees at most two different values."""
    word = codes.value_in(clause)
    if word == codes.PARITY or codes.is_property(word):
        return True
    return TWO_VALUED[codes.feature_in(clause)] == 1


def sees_all(clause: i64) -> bool:
    """Whether a clause sees each value of its print, and none of them like another one."""
    feature = codes.feature_in(clause)
    is_part = feature in (codes.POKER_COLOUR, codes.VOWEL, codes.FACE)
    return codes.value_in(clause) == codes.NO_VALUE and not is_part


def seen_values(line: vec[i64], clause: i64) -> vec[i64]:
    """The values of a line as a clause sees them; -1 for a joker."""
    row = PRINT_OF[codes.feature_in(clause)] * deck.CARD_COUNT
    found = line[:]
    for place in range(len(line)):
        is_open = line[place] >= deck.REGULAR_COUNT
        found[place] = -1 if is_open else seen_value(clause, PRINTED_VALUES[row + line[place]])
    return found


def are_legible(line: vec[i64], clause: i64) -> bool:
    """Whether each card has a value that a clause can see; a joker has."""
    row = codes.feature_in(clause) * deck.CARD_COUNT
    for card in line:
        if card < deck.REGULAR_COUNT and VALUES_ON_CARD[row + card] < 0:
            return False
    return True


def property_set(card: i64, feature: i64) -> i64:
    """The set of the properties that a card has by a feature; -1 if it has no number."""
    value = NUMBERS_ON_CARD[feature * deck.CARD_COUNT + card]
    return PROPERTY_SETS[value] if value >= 0 else -1


def start_number(clause: i64) -> i64:
    """The number with which a line starts; letters are numbered from 0."""
    value = codes.value_in(clause)
    return value if value < VALUE_SPAN else value - VALUE_SPAN
