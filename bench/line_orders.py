"""Orders in which the cards of a hand may follow a clause of Duel of Law. The rules judge each of
them, so no hand passes for a line that is none. Words are not looked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final, Literal

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.card_features import NUMBERS_ON_CARD, seen_values
from tabularium_engines.duel_of_law.laws.cards_allowed_by_law import value_range
from tabularium_engines.duel_of_law.laws.clauses_on_line import holds_without_jokers

# of R16 and R17: a course begins again at any value, at its first value, or not at all
Reading = Literal["any", "first", "none"]
NO_LAW: Final[vec[i64]] = vec[i64]()
UPWARDS: Final = (codes.RISES, codes.PEAKS, codes.NEVER_FALLS)
Card = tuple[int, int]  # its value as the clause sees it, and its number


def can_follow(clause: int, hand: Sequence[int], reading: Reading = "any") -> bool:
    """Whether a hand follows a clause in some order."""
    return any(holds(clause, order) for order in orders(clause, hand, reading))


def holds(clause: int, line: Sequence[int]) -> bool:
    """Whether a line follows a clause."""
    return bool(holds_without_jokers(vec[i64](line), vec[i64]([clause])))


def orders(clause: int, hand: Sequence[int], reading: Reading = "any") -> Iterator[list[int]]:
    """Orders of a hand, one of which follows a clause if any order does."""
    pattern, feature = codes.pattern_in(clause), codes.feature_in(clause)
    numbers = [NUMBERS_ON_CARD[feature * CARD_COUNT + card] for card in hand]
    if pattern == codes.WORD or (codes.counts(clause) and min(numbers) < 0):
        return
    is_up = pattern in UPWARDS
    cards = [
        (int(value if is_up else -value), card)
        for value, card in zip(seen_values(vec[i64](hand), clause), hand, strict=True)
    ]
    if pattern in (codes.RISES, codes.FALLS):
        ends = value_range(NO_LAW, feature)
        yield from courses(sorted(cards), int(ends >> 8 if is_up else -(ends & 0xFF)), reading)
    elif pattern in (codes.NEVER_FALLS, codes.NEVER_RISES):
        yield numbers_of(sorted(cards))
    elif pattern in (codes.PEAKS, codes.DIPS):
        yield up_and_down(sorted(cards))
    elif pattern in (codes.ALTERNATES, codes.CYCLES):
        yield in_turn(groups(cards))
    elif pattern == codes.PAIRS:
        yield two_by_two(groups(cards))
    elif pattern == codes.PALINDROME:
        yield mirrored(groups(cards))
    else:
        yield from grown(clause, [], list(hand))


def numbers_of(cards: Sequence[Card]) -> list[int]:
    """The cards without their values."""
    return [card for _, card in cards]


def groups(cards: Sequence[Card]) -> list[list[int]]:
    """The cards by value, the largest group first."""
    found = defaultdict[int, list[int]](list)
    for value, card in cards:
        found[value].append(card)
    return sorted(found.values(), key=len, reverse=True)


def courses(cards: Sequence[Card], end: int, reading: Reading) -> Iterator[list[int]]:
    """Rising courses, each up to the end of the range of values except the last; `cards` rise."""
    ends, others = [c for c in cards if c[0] == end], [c for c in cards if c[0] != end]
    most = max(map(len, groups(others)), default=0)
    count = max(most, len(ends), 1)
    dealt = sorted((others[start::count] for start in range(count)), key=bool)
    closed = [[*course, *ends[place : place + 1]] for place, course in enumerate(dealt)]
    firsts = {course[0][0] for course in closed if course}
    is_single = all(one[0] < two[0] for one, two in pairwise(chain(*closed)))
    if reading == "any" or is_single or (reading == "first" and len(firsts) == 1):
        yield numbers_of([*chain(*closed)])


def up_and_down(cards: Sequence[Card]) -> list[int]:
    """A way up with one card of each value, and a way down with the others; `cards` rise."""
    up: list[Card] = []
    down: list[Card] = []
    for card in cards:
        (down if up and up[-1][0] == card[0] else up).append(card)
    if not down:
        down.append(up.pop(0))
    return numbers_of([*up, *reversed(down)])


def in_turn(by_value: Sequence[list[int]]) -> list[int]:
    """One card of each value, again and again."""
    rounds = len(by_value[0])
    return [group[turn] for turn in range(rounds) for group in by_value if turn < len(group)]


def two_by_two(by_value: Sequence[list[int]]) -> list[int]:
    """Pairs of like cards, like pairs apart."""
    pairs = [group[at : at + 2] for group in by_value for at in range(0, len(group), 2)]
    half = (len(pairs) + 1) // 2
    apart = in_turn([[*range(half)], [*range(half, len(pairs))]])
    return [card for place in apart for card in pairs[place]]


def mirrored(by_value: Sequence[list[int]]) -> list[int]:
    """Like cards on both sides, and those that are left in the middle."""
    halves = [group[at : at + 2] for group in by_value for at in range(0, len(group) - 1, 2)]
    middle = [group[-1] for group in by_value if len(group) % 2]
    return [*(one for one, _ in halves), *middle, *(other for _, other in reversed(halves))]


def grown(clause: int, line: list[int], rest: list[int]) -> Iterator[list[int]]:
    """Lines of all cards that follow a clause from card to card."""
    if len(line) > 1 and not holds(clause, line):
        return
    if not rest:
        yield line
    for at, card in enumerate(rest):
        yield from grown(clause, [*line, card], rest[:at] + rest[at + 1 :])
