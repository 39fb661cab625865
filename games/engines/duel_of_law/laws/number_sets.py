"""Sets of numbers: sequences, such as the primes, the Fibonacci numbers and the digits of pi, and
properties, such as even and prime."""

from __future__ import annotations

from decimal import Context
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import CARD_COUNT
from games.engines.duel_of_law.laws import clause_codes as codes

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


def has_property(value: int, number: int) -> bool:
    """Whether a number is even, prime, a multiple of 3 and so on."""
    if value >= codes.MULTIPLE_OF_THREE:
        return number % (value - codes.MULTIPLE_OF_THREE + 3) == 0
    if value <= codes.ODD:
        return number % 2 == value - codes.EVEN
    listed = (PRIMES, SQUARES, TRIANGLES, [0, *FIBONACCIS], POWERS_OF_TWO)
    return number in listed[value - codes.PRIME]
