"""The codes of clauses: features, patterns and values, each with its number; a clause is one
integer made of them."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.duel_of_law.cards import ALPHABET, COLOUR_NAMES, POKER_SUITS, SHADE_NAMES

COLOUR: Final[i64] = 0
SUIT: Final[i64] = 1
SHADE: Final[i64] = 2
DICE: Final[i64] = 3
POKER: Final[i64] = 4
POKER_COLOUR: Final[i64] = 5
RANK: Final[i64] = 6
FACE: Final[i64] = 7
NUMBER: Final[i64] = 8
LETTER: Final[i64] = 9
VOWEL: Final[i64] = 10
LETTER_VALUE: Final[i64] = 11
FEATURE_COUNT: Final[i64] = 12
FEATURE_NAMES: Final = (
    *("colour", "suit", "shade", "dice", "poker", "poker_colour", "rank", "face"),
    *("number", "letter", "vowel", "letter_value"),
)

IS: Final[i64] = 0
STARTS: Final[i64] = 1
RISES: Final[i64] = 2
FALLS: Final[i64] = 3
RISES_BY: Final[i64] = 4
FALLS_BY: Final[i64] = 5
ALTERNATES: Final[i64] = 6
PALINDROME: Final[i64] = 7
WORD: Final[i64] = 8
FOLLOWS: Final[i64] = 9
# Since version 2: see `value_patterns`.
NEVER_FALLS: Final[i64] = 10
NEVER_RISES: Final[i64] = 11
CYCLES: Final[i64] = 12
PAIRS: Final[i64] = 13
ADDS_TO: Final[i64] = 14
PEAKS: Final[i64] = 15
DIPS: Final[i64] = 16
DOUBLES: Final[i64] = 17
SUM_OF_TWO: Final[i64] = 18
CONSECUTIVE: Final[i64] = 19
FIRST_PATTERN_NAMES: Final = (
    *("is", "starts", "rises", "falls", "rises_by", "falls_by"),
    *("alternates", "palindrome", "word", "follows"),
)
PATTERN_NAMES: Final = (
    *FIRST_PATTERN_NAMES,
    *("never_falls", "never_rises", "cycles", "pairs", "adds_to", "peaks", "dips"),
    *("doubles", "sum_of_two", "consecutive"),
)

MONOTONE_PATTERNS: Final[i64] = bit(RISES) | bit(FALLS)  # sets of patterns
NEVER_PATTERNS: Final[i64] = bit(NEVER_FALLS) | bit(NEVER_RISES)
STEP_PATTERNS: Final[i64] = bit(RISES_BY) | bit(FALLS_BY)
TURNING_PATTERNS: Final[i64] = bit(PEAKS) | bit(DIPS)
# of three cards, the third is like the first
RETURNING_PATTERNS: Final[i64] = bit(ALTERNATES) | bit(PALINDROME)
# those in which face cards have a rank
LITERAL_PATTERNS: Final[i64] = bit(IS) | RETURNING_PATTERNS | bit(CYCLES) | bit(PAIRS)

# those that hold on a line just where they hold on each three neighbours, two by two
LOCAL_PATTERNS: Final[i64] = (
    bit(IS)
    | MONOTONE_PATTERNS
    | NEVER_PATTERNS
    | STEP_PATTERNS
    | bit(ALTERNATES)
    | bit(ADDS_TO)
    | bit(DOUBLES)
)
# those that compare more than two cards at once
JOINT_PATTERNS: Final[i64] = (
    bit(WORD) | bit(CYCLES) | TURNING_PATTERNS | bit(SUM_OF_TWO) | bit(CONSECUTIVE)
)
# those that no card at an end can repair once they are broken
LASTING_PATTERNS: Final[i64] = LOCAL_PATTERNS | JOINT_PATTERNS & ~bit(WORD)
# those that further cards at the ends may complete
WHOLE_PATTERNS: Final[i64] = bit(WORD) | bit(PALINDROME) | bit(FOLLOWS) | bit(PAIRS)
DIRECTION_NAMES: Final = ("forward", "backward")  # from left to right or from top to bottom is 0

# A value's number: the numbers on cards stand for themselves, and all other words come after them.
FIRST_LETTER: Final[i64] = 120
FIRST_COLOUR: Final[i64] = 146
FIRST_SHADE: Final[i64] = 158
FIRST_POKER: Final[i64] = 160
BLACK: Final[i64] = 156  # the colour of a suit and of two poker suits …
RED: Final[i64] = 146  # … as is this one
IS_VOWEL: Final[i64] = 164
IS_FACE: Final[i64] = 166
EVEN: Final[i64] = 168
ODD: Final[i64] = 169
PRIME: Final[i64] = 170  # then squares, triangular and Fibonacci numbers, powers of 2
MULTIPLE_OF_THREE: Final[i64] = 175  # of 3, and so on up to 12
PARITY: Final[i64] = 185
FIRST_SEQUENCE: Final[i64] = 186
NO_VALUE: Final[i64] = 194
# Since version 2.
CUBE: Final[i64] = 195
COMPOSITE: Final[i64] = 196
MULTIPLE_OF_THIRTEEN: Final[i64] = 197  # of 13, and so on up to 29
FIRST_LINK: Final[i64] = 214  # another feature of the same card
LINKED_FEATURES: Final[list[int]] = [int(DICE), int(SUIT), int(LETTER_VALUE)]
FIRST_VALUE_NAMES: Final = (
    *[str(number) for number in range(120)],
    *ALPHABET,
    *COLOUR_NAMES,
    *SHADE_NAMES,
    *POKER_SUITS,
    *("vowel", "consonant", "face", "number"),
    *("even", "odd", "prime", "square", "triangular", "fibonacci", "power of 2"),
    *[f"multiple of {factor}" for factor in range(3, 13)],
    "parity",
    *("pi", "euler", "sqrt2", "phi", "primes", "squares", "fibonacci numbers", "powers of 2"),
    "",
)
VALUE_NAMES: Final = (
    *FIRST_VALUE_NAMES,
    *("cube", "composite"),
    *[f"multiple of {factor}" for factor in range(13, 30)],
    *[FEATURE_NAMES[feature] for feature in LINKED_FEATURES],
)


def encode_clause(feature: i64, pattern: i64, value: i64 = NO_VALUE, direction: i64 = 0) -> i64:
    """The number of a clause; shifted above an action's kind, it makes a claim."""
    return feature | (pattern << 8) | (value << 16) | (direction << 24)


def feature_in(clause: i64) -> i64:
    """The feature that the clause examines."""
    return clause & 0xFF


def pattern_in(clause: i64) -> i64:
    """The pattern that the feature must follow."""
    return (clause >> 8) & 0xFF


def value_in(clause: i64) -> i64:
    """The value that the pattern needs."""
    return (clause >> 16) & 0xFF


def direction_in(clause: i64) -> i64:
    """The direction in which the line is read."""
    return (clause >> 24) & 0xFF


def is_property(value: i64) -> bool:
    """Whether a value is a property of numbers, such as even."""
    return EVEN <= value < PARITY or CUBE <= value < FIRST_LINK


def is_link(clause: i64) -> bool:
    """Whether a clause says that two features of each card are equal."""
    return pattern_in(clause) == IS and value_in(clause) >= FIRST_LINK


def linked_feature(clause: i64) -> i64:
    """The other feature that a link names."""
    return LINKED_FEATURES[value_in(clause) - FIRST_LINK]


def counts(clause: i64) -> bool:
    """Whether a clause needs numbers, so that a face card has no rank for it."""
    if bit(pattern_in(clause)) & LITERAL_PATTERNS == 0:
        return True
    return pattern_in(clause) == ALTERNATES and value_in(clause) != NO_VALUE


def clauses_with(patterns: i64, law: vec[i64]) -> vec[i64]:
    """The clauses of a law that have a pattern of a set."""
    found = vec[i64]()
    for clause in law:
        if patterns & bit(pattern_in(clause)) != 0:
            found = append(found, clause)
    return found


def clause_fields(clause: i64) -> dict[str, str]:
    """The fields of a clause in JSON, by name."""
    return {
        "feature": FEATURE_NAMES[feature_in(clause)],
        "pattern": PATTERN_NAMES[pattern_in(clause)],
        "value": VALUE_NAMES[value_in(clause)],
        "direction": DIRECTION_NAMES[direction_in(clause)],
    }


def clause_of_fields(feature: str, pattern: str, value: str, direction: str = "forward") -> i64:
    """The number of a clause from its fields; ValueError if one has no such name."""
    return encode_clause(
        FEATURE_NAMES.index(feature),
        PATTERN_NAMES.index(pattern),
        VALUE_NAMES.index(value),
        DIRECTION_NAMES.index(direction),
    )
