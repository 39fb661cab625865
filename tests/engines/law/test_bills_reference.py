"""Bills against a reference that tests every set of cards, under any Laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import members
from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.law.action_numbers import (
    SHAPE_NAMES,
    first_field,
    second_field,
)
from tabularium_engines.law.bill_combinations import bill_actions
from tabularium_engines.law.bill_laying import lay_card, propose_bill
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.laws import parameters_under
from tests.engines.law.tables import cards, codes

RELEVANT = (*(f"{rank}{suit}" for rank in "2345" for suit in "SCDH"), "6S", "6C", "JS")
PAIRS = {"5S": "SC", "5C": "CD", "5D": "DH", "5H": "HS"}  # suits that count as the same
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SIZES = {"kind": 3, "straight": 4, "flush": 5}
LAWS = {"kind": "S", "straight": "C", "flush": "D"}  # the Laws' column for each shape

Sets = dict[str, set[frozenset[str]]]


# -- the reference --------------------------------------------------------------------------------


class ReferenceRules:
    """A reference with cards and Laws as codes; it tests whether a set of cards is a Bill."""

    def __init__(self, laws: set[str]) -> None:
        self.laws = laws
        self.factor = 2 if "JS" in laws else 1

    def size(self, shape: str) -> int:
        """The number of cards in a Bill of this shape."""
        column = LAWS[shape]
        more = (f"3{column}" in self.laws) - (f"2{column}" in self.laws) - ("2H" in self.laws)
        return max(1, SIZES[shape] + self.factor * more)

    def joined_suits(self, suit: str) -> set[str]:
        """All suits that count as this one."""
        suits = {suit}
        for _ in range(4):
            for law in self.laws & set(PAIRS):
                if suits & set(PAIRS[law]):
                    suits |= set(PAIRS[law])
        return suits

    def is_suit(self, card: str, suit: str) -> bool:
        """Whether a card can count as one of a suit."""
        return card[-1] in self.joined_suits(suit) or ("6C" in self.laws and card[:-1] == "5")

    def is_kind(self, chosen_cards: tuple[str, ...]) -> bool:
        """Whether all cards can be of one rank."""
        ranks = {card[:-1] for card in chosen_cards}
        return len(ranks) == 1 or ("6S" in self.laws and len(ranks - {"5"}) == 1)

    def is_flush(self, chosen_cards: tuple[str, ...]) -> bool:
        """Whether all cards can be of one suit."""
        return any(all(self.is_suit(card, suit) for card in chosen_cards) for suit in "SCDH")

    def is_straight(self, chosen_cards: tuple[str, ...]) -> bool:
        """Whether the cards can be in consecutive places, with enough hearts."""
        hearts = self.factor if "3H" in self.laws else 0
        if sum(self.is_suit(card, "H") for card in chosen_cards) < hearts:
            return False
        plain_cards = [
            card for card in chosen_cards if not ("6S" in self.laws and card[:-1] == "5")
        ]
        return any(
            self.has_places(plain_cards, range(start, start + len(chosen_cards)))
            for start in range(14 - len(chosen_cards) + 1)
        )

    def has_places(self, plain_cards: list[str], window: range) -> bool:
        """Whether each card has a place of its own in the window; the wild cards take the
        others."""
        places = [
            place
            for card in plain_cards
            for place in {RANKS.index(card[:-1]), RANKS.index(card[:-1]) or 13}
            if place in window
        ]
        return len(places) == len(set(places)) == len(plain_cards)

    def sets(self, hand: list[str]) -> Sets:
        """All Bills in a hand, by shape."""
        tests = {"kind": self.is_kind, "straight": self.is_straight, "flush": self.is_flush}
        sets: Sets = {
            shape: set()
            if f"4{LAWS[shape]}" in self.laws
            else {frozenset(s) for s in combinations(hand, self.size(shape)) if test(s)}
            for shape, test in tests.items()
        }
        straights = combinations(hand, self.size("straight")) if "4H" in self.laws else ()
        flushes = (s for s in straights if self.is_straight(s) and self.is_flush(s))
        return sets | {"straight_flush": {frozenset(s) for s in flushes}}


# -- the engine -----------------------------------------------------------------------------------


def table_of(hand: list[str], laws: set[str]) -> LawState:
    """A table at which seat 0 has a hand, under some Laws."""
    table = LawState()
    table.init_table(2, FULL_DECK)
    table.hands = vec[i64]([cards(" ".join(hand)), 0])
    table.parameters[0] = parameters_under(cards(" ".join(laws)))
    return table


def engine_sets(hand: list[str], laws: set[str]) -> Sets:
    """All sets of cards that can be laid, by shape."""
    sets: Sets = {shape: set() for shape in SHAPE_NAMES}
    root = table_of(hand, laws)
    for action in bill_actions(root.hands[0], root.parameters[0]):
        table = root.clone()
        propose_bill(table, 0, action & 0xFF, first_field(action), second_field(action))
        shape = SHAPE_NAMES[table.bill.shape]
        sets[shape] |= {frozenset(hand) - remaining for remaining in remaining_hands(table, set())}
    return sets


def remaining_hands(table: LawState, visited: set[int]) -> Iterator[set[str]]:
    """The hands that can be left when the Bill is laid; each intermediate hand is visited once."""
    if table.bill.cards == 0:
        yield codes(table.hands[0])
        return
    next_set = table.bill.next_cards(table.hands[0], table.parameters[0])
    assert next_set, "a Bill has come to a dead end"
    for card in members(next_set):
        successor = table.clone()
        lay_card(successor, 0, card)
        if int(successor.hands[0]) not in visited:
            visited.add(int(successor.hands[0]))
            yield from remaining_hands(successor, visited)


def random_hand(chance: Random) -> list[str]:
    """A random hand in which equal ranks, equal suits and fives are more frequent than by
    chance."""
    ranks = chance.sample(RANKS, 13) if chance.random() < 0.3 else neighbouring_ranks(chance)
    suits = "".join(chance.sample("SCDH", chance.randint(1, 4)))
    candidates = [f"{rank}{suit}" for rank in ranks for suit in suits]
    fives = [f"5{suit}" for suit in chance.sample("SCDH", chance.randint(0, 3))]
    chosen_cards = chance.sample(candidates, min(len(candidates), chance.randint(1, 7)))
    return sorted({*chosen_cards, *fives})


def neighbouring_ranks(chance: Random) -> list[str]:
    """Some neighbouring ranks, around the ace as well."""
    start = chance.randrange(13)
    return [RANKS[(start + step) % 13] for step in range(chance.randint(2, 6))]


def test_exactly_the_Bills_of_the_reference_can_be_laid(
    games_count: Callable[[int, int], int],
) -> None:
    chance = Random(52)
    bills_found = 0
    for _ in range(games_count(400, 50_000)):
        hand = random_hand(chance)
        laws = set(chance.sample(RELEVANT, chance.randint(0, 8)))
        expected = ReferenceRules(laws).sets(hand)
        assert engine_sets(hand, laws) == expected, f"{hand} under {sorted(laws)}"
        bills_found += sum(map(len, expected.values()))
    assert bills_found > 400
