"""Sets of numbers: sequences, such as the primes, the Fibonacci numbers and the digits of pi, and
properties, such as even and prime."""

from __future__ import annotations

from decimal import Context
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes

SEQUENCE_LENGTH: Final[i64] = CARD_COUNT  # no line has more cards

# Two digits before the point, and then as many as the longest line may need, two for a card.
_PI_DIGITS: Final = (
    "0314159265358979323846264338327950288419716939937510582097494459230781640628620899862803"
    "4825342117067982148086513282306647093844609550582231725359408128481117450284102701938521"
    "1055596446229489549303819644288109756659334461284756482337867831652712019091456485669234"
    "60348610454326648213393607260249141273724587006606315588174881"
)
_PRECISE: Final = Context(prec=len(_PI_DIGITS))
_GOLDEN_RATIO: Final = _PRECISE.divide(_PRECISE.add(_PRECISE.sqrt(5), 1), 2)
_ROOTS_AND_E: Final = (_PRECISE.exp(1), _PRECISE.sqrt(2), _GOLDEN_RATIO)

PRIMES: Final = [n for n in range(2, 120) if all(n % d != 0 for d in range(2, n))]
SQUARES: Final = [n * n for n in range(11)]
TRIANGLES: Final = [n * (n + 1) // 2 for n in range(16) if n * (n + 1) < 240]
FIBONACCIS: Final = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
POWERS_OF_TWO: Final = [1, 2, 4, 8, 16, 32, 64]
CUBES: Final = [0, 1, 8, 27, 64]
COMPOSITES: Final = [n for n in range(2, 120) if any(n % d == 0 for d in range(2, n))]
DIGIT_STRINGS: Final = (_PI_DIGITS, *[f"0{number}".replace(".", "") for number in _ROOTS_AND_E])
ORDERED_SEQUENCES: Final = (PRIMES, SQUARES[1:], FIBONACCIS, POWERS_OF_TWO)


def _all_members() -> list[int]:
    """By sequence and feature (ranks, then numbers), the members from the first on."""
    found: list[int] = []
    for digits in DIGIT_STRINGS:
        found += [int(digit) for digit in digits[1 : SEQUENCE_LENGTH + 1]]  # one by one: 3, 1, 4
        pairs = range(0, 2 * SEQUENCE_LENGTH, 2)  # two by two: 03, 14, 15
        found += [int(digits[place : place + 2]) for place in pairs]
    for members in ORDERED_SEQUENCES:
        for limit in (10, 120):  # the members below it, over and over
            kept = [member for member in members if member < limit]
            found += [kept[place % len(kept)] for place in range(SEQUENCE_LENGTH)]
    return found


_MEMBERS: Final[vec[i64]] = vec[i64](_all_members())
HIGHEST_START: Final[i64] = 3  # of all sequences


def sequence_member(sequence: i64, feature: i64, place: i64) -> i64:
    """The member at a place of a sequence, written in ranks or in numbers."""
    row = (sequence - codes.FIRST_SEQUENCE) * 2 + (1 if feature == codes.NUMBER else 0)
    return _MEMBERS[row * SEQUENCE_LENGTH + place]


_ORDERED_MEMBERS: Final[list[list[i64]]] = [
    [member for member in members if member < limit]
    for members in ORDERED_SEQUENCES
    for limit in (10, 120)
]
FIRST_ORDERED_SEQUENCE: Final[i64] = codes.FIRST_SEQUENCE + len(DIGIT_STRINGS)


def ordered_members(sequence: i64, feature: i64) -> list[i64]:
    """The members of an ordered sequence that a feature can have, each once in the order."""
    row = 2 * (sequence - FIRST_ORDERED_SEQUENCE) + (1 if feature == codes.NUMBER else 0)
    return _ORDERED_MEMBERS[row]


def has_property(value: int, number: int) -> bool:
    """Whether a number is even, prime, a multiple of 3 and so on."""
    if value >= codes.MULTIPLE_OF_THIRTEEN:
        return number % (value - codes.MULTIPLE_OF_THIRTEEN + 13) == 0
    if value >= codes.CUBE:
        return number in (CUBES if value == codes.CUBE else COMPOSITES)
    if value >= codes.MULTIPLE_OF_THREE:
        return number % (value - codes.MULTIPLE_OF_THREE + 3) == 0
    if value <= codes.ODD:
        return number % 2 == value - codes.EVEN
    listed = (PRIMES, SQUARES, TRIANGLES, [0, *FIBONACCIS], POWERS_OF_TWO)
    return number in listed[value - codes.PRIME]


# The properties, and by number the set of those that it has.
PROPERTIES: Final[vec[i64]] = vec[i64](
    [value for value in range(int(codes.FIRST_LINK)) if codes.is_property(value)]
)
PROPERTY_SETS: Final[vec[i64]] = vec[i64](
    [
        sum(1 << at for at, value in enumerate(PROPERTIES) if has_property(value, number))
        for number in range(120)
    ]
)


def place_of_property(value: i64) -> i64:
    """The place of a property in the sets."""
    if value < codes.PARITY:
        return value - codes.EVEN
    return codes.PARITY - codes.EVEN + value - codes.CUBE
