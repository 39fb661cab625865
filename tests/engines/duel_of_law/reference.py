"""A reference implementation of clauses and laws: slow, and without any table of the engine. It
tries every value of a joker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from math import isqrt
from typing import Any

from tests.engines.duel_of_law.automaton import words

Card = dict[str, Any]
Clause = dict[str, str]

COLOURS = [
    *("red", "pink", "orange", "yellow", "dark green", "light green", "dark blue"),
    *("light blue", "dark purple", "light purple", "black", "gray"),
]
RANKS = [*range(10), "J", "Q", "K"]
LETTERS = [
    *("AAAAAAAAACDDD", "AAAABBCCCDDDD", "EEEEEEEEEEFFF", "EEEEEEEEEGGGH"),
    *("HHHHHHHHIIJKL", "IIIIIIIIILLLL", "LMMMMNNNNOOOO", "NNNNNNOOOOOOO"),
    *("PPPQRRRRRSSSS", "RRRRSSSSSSTTT", "TTTTTTTTTWWWX", "TTUUUUVVWYYYZ"),
]
POINTS = dict.fromkeys("AEILNORSTU", 1) | dict.fromkeys("FHVWY", 4)
POINTS |= {"B": 3, "C": 3, "M": 3, "P": 3, "D": 2, "G": 2, "J": 8, "X": 8, "K": 5, "Q": 10, "Z": 10}
POINTS["T"] = 1
CYCLE_LENGTHS = {"suit": 12, "dice": 6, "rank": 10, "number": 120, "letter": 26}
DIGITS = {
    "pi": "314159265358979323846264338327950288",
    "euler": "271828182845904523536028747135266249",
    "sqrt2": "141421356237309504880168872420969807",
    "phi": "161803398874989484820458683436563811",
}
PRINTS = ("suit", "shade", "dice", "poker", "rank", "number", "letter", "letter_value")
PRINT_BY_FEATURE = {"colour": "suit", "poker_colour": "poker", "face": "rank", "vowel": "letter"}


def regular_card(suit: int, place: int) -> Card:
    """A regular card with its printed features."""
    rank = RANKS[place]
    return {
        "suit": suit,
        "shade": "light" if suit % 2 else "dark",
        "dice": suit // 2 + 1,
        "poker": ("spades", "hearts", "clubs", "diamonds")[suit % 4],
        "rank": rank,
        "number": int(f"{suit}{rank}") if place < 10 else None,
        "letter": LETTERS[suit][place],
        "letter_value": POINTS[LETTERS[suit][place]],
    }


DECK = [regular_card(suit, place) for suit in range(12) for place in range(13)]


def feature(card: Card, name: str) -> Any:
    """A feature of a card; None if it has none."""
    if name == "colour":
        return COLOURS[card["suit"]]
    if name == "poker_colour":
        return "black" if card["poker"] in ("spades", "clubs") else "red"
    if name == "face":
        return "face" if card["rank"] in ("J", "Q", "K") else "number"
    if name == "vowel":
        return "vowel" if card["letter"] in "AEIOU" else "consonant"
    return card[name]


def numeric_value(card: Card, name: str) -> int | None:
    """A feature as a number; None if it is not numeric."""
    value = feature(card, name)
    if name == "letter":
        return ord(value) - ord("A")
    return value if isinstance(value, int) else None


@cache
def is_prime(number: int) -> bool:
    """Whether the number has exactly two divisors."""
    return sum(number % divisor == 0 for divisor in range(1, number + 1)) == 2


@cache
def is_triangular(number: int) -> bool:
    """Whether the number has the form 0 + 1 + 2 + …."""
    return any(sum(range(most + 1)) == number for most in range(number + 1))


PROPERTIES: dict[str, Callable[[int], bool]] = {
    "even": lambda number: number % 2 == 0,
    "odd": lambda number: number % 2 == 1,
    "prime": is_prime,
    "square": lambda number: isqrt(number) ** 2 == number,
    "triangular": is_triangular,
    "fibonacci": lambda number: number in (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89),
    "power of 2": lambda number: number in (1, 2, 4, 8, 16, 32, 64),
    "cube": lambda number: any(root**3 == number for root in range(number + 1)),
    "composite": lambda number: number > 1 and not is_prime(number),
}
PROPERTIES |= {
    f"multiple of {factor}": lambda number, factor=factor: number % factor == 0  # type: ignore[misc]
    for factor in range(3, 30)
}


def sequence(name: str, feature_name: str) -> Iterator[int]:
    """A named sequence, up to the length that the tests need."""
    if name in DIGITS:
        digits = DIGITS[name] if feature_name == "rank" else f"0{DIGITS[name]}"
        step = 1 if feature_name == "rank" else 2
        return (int(digits[at : at + step]) for at in range(0, len(digits) - 1, step))
    limit = 10 if feature_name == "rank" else 120
    members = {
        "primes": [number for number in range(120) if is_prime(number)],
        "squares": [number * number for number in range(1, 11)],
        "fibonacci numbers": [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
        "powers of 2": [1, 2, 4, 8, 16, 32, 64],
    }[name]
    return (member for _ in range(9) for member in members if member < limit)


@cache
def dictionary() -> frozenset[str]:
    """All words of the word list."""
    return frozenset(words())


# -- one clause on cards without jokers -----------------------------------------------------------


def has_value(card: Card, clause: Clause) -> bool:
    """Whether one card satisfies an `is` clause."""
    if clause["value"] in ("dice", "suit", "letter_value"):
        number = numeric_value(card, clause["feature"])
        other = card[clause["value"]]  # of a joker, the only value that is left
        return number is not None and other in (number, [number])
    if clause["value"] in PROPERTIES:
        number = numeric_value(card, clause["feature"])
        return number is not None and PROPERTIES[clause["value"]](number)
    return str(feature(card, clause["feature"])) == clause["value"]


def admitted_cards(clauses: Iterable[Clause]) -> list[Card]:
    """The regular cards that satisfy all `is` clauses."""
    is_clauses = [clause for clause in clauses if clause["pattern"] == "is"]
    return [card for card in DECK if all(has_value(card, clause) for clause in is_clauses)]


def value_range(clauses: Sequence[Clause], name: str) -> tuple[int, int]:
    """The least and the greatest number that a feature has on the cards that the clauses admit."""
    is_clauses = [(c["feature"], c["value"]) for c in clauses if c["pattern"] == "is"]
    return _value_range(tuple(is_clauses), name)


@cache
def _value_range(is_clauses: tuple[tuple[str, str], ...], name: str) -> tuple[int, int]:
    clauses = [
        {"pattern": "is", "feature": feature_name, "value": value}
        for feature_name, value in is_clauses
    ]
    for cards in (admitted_cards(clauses), DECK):
        numbers = [number for card in cards if (number := numeric_value(card, name)) is not None]
        if numbers:
            return min(numbers), max(numbers)
    raise AssertionError(name)


def is_peak(numbers: list[int]) -> bool:
    """Whether the numbers rise up to one inside the line, and then fall."""
    top = numbers.index(max(numbers))
    up, down = numbers[: top + 1], numbers[top:]
    is_inside = 0 < top < len(numbers) - 1
    return is_inside and up == sorted(set(up)) and down == sorted(set(down), reverse=True)


def is_run(numbers: list[int], members: list[int]) -> bool:
    """Whether the numbers come in this order somewhere in the sequence, which goes round."""
    rounds = members * (len(numbers) // len(members) + 2)
    starts = range(len(members))
    return any(rounds[at : at + len(numbers)] == numbers for at in starts)


def members_of(clause: Clause) -> list[int]:
    """One round of a sequence."""
    limit = 10 if clause["feature"] == "rank" else 120
    whole = {
        "primes": [number for number in range(120) if is_prime(number)],
        "squares": [1, 4, 9, 16, 25, 36, 49, 64, 81, 100],
        "fibonacci numbers": [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
        "powers of 2": [1, 2, 4, 8, 16, 32, 64],
    }[clause["value"]]
    return [number for number in whole if number < limit]


ORDERS: dict[str, Callable[[list[int], Clause], bool]] = {
    "never_falls": lambda n, _: all(a <= b for a, b in pairwise(n)),
    "never_rises": lambda n, _: all(a >= b for a, b in pairwise(n)),
    "adds_to": lambda n, c: all(a + b == int(c["value"]) for a, b in pairwise(n)),
    "peaks": lambda n, _: is_peak(n),
    "dips": lambda n, _: is_peak([-number for number in n]),
    "doubles": lambda n, _: all(b == a * 2 for a, b in pairwise(n)),
    "sum_of_two": lambda n, _: all(a + b == c for a, b, c in zip(n, n[1:], n[2:], strict=False)),
    "consecutive": lambda n, c: is_run(n, members_of(c)),
}


def comes_in_pairs(values: list[Any], _: Clause) -> bool:
    """Whether the values come two by two, each pair unlike the next."""
    ones, others = values[::2], values[1::2]
    return ones == others and all(a != b for a, b in pairwise(ones))


def is_cycle(values: list[Any], clause: Clause) -> bool:
    """Whether the line begins again after so many different values."""
    period = int(clause["value"])
    if len(values) <= period or len(set(values[:period])) < period:
        return False
    return all(value == values[at % period] for at, value in enumerate(values))


def alternates(values: list[Any], _: Clause) -> bool:
    """Whether two different values come in turn."""
    return values[0] != values[1] and all(a == b for a, b in zip(values, values[2:], strict=False))


REPETITIONS: dict[str, Callable[[list[Any], Clause], bool]] = {
    "alternates": alternates,
    "palindrome": lambda values, _: values == values[::-1],
    "pairs": comes_in_pairs,
    "cycles": is_cycle,
}


def has_pattern(cards: list[Card], clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Whether the features follow one another in a numeric pattern."""
    values = [numeric_value(card, clause["feature"]) for card in cards]
    numbers = [number for number in values if number is not None]
    if len(numbers) < len(values):
        return False
    pattern, value = clause["pattern"], clause["value"]
    if pattern == "starts":
        return str(feature(cards[0], clause["feature"])) == value
    if pattern == "follows":
        return all(
            a == b for a, b in zip(numbers, sequence(value, clause["feature"]), strict=False)
        )
    pairs = list(pairwise(numbers))
    if pattern in ORDERS:
        return ORDERS[pattern](numbers, clause)
    if pattern in ("rises_by", "falls_by"):
        step = int(value) if pattern == "rises_by" else -int(value)
        return all((b - a - step) % CYCLE_LENGTHS[clause["feature"]] == 0 for a, b in pairs)
    least, most = value_range(clauses, clause["feature"])
    if pattern == "rises":
        return all(a < b or (a > b and a >= most) for a, b in pairs)
    return all(a > b or (a < b and a <= least) for a, b in pairs)


def is_satisfied(cards: list[Card], clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Whether a line without open jokers satisfies a clause of a law."""
    name, pattern = clause["feature"], clause["pattern"]
    if clause["direction"] == "backward":
        return is_satisfied(cards[::-1], clause | {"direction": "forward"}, clauses)
    if pattern == "is":
        return all(has_value(card, clause) for card in cards)
    if pattern == "word":
        return "".join(card["letter"] for card in cards).lower() in dictionary()
    if pattern not in REPETITIONS:
        return has_pattern(cards, clause, clauses)
    values = [feature(card, name) for card in cards]
    if pattern == "alternates" and clause["value"]:
        numbers = [numeric_value(card, name) for card in cards]
        has = PROPERTIES["even" if clause["value"] == "parity" else clause["value"]]
        values = [None if number is None else has(number) for number in numbers]
    return None not in values and REPETITIONS[pattern](values, clause)


def holds(line: list[Card], clauses: Sequence[Clause]) -> bool:
    """Whether all clauses hold. A joker is a card whose prints are lists of possible values."""
    line = [with_equal_values(card, clauses) for card in line]
    for print_name in PRINTS:
        print_clauses = [
            c for c in clauses if PRINT_BY_FEATURE.get(c["feature"], c["feature"]) == print_name
        ]
        if print_clauses and not any(
            all(is_satisfied(cards, clause, clauses) for clause in print_clauses)
            for cards in worlds(line, print_name)
        ):
            return False
    return True


def with_equal_values(card: Card, clauses: Sequence[Clause]) -> Card:
    """A joker whose linked features have the lowest values that all of them may have; R50."""
    links = [c for c in clauses if c["value"] in ("dice", "suit", "letter_value")]
    if not links or not isinstance(card["suit"], list):
        return card
    card = dict(card)
    for clause in clauses:
        if clause["pattern"] == "is" and clause not in links:
            name = PRINT_BY_FEATURE.get(clause["feature"], clause["feature"])
            fits = [v for v in card[name] if has_value(card | {name: v}, clause)]
            card[name] = fits
    groups = linked_groups(links)
    for group in groups:
        common = set.intersection(*[set(card[name]) for name in group])
        numbers = sorted(value for value in common if isinstance(value, int))
        for name in group:
            card[name] = numbers[:1]
    return card


def linked_groups(links: Sequence[Clause]) -> list[set[str]]:
    """The features that links make equal, each group once."""
    groups: list[set[str]] = []
    for clause in links:
        joined = {clause["feature"], clause["value"]}
        for group in [group for group in groups if group & joined]:
            groups.remove(group)
            joined |= group
        groups.append(joined)
    return groups


def worlds(line: list[Card], print_name: str) -> Iterator[list[Card]]:
    """The line with each value that the jokers can have in one print."""
    choices = [
        card[print_name] if isinstance(card[print_name], list) else [card[print_name]]
        for card in line
    ]
    for values in product(*choices):
        yield [card | {print_name: value} for card, value in zip(line, values, strict=True)]
