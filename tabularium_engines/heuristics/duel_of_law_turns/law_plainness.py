"""The order of plainness: how much a person has to work out to see a clause. Of laws that are worth
the same, a bot names the one that others see, and can answer, at a glance."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.duel_of_law.laws import clause_codes as codes

# Of `is`, by value: what is printed on the cards, then odd and even, then what takes arithmetic.
PRINTED: Final[i64] = 0
PARITY: Final[i64] = 1
WELL_KNOWN: Final[i64] = 3  # primes, and multiples of 3, 5 and 10
COMPUTED: Final[i64] = 5
_WELL_KNOWN_VALUES: Final[list[i64]] = [
    *(codes.PRIME, codes.MULTIPLE_OF_THREE, codes.MULTIPLE_OF_THREE + 2),
    codes.MULTIPLE_OF_THREE + 7,
]
# Values that go up and down, by steps and in turn, come before sums and sequences.
EFFORT_BY_PATTERN: Final[dict[i64, int]] = {
    codes.IS: 0,  # and the effort of its value
    **dict.fromkeys((codes.RISES, codes.FALLS, codes.ALTERNATES, codes.WORD), 2),
    **dict.fromkeys((codes.STARTS, codes.RISES_BY, codes.FALLS_BY, codes.PAIRS), 3),
    **dict.fromkeys((codes.PALINDROME, codes.NEVER_FALLS, codes.NEVER_RISES, codes.CYCLES), 4),
    **dict.fromkeys((codes.FOLLOWS, codes.PEAKS, codes.DIPS, codes.CONSECUTIVE), 5),
    **dict.fromkeys((codes.ADDS_TO, codes.DOUBLES, codes.SUM_OF_TWO), 6),
}
EFFORTS: Final[list[int]] = [EFFORT_BY_PATTERN[pattern] for pattern in sorted(EFFORT_BY_PATTERN)]
OF_LETTER_VALUES: Final[i64] = 1  # in addition: of the numbers on a card they are the smallest


def effort_to_see(clause: i64) -> i64:
    """The effort to see that a line follows a clause: 0 of the plainest ones."""
    pattern, value = codes.pattern_in(clause), codes.value_in(clause)
    found = _effort_of_value(value) if pattern == codes.IS else i64(EFFORTS[pattern])
    if pattern == codes.ALTERNATES and value != codes.NO_VALUE:
        found += 1
    return found + (OF_LETTER_VALUES if codes.feature_in(clause) == codes.LETTER_VALUE else 0)


def _effort_of_value(value: i64) -> i64:
    if value == codes.EVEN or value == codes.ODD:
        return PARITY
    if value in _WELL_KNOWN_VALUES:
        return WELL_KNOWN
    is_computed = codes.is_property(value) or value >= codes.FIRST_LINK
    return COMPUTED if is_computed else PRINTED
