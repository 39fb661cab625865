"""The clauses of Duel of Law for its referee: deck, features and patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, getcontext
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

COLOURS: Final = (
    *("red", "pink", "orange", "yellow", "dark green", "light green"),
    *("dark blue", "light blue", "dark purple", "light purple", "black", "gray"),
)
POKER: Final = ("spades", "hearts", "clubs", "diamonds")
RANKS: Final = "0123456789JQK"
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS: Final = (  # R2: of each suit, from 0 to K
    *("AAAAAAAAACDDD", "AAAABBCCCDDDD", "EEEEEEEEEEFFF", "EEEEEEEEEGGGH"),
    *("HHHHHHHHIIJKL", "IIIIIIIIILLLL", "LMMMMNNNNOOOO", "NNNNNNOOOOOOO"),
    *("PPPQRRRRRSSSS", "RRRRSSSSSSTTT", "TTTTTTTTTWWWX", "TTUUUUVVWYYYZ"),
)
VALUES_OF_LETTERS: Final = (
    *(1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10),
)
LETTER_VALUES: Final = dict(zip(ALPHABET, VALUES_OF_LETTERS, strict=True))
JOKERS: Final = {"*1": 0, "*2": 1, "*3": 1, "*4": 0, "*5": 0, "*6": 1}  # with their shades

# The base of each feature: a joker is open in each of these respects separately (R26).
BASES: Final = {
    "colour": "colour",
    "suit": "colour",
    "shade": "shade",
    "dice": "dice",
    "poker": "poker",
    "poker_colour": "poker",
    "rank": "rank",
    "face": "rank",
    "number": "number",
    "letter": "letter",
    "vowel": "letter",
    "letter_value": "letter_value",
}
FEATURES: Final = tuple(BASES)
# The values that can be counted, in the order of the circle (R15).
COUNTS: Final[dict[str, tuple[int, ...]]] = {
    "suit": tuple(range(12)),
    "dice": tuple(range(1, 7)),
    "rank": tuple(range(10)),
    "number": tuple(range(120)),
    "letter_value": (1, 2, 3, 4, 5, 8, 10),
}
COURSES: Final[dict[str, tuple[int, ...]]] = {**COUNTS, "letter": tuple(range(26))}
RISES, FALLS, RISES_BY, FALLS_BY = "rises", "falls", "rises_by", "falls_by"
COURSE_PATTERNS: Final = (RISES, FALLS)
STEP_PATTERNS: Final = (RISES_BY, FALLS_BY)
NEVER_FALLS, NEVER_RISES = NEVER_PATTERNS = ("never_falls", "never_rises")
PEAKS, DIPS, ADDS_TO, DOUBLES = "peaks", "dips", "adds_to", "doubles"
CYCLES, PAIRS, CONSECUTIVE = "cycles", "pairs", "consecutive"
EQUALS: Final[dict[str, tuple[str, ...]]] = {  # the features that may be equal (R50)
    "rank": ("dice", "suit", "letter_value"),
    "suit": ("dice",),
    "letter_value": ("dice", "suit"),
}

Value: TypeAlias = int | None  # None: a face card has no number (R20)
Values: TypeAlias = Sequence[Value]
Card: TypeAlias = dict[str, Value]  # by base


class Clause(NamedTuple):
    """One clause of the law language."""

    feature: str
    pattern: str
    value: str = ""
    direction: str = "forward"

    @property
    def base(self) -> str:
        """The respect of which it speaks."""
        return BASES[self.feature]

    @property
    def is_backward(self) -> bool:
        """Whether it reads a line from its last card on."""
        return self.direction == "backward"

    @property
    def is_equality(self) -> bool:
        """Whether it says that two features are the same number (R50)."""
        return self.pattern == "is" and self.value in EQUALS.get(self.feature, ())

    @property
    def bases(self) -> tuple[str, ...]:
        """The respects of which it speaks, two for an equality."""
        return (self.base, BASES[self.value]) if self.is_equality else (self.base,)


Law: TypeAlias = tuple[Clause, ...]


# -- cards --------------------------------------------------------------------------------------


def regular_card(suit: int, rank: int) -> Card:
    """All that a card of a suit shows."""
    letter = LETTERS[suit][rank]
    return {
        "colour": suit,
        "shade": suit % 2,
        "dice": suit // 2 + 1,
        "poker": 2 * (suit // 2 % 2) + suit % 2,
        "rank": rank,
        "number": 10 * suit + rank if rank < 10 else None,
        "letter": ALPHABET.index(letter),
        "letter_value": LETTER_VALUES[letter],
    }


DECK: Final[dict[str, Card]] = {
    f"{suit}{RANKS[rank]}": regular_card(suit, rank) for suit in range(12) for rank in range(13)
}
ALL_VALUES: Final[dict[str, tuple[Value, ...]]] = {  # of a joker, lowest first (R44)
    "colour": tuple(range(12)),
    "poker": tuple(range(4)),
    "rank": tuple(range(13)),
    "number": tuple(range(120)),
    "letter": tuple(range(26)),
    "letter_value": COUNTS["letter_value"],
}
CARDS: Final = tuple(DECK.values())


def value_name(base: str, value: int) -> str:
    """A value as JSON has it."""
    names: dict[str, Sequence[str]] = {
        "colour": COLOURS,
        "shade": ("dark", "light"),
        "poker": POKER,
        "rank": RANKS,
        "letter": ALPHABET,
    }
    return names[base][value] if base in names else str(value)


def counted(feature: str, value: Value) -> Value:
    """A value as a pattern that counts reads it: the ranks of faces are no numbers (R20)."""
    return None if feature == "rank" and value is not None and value > 9 else value


# The classes that a base has, as functions of its value.
CLASSES: Final[dict[str, Callable[[int], str]]] = {
    "poker_colour": lambda poker: "red" if poker % 2 else "black",
    "face": lambda rank: "face" if rank > 9 else "number",
    "vowel": lambda letter: "vowel" if ALPHABET[letter] in "AEIOU" else "consonant",
}


def shown(feature: str, value: Value) -> str | None:
    """A value of a base as a feature shows it."""
    if value is None:
        return None
    if feature in CLASSES:
        return CLASSES[feature](value)
    return value_name(BASES[feature], value)


# -- properties of numbers (R41) ----------------------------------------------------------------

PRIMES: Final = tuple(n for n in range(2, 120) if all(n % d for d in range(2, n)))
FIBONACCI: Final = (1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)


def multiple_of(k: int) -> Callable[[int], bool]:
    """The test of a multiple."""
    return lambda n: n % k == 0


PROPERTIES: Final[dict[str, Callable[[int], bool]]] = {
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "prime": lambda n: n in PRIMES,
    "square": lambda n: n in {k * k for k in range(11)},
    "triangular": lambda n: n in {k * (k + 1) // 2 for k in range(16)},
    "fibonacci": lambda n: n in {0, *FIBONACCI},
    "power of 2": lambda n: n in {1, 2, 4, 8, 16, 32, 64},
    "cube": lambda n: n in {k**3 for k in range(5)},
    "composite": lambda n: n > 3 and n not in PRIMES,
    **{f"multiple of {k}": multiple_of(k) for k in range(3, 30)},
}


# -- sequences (R19, R41) -----------------------------------------------------------------------

DIGITS_KNOWN: Final = 400


@cache
def digits(name: str) -> str:
    """The digits of a constant, its whole part first."""
    getcontext().prec = DIGITS_KNOWN + 20
    constants = {
        "euler": lambda: Decimal(1).exp(),
        "sqrt2": lambda: Decimal(2).sqrt(),
        "phi": lambda: (1 + Decimal(5).sqrt()) / 2,
        "pi": archimedes,
    }
    return str(constants[name]()).replace(".", "")[:DIGITS_KNOWN]


def archimedes() -> Decimal:
    """Pi, by Machin's formula."""

    def arctan(inverse: int) -> Decimal:
        term = total = Decimal(1) / inverse
        for k in range(1, DIGITS_KNOWN + 20):
            term = -term / (inverse * inverse)
            total += term / (2 * k + 1)
        return total

    return 4 * (4 * arctan(5) - arctan(239))


@cache
def sequence(feature: str, name: str) -> tuple[tuple[int, ...], bool]:
    """The values of a sequence, and whether it begins again after the last."""
    members = {
        "primes": PRIMES,
        "squares": tuple(k * k for k in range(1, 11)),
        "fibonacci numbers": FIBONACCI,
        "powers of 2": tuple(2**k for k in range(7)),
    }
    if name in members:
        return tuple(n for n in members[name] if n in COUNTS[feature]), True
    known = digits(name)
    if feature == "rank":
        return tuple(map(int, known)), False
    known = "0" + known
    return tuple(int(known[i : i + 2]) for i in range(0, len(known) - 1, 2)), False


SEQUENCES: Final = (
    *("pi", "euler", "sqrt2", "phi"),
    *("primes", "squares", "fibonacci numbers", "powers of 2"),
)


# -- words (R39) --------------------------------------------------------------------------------

WORDS_FILE: Final = Path("tabularium_engines/duel_of_law/words.txt")


@cache
def words() -> frozenset[str]:
    """All English words."""
    root = Path(__file__).resolve().parents[2]
    lines = (root / WORDS_FILE).read_text(encoding="utf-8").split()
    return frozenset(line.strip().upper() for line in lines)


@cache
def parts_of_words(size: int) -> frozenset[str]:
    """All runs of so many letters within words."""
    return frozenset(word[i : i + size] for word in words() for i in range(len(word) - size + 1))


def spelling(line: Iterable[Value]) -> str:
    """The letters of a line."""
    return "".join(ALPHABET[letter] for letter in line if letter is not None)


# -- patterns -----------------------------------------------------------------------------------


class Limits(NamedTuple):
    """The least and greatest value of a feature among the cards that a law lets pass."""

    least: int | None
    greatest: int | None


# Whether card number i of a line of n agrees with those before it; values 0 to i are known.
Check: TypeAlias = Callable[[int, int, list[Value]], bool]
LimitsOf: TypeAlias = Callable[[str], Limits]


def one_by_one(test: Callable[[Value], bool]) -> Check:
    """A check of single cards."""
    return lambda i, n, line: test(line[i])


def neighbours(feature: str, test: Callable[[int, int], bool]) -> Check:
    """A check of each card and the one before it; all must have a number (R20)."""

    def check(i: int, n: int, line: list[Value]) -> bool:
        last = counted(feature, line[i])
        if last is None:
            return False
        if i == 0:
            return True
        before = counted(feature, line[i - 1])
        return before is not None and test(before, last)

    return check


@cache
def passing_values(clause: Clause) -> frozenset[Value]:
    """The values of its base that pass a clause of one card."""
    values: Iterable[int]
    if clause.value in PROPERTIES:
        test = PROPERTIES[clause.value]
        return frozenset(n for n in COUNTS[clause.feature] if test(n))
    values = {value for card in CARDS if (value := card[clause.base]) is not None}
    return frozenset(v for v in values if shown(clause.feature, v) == clause.value)


def passes(clause: Clause, card: Card) -> bool:
    """Whether a card passes a clause of one card."""
    if clause.is_equality:
        first, second = (card[base] for base in clause.bases)
        return first == second and counted(clause.feature, first) is not None
    return card[clause.base] in passing_values(clause)


def check_is(clause: Clause, limits: LimitsOf) -> Check:
    """Each card has the value or property."""
    return one_by_one(passing_values(clause).__contains__)


def check_course(clause: Clause, limits: LimitsOf) -> Check:
    """Rises or falls; it may start again after the greatest (R16) or least value (R17)."""
    least, greatest = limits(clause.feature)  # Fitted: also after a joker beyond them

    def rises(one: int, two: int) -> bool:
        return two > one or (greatest is not None and one >= greatest and two < one)

    def falls(one: int, two: int) -> bool:
        return two < one or (least is not None and one <= least and two > one)

    test = rises if clause.pattern == RISES else falls
    if clause.is_backward:
        return neighbours(clause.feature, lambda one, two: test(two, one))
    return neighbours(clause.feature, test)


def check_step(clause: Clause, limits: LimitsOf) -> Check:
    """Each is so much greater or less, around the circle (R15)."""
    size = len(COURSES[clause.feature])
    step = int(clause.value) * (1 if clause.pattern == RISES_BY else -1)
    return neighbours(clause.feature, lambda one, two: (two - one - step) % size == 0)


def start_value(clause: Clause) -> int:
    """The value with which a law starts."""
    return next(
        v for v in COURSES[clause.feature] if shown_count(clause.feature, v) == clause.value
    )


def shown_count(feature: str, value: int) -> str:
    """A value that can rise, as a clause names it."""
    return ALPHABET[value] if feature == "letter" else str(value)


def check_start(clause: Clause, limits: LimitsOf) -> Check:
    """The first card has the value."""
    value = start_value(clause)
    if clause.is_backward:
        return lambda i, n, line: i < n - 1 or line[i] == value
    return lambda i, n, line: i > 0 or line[i] == value


def check_alternation(clause: Clause, limits: LimitsOf) -> Check:
    """Two different values in turn (R42), or numbers with a property and others."""
    feature = clause.feature
    test = PROPERTIES["odd" if clause.value == "parity" else clause.value or "odd"]

    def reading(value: Value) -> object:
        if not clause.value:
            return shown(feature, value)
        value = counted(feature, value)
        return None if value is None else test(value)

    def check(i: int, n: int, line: list[Value]) -> bool:
        last = reading(line[i])
        if last is None:
            return False
        if i == 0:
            return True
        return reading(line[i - 1]) != last and (i == 1 or reading(line[i - 2]) == last)

    return check


def check_palindrome(clause: Clause, limits: LimitsOf) -> Check:
    """The same from both ends."""
    feature = clause.feature

    def check(i: int, n: int, line: list[Value]) -> bool:
        last = shown(feature, line[i])
        return last is not None and (2 * i < n or shown(feature, line[n - 1 - i]) == last)

    return check


def check_word(clause: Clause, limits: LimitsOf) -> Check:
    """An English word."""

    def check(i: int, n: int, line: list[Value]) -> bool:
        if i < n - 1:
            return True
        return spelling(reversed(line) if clause.is_backward else line) in words()

    return check


def check_follows(clause: Clause, limits: LimitsOf) -> Check:
    """The values of a sequence from its beginning, in order."""
    members, is_cycle = sequence(clause.feature, clause.value)

    def check(i: int, n: int, line: list[Value]) -> bool:
        place = n - 1 - i if clause.is_backward else i
        if not is_cycle and place >= len(members):
            return False
        return line[i] == members[place % len(members)]

    return check


def check_never(clause: Clause, limits: LimitsOf) -> Check:
    """Each is at least, or at most, as great as the one before; no new beginning (R52)."""
    if clause.pattern == NEVER_FALLS:
        return neighbours(clause.feature, lambda one, two: two >= one)
    return neighbours(clause.feature, lambda one, two: two <= one)


def check_peak(clause: Clause, limits: LimitsOf) -> Check:
    """Rises and then falls, with the greatest value inside the line; or the other way round."""
    return peak(clause, is_part=False)


def check_part_of_peak(clause: Clause, limits: LimitsOf) -> Check:
    """Can be lengthened to a peak."""
    return peak(clause, is_part=True)


def peak(clause: Clause, *, is_part: bool) -> Check:
    """A check of peaks or dips."""
    sign = 1 if clause.pattern == PEAKS else -1

    def check(i: int, n: int, line: list[Value]) -> bool:
        last = counted(clause.feature, line[i])
        if last is None:
            return False
        if i == 0:
            return True
        ways = [(b or 0) * sign > (a or 0) * sign for a, b in pairwise(line)]
        if len(set(line[i - 1 : i + 1])) == 1 or (i > 1 and ways[i - 1] and not ways[i - 2]):
            return False
        return is_part or i < n - 1 or (ways[0] and not ways[i - 1])

    return check


def check_sum(clause: Clause, limits: LimitsOf) -> Check:
    """Any two neighbours add up to a number."""
    total = int(clause.value)
    return neighbours(clause.feature, lambda one, two: one + two == total)


def check_double(clause: Clause, limits: LimitsOf) -> Check:
    """Each is twice the one before."""
    if clause.is_backward:
        return neighbours(clause.feature, lambda one, two: one == 2 * two)
    return neighbours(clause.feature, lambda one, two: two == 2 * one)


def check_sum_of_two(clause: Clause, limits: LimitsOf) -> Check:
    """Each from the third on is the sum of the two before."""

    def check(i: int, n: int, line: list[Value]) -> bool:
        last = [counted(clause.feature, value) for value in line[max(i - 2, 0) : i + 1]]
        numbers = [value for value in last if value is not None]
        if len(numbers) < len(last):
            return False
        if i < 2:
            return True
        one, two, three = reversed(numbers) if clause.is_backward else numbers
        return one + two == three

    return check


def check_cycle(clause: Clause, limits: LimitsOf) -> Check:
    """So many different values again and again, at least one more card than values (R51)."""
    check = check_part_of_cycle(clause, limits)
    return lambda i, n, line: n > int(clause.value) and check(i, n, line)


def check_part_of_cycle(clause: Clause, limits: LimitsOf) -> Check:
    """Can be lengthened to a cycle."""
    size = int(clause.value)

    def check(i: int, n: int, line: list[Value]) -> bool:
        if line[i] is None:
            return False
        return line[i] not in line[:i] if i < size else line[i] == line[i - size]

    return check


def is_paired(line: list[Value], offset: int) -> bool:
    """Whether values come in pairs, the first as number `offset` of its pair."""
    return all((line[k] == line[k - 1]) == ((k + offset) % 2 == 1) for k in range(1, len(line)))


def check_pairs(clause: Clause, limits: LimitsOf) -> Check:
    """Values two by two, each pair unlike the next; whole pairs (R51)."""
    return lambda i, n, line: n % 2 == 0 and is_paired(line[: i + 1], 0)


def check_beginning_of_pairs(clause: Clause, limits: LimitsOf) -> Check:
    """Can go on to pairs at its end."""
    return lambda i, n, line: is_paired(line[: i + 1], 0)


def check_part_of_pairs(clause: Clause, limits: LimitsOf) -> Check:
    """Can be lengthened to pairs."""
    return lambda i, n, line: any(is_paired(line[: i + 1], offset) for offset in (0, 1))


def check_consecutive(clause: Clause, limits: LimitsOf) -> Check:
    """Members of a sequence in order, from any of them on (R53)."""
    members, _ = sequence(clause.feature, clause.value)
    order = members[::-1] if clause.is_backward else members
    size = len(order)
    begins = {v: [k for k in range(size) if order[k] == v] for v in order}

    def check(i: int, n: int, line: list[Value]) -> bool:
        first = line[0]
        starts = [] if first is None else begins.get(first, [])
        return any(all(line[k] == order[(at + k) % size] for k in range(i + 1)) for at in starts)

    return check


PATTERNS: Final[dict[str, Callable[[Clause, LimitsOf], Check]]] = {
    "is": check_is,
    "starts": check_start,
    RISES: check_course,
    FALLS: check_course,
    RISES_BY: check_step,
    FALLS_BY: check_step,
    "alternates": check_alternation,
    "palindrome": check_palindrome,
    "word": check_word,
    "follows": check_follows,
    NEVER_FALLS: check_never,
    NEVER_RISES: check_never,
    PEAKS: check_peak,
    DIPS: check_peak,
    ADDS_TO: check_sum,
    DOUBLES: check_double,
    "sum_of_two": check_sum_of_two,
    CYCLES: check_cycle,
    PAIRS: check_pairs,
    CONSECUTIVE: check_consecutive,
}
# R51: lines that can go on so.
BEGINNINGS: Final[dict[str, Callable[[Clause, LimitsOf], Check]]] = {
    CYCLES: check_part_of_cycle,
    PAIRS: check_beginning_of_pairs,  # Fitted: not two cards of a pair after half a pair
}
# R36: lines that can be lengthened so.
PARTS: Final[dict[str, Callable[[Clause, LimitsOf], Check]]] = {
    PEAKS: check_part_of_peak,
    DIPS: check_part_of_peak,
    CYCLES: check_part_of_cycle,
    PAIRS: check_part_of_pairs,
}
