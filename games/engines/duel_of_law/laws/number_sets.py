"""Sets of numbers: sequences, such as the primes, the Fibonacci numbers and the digits of pi, and
properties, such as even and prime."""

from __future__ import annotations

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
_E_DIGITS: Final = (
    "0271828182845904523536028747135266249775724709369995957496696762772407663035354759457138"
    "2178525166427427466391932003059921817413596629043572900334295260595630738132328627943490"
    "7632338298807531952510190115738341879307021540891499348841675092447614606680822648001684"
    "77411853742345442437107539077744992069551702761838606261331384"
)
_SQRT2_DIGITS: Final = (
    "0141421356237309504880168872420969807856967187537694807317667973799073247846210703885038"
    "7534327641572735013846230912297024924836055850737212644121497099935831413222665927505592"
    "7557999505011527820605714701095599716059702745345968620147285174186408891986095523292304"
    "84308714321450839762603627995251407989687253396546331808829640"
)
_PHI_DIGITS: Final = (
    "0161803398874989484820458683436563811772030917980576286213544862270526046281890244970720"
    "7204189391137484754088075386891752126633862223536931793180060766726354433389086595939582"
    "9056383226613199282902678806752087668925017116962070322210432162695486262963136144381497"
    "58701220340805887954454749246185695364864449241044320771344947"
)

PRIMES: Final = [n for n in range(2, 120) if all(n % d != 0 for d in range(2, n))]
SQUARES: Final = [n * n for n in range(11)]
TRIANGLES: Final = [n * (n + 1) // 2 for n in range(16) if n * (n + 1) < 240]
FIBONACCIS: Final = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
POWERS_OF_TWO: Final = [1, 2, 4, 8, 16, 32, 64]
DIGIT_STRINGS: Final = (_PI_DIGITS, _E_DIGITS, _SQRT2_DIGITS, _PHI_DIGITS)
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
