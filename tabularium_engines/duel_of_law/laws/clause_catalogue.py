"""The catalogue of clauses: all that a law may contain, and the cards and values that each clause
with `is` allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import has, lowest
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.number_sets import FIRST_ORDERED_SEQUENCE, PROPERTIES

BITS_PER_WORD: Final[i64] = 60  # in a word of a set
LONGEST_CYCLE: Final = 6
# Of other features and properties they would let nearly each hand be laid as one line: R45.
_RANKS_AND_NUMBERS: Final[list[int]] = [int(codes.RANK), int(codes.NUMBER)]
_PAIRED: Final[list[int]] = [
    *(int(codes.COLOUR), int(codes.DICE), int(codes.RANK), int(codes.LETTER)),
]
_ALTERNATING_PROPERTIES: Final[list[int]] = [
    *(int(codes.PRIME), int(codes.PRIME + 1), int(codes.MULTIPLE_OF_THREE))
]
_CYCLING: Final[list[i64]] = [
    *(codes.COLOUR, codes.DICE, codes.POKER, codes.RANK, codes.LETTER, codes.LETTER_VALUE),
]
_LINKS: Final[Mapping[int, Sequence[int]]] = {  # by feature, those with which it may be equal
    int(codes.RANK): codes.LINKED_FEATURES,
    int(codes.SUIT): [int(codes.DICE)],
    int(codes.LETTER_VALUE): [int(codes.DICE), int(codes.SUIT)],
}


def _property_words(feature: int) -> list[int]:
    """The properties that at least two values of a feature have: a property of one alone is that
    value."""
    values = features.values_of(feature)
    return [
        int(word)
        for word in PROPERTIES
        if sum(features.is_allowed(feature, int(word), v) for v in values) > 1
    ]


def _links(feature: int) -> list[int]:
    """The words for the features with which a feature may be equal."""
    others = _LINKS.get(feature, ())
    return [int(codes.FIRST_LINK) + codes.LINKED_FEATURES.index(other) for other in others]


def _value_words(feature: int) -> list[int]:
    """All words that can follow `is` for a feature. The value of a suit is said by its colour."""
    values = features.values_of(feature) if feature != codes.SUIT else []
    words = [features.word_for(feature, value) for value in values]
    return words + _property_words(feature) + _links(feature)


def _undirected_phrases(feature: int) -> Iterator[tuple[int, int]]:
    """The patterns that read the same from both ends, each with a word."""
    for word in _value_words(feature):
        yield codes.IS, word
    circle = int(features.CIRCLE_SIZE[feature])
    for step in range(1, circle // 2 + 1):
        yield codes.RISES_BY, step
    for step in range(1, (circle + 1) // 2):  # more than half the circle is the other direction
        yield codes.FALLS_BY, step
    if feature != codes.SUIT:  # its colour expresses it
        yield codes.ALTERNATES, codes.NO_VALUE
        yield codes.PALINDROME, codes.NO_VALUE
    if feature in features.NUMERIC_FEATURES:
        yield codes.ALTERNATES, codes.PARITY
        if feature in _RANKS_AND_NUMBERS:
            for word in _ALTERNATING_PROPERTIES:
                yield codes.ALTERNATES, word
    yield from _later_phrases(feature)


def _later_phrases(feature: int) -> Iterator[tuple[int, int]]:
    """Those that read the same from both ends, since version 2."""
    values = [value for value in features.values_of(feature) if features.is_number(feature, value)]
    if feature in _RANKS_AND_NUMBERS:
        yield codes.PEAKS, codes.NO_VALUE
        yield codes.DIPS, codes.NO_VALUE
    if feature == codes.RANK:  # no two numbers are equal
        yield codes.NEVER_FALLS, codes.NO_VALUE
        yield codes.NEVER_RISES, codes.NO_VALUE
    if feature in _PAIRED:
        yield codes.PAIRS, codes.NO_VALUE
    if feature in _CYCLING:
        for size in range(3, min(LONGEST_CYCLE, len(features.values_of(feature))) + 1):
            yield codes.CYCLES, size
    if feature in features.NUMERIC_FEATURES and feature != codes.NUMBER:
        sums = {one + other for one in values for other in values if one != other}
        for total in sorted(sums):
            yield codes.ADDS_TO, total


def _directed_phrases(feature: int) -> Iterator[tuple[int, int]]:
    """The patterns that are read from one of the ends, each with a word."""
    if feature in features.ORDERED_FEATURES:
        yield codes.RISES, codes.NO_VALUE
        yield codes.FALLS, codes.NO_VALUE
        for value in features.values_of(feature):
            if features.is_number(feature, value):
                is_word = feature == codes.SUIT
                yield codes.STARTS, value if is_word else features.word_for(feature, value)
    if feature == codes.LETTER:
        yield codes.WORD, codes.NO_VALUE
    if feature in features.NUMERIC_FEATURES:
        yield codes.DOUBLES, codes.NO_VALUE
        yield codes.SUM_OF_TWO, codes.NO_VALUE
    if feature in (codes.RANK, codes.NUMBER):
        yield from _sequence_phrases()


def _sequence_phrases() -> Iterator[tuple[int, int]]:
    """The sequences of ranks and numbers: from the first member on, or from anywhere."""
    for word in range(int(codes.FIRST_SEQUENCE), int(codes.NO_VALUE)):
        yield codes.FOLLOWS, word
        if word >= FIRST_ORDERED_SEQUENCE:
            yield codes.CONSECUTIVE, word


def _all_clauses() -> list[int]:
    found: list[i64] = []
    for feature in range(int(codes.FEATURE_COUNT)):
        for pattern, word in _undirected_phrases(feature):
            found.append(codes.encode_clause(feature, pattern, word, 0))
        for pattern, word in _directed_phrases(feature):
            found += [codes.encode_clause(feature, pattern, word, way) for way in range(2)]
    return sorted(int(clause) for clause in found)


CATALOGUE: Final[vec[i64]] = vec[i64](_all_clauses())
_CLAUSE_SET: Final = frozenset(_all_clauses())
# The clauses that examine one card; a set of them is so many words.
SINGLE_CARD_CLAUSES: Final[vec[i64]] = vec[i64](
    [clause for clause in CATALOGUE if codes.pattern_in(clause) == codes.IS]
)
WORDS_PER_CLAUSE_SET: Final[i64] = 5


def is_clause(clause: int) -> bool:
    """Whether the language can say this clause."""
    return clause in _CLAUSE_SET


def word_mask(members: Iterable[int], first: int) -> int:
    """The members from `first` on, as one word of a set."""
    return sum(1 << (member - first) for member in members if first <= member < first + 60)


def is_member(number: i64, words: vec[i64]) -> bool:
    """Whether a set of several words has this member."""
    return has(words[number // BITS_PER_WORD], number % BITS_PER_WORD)


def set_members(words: vec[i64]) -> list[i64]:
    """The members of a set of several words, ascending."""
    found: list[i64] = []
    for word in range(len(words)):
        mask = words[word]
        while mask != 0:
            found.append(word * BITS_PER_WORD + lowest(mask))
            mask &= mask - 1
    return found


def _allowed_values_table() -> dict[int, list[int]]:
    """By feature and word: the values of the print that `is` allows."""
    found: dict[int, list[int]] = {}
    for feature in range(int(codes.FEATURE_COUNT)):
        domain = features.PRINT_DOMAINS[features.PRINT_OF[feature]]
        for word in _value_words(feature):
            if word >= codes.FIRST_LINK:
                other = codes.LINKED_FEATURES[word - codes.FIRST_LINK]
                found[feature * 256 + word] = features.linked_values(feature, other)
                continue
            allowed = [value for value in domain if features.is_allowed(feature, word, value)]
            found[feature * 256 + word] = allowed
        if feature == codes.SUIT:
            found.update((feature * 256 + suit, [suit]) for suit in range(12))
    return found


_ALLOWED_VALUES: Final = _allowed_values_table()


def _word_table(sets: Mapping[int, Iterable[int]], words: int) -> vec[i64]:
    """By feature and word of the language, a set as so many words of 60 bits."""
    firsts = range(0, 60 * words, 60)
    keys = range(12 * 256)
    return vec[i64]([word_mask(sets.get(key, ()), first) for key in keys for first in firsts])


def _allowed_cards(key: int) -> list[int]:
    """The cards that `is` allows."""
    feature, word = key // 256, key % 256
    if word >= codes.FIRST_LINK:
        return _linked_cards(feature, codes.LINKED_FEATURES[word - codes.FIRST_LINK])
    row = int(features.PRINT_OF[key // 256]) * int(CARD_COUNT)
    printed = features.PRINTED_VALUES[row : row + int(REGULAR_COUNT)]
    return [card for card, value in enumerate(printed) if value in _ALLOWED_VALUES[key]]


def _linked_cards(feature: int, other: int) -> list[int]:
    """The cards on which two features are equal numbers."""
    first, second = feature * int(CARD_COUNT), other * int(CARD_COUNT)
    numbers = features.NUMBERS_ON_CARD
    return [
        card
        for card in range(int(REGULAR_COUNT))
        if numbers[first + card] >= 0 and numbers[first + card] == numbers[second + card]
    ]


ALLOWED_VALUES: Final[vec[i64]] = _word_table(_ALLOWED_VALUES, 2)
ALLOWED_CARDS: Final[vec[i64]] = _word_table({k: _allowed_cards(k) for k in _ALLOWED_VALUES}, 3)


def mask_index(clause: i64) -> i64:
    """The index of a clause in the tables."""
    return (clause & 0xFF) << 8 | (clause >> 16) & 0xFF
