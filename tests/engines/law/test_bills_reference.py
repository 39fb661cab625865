"""Bills against the plainest search: every set of cards, under any Laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import members
from games.engines.common.french_deck import FULL_DECK
from games.engines.law.bill_combinations import bill_actions, lay_card, next_cards, propose_bill
from games.engines.law.decision_codes import first_field, second_field
from games.engines.law.game_logic import LawState
from games.engines.law.laws_in_force import parameters_under
from games.engines.law.rule_parameters import SHAPE_NAMES
from tests.engines.law.tables import cards, codes

RELEVANT = (*(f"{rank}{suit}" for rank in "2345" for suit in "SCDH"), "6S", "6C", "JS")
PAIRS = {"5S": "SC", "5C": "CD", "5D": "DH", "5H": "HS"}  # suits that count as the same
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SIZES = {"kind": 3, "straight": 4, "flush": 5}
LAWS = {"kind": "S", "straight": "C", "flush": "D"}  # the Laws' column for each shape

Sets = dict[str, set[frozenset[str]]]


# -- the reference --------------------------------------------------------------------------------


class Plain:
    """A hand and Laws as words; sets of cards are tested one by one for being a Bill."""

    def __init__(self, laws: set[str]) -> None:
        self.laws = laws
        self.once = 2 if "JS" in laws else 1

    def size(self, shape: str) -> int:
        """The number of cards in a Bill of this shape."""
        column = LAWS[shape]
        more = (f"3{column}" in self.laws) - (f"2{column}" in self.laws) - ("2H" in self.laws)
        return max(1, SIZES[shape] + self.once * more)

    def same(self, suit: str) -> set[str]:
        """All suits that count as the same as this one."""
        found = {suit}
        for _ in range(4):
            for law in self.laws & set(PAIRS):
                if found & set(PAIRS[law]):
                    found |= set(PAIRS[law])
        return found

    def is_suit(self, card: str, suit: str) -> bool:
        """Whether a card can count as one of a suit."""
        return card[-1] in self.same(suit) or ("6C" in self.laws and card[:-1] == "5")

    def is_kind(self, chosen: tuple[str, ...]) -> bool:
        """Whether all cards can be of one rank."""
        ranks = {card[:-1] for card in chosen}
        return len(ranks) == 1 or ("6S" in self.laws and len(ranks - {"5"}) == 1)

    def is_flush(self, chosen: tuple[str, ...]) -> bool:
        """Whether all cards can be of one suit."""
        return any(all(self.is_suit(card, suit) for card in chosen) for suit in "SCDH")

    def is_straight(self, chosen: tuple[str, ...]) -> bool:
        """Whether the cards can be in consecutive places, with enough hearts."""
        hearts = self.once if "3H" in self.laws else 0
        if sum(self.is_suit(card, "H") for card in chosen) < hearts:
            return False
        fixed = [card for card in chosen if not ("6S" in self.laws and card[:-1] == "5")]
        return any(
            self.are_in(fixed, range(start, start + len(chosen)))
            for start in range(14 - len(chosen) + 1)
        )

    def are_in(self, fixed: list[str], window: range) -> bool:
        """Whether each card has a place of its own in the window; the wild cards take the
        others."""
        places = [
            place
            for card in fixed
            for place in {RANKS.index(card[:-1]), RANKS.index(card[:-1]) or 13}
            if place in window
        ]
        return len(places) == len(set(places)) == len(fixed)

    def sets(self, hand: list[str]) -> Sets:
        """All Bills in a hand, by shape."""
        tests = {"kind": self.is_kind, "straight": self.is_straight, "flush": self.is_flush}
        found: Sets = {
            shape: set()
            if f"4{LAWS[shape]}" in self.laws
            else {frozenset(s) for s in combinations(hand, self.size(shape)) if test(s)}
            for shape, test in tests.items()
        }
        straights = combinations(hand, self.size("straight")) if "4H" in self.laws else ()
        flushes = (s for s in straights if self.is_straight(s) and self.is_flush(s))
        return found | {"straight_flush": {frozenset(s) for s in flushes}}


# -- the engine -----------------------------------------------------------------------------------


def table_of(hand: list[str], laws: set[str]) -> LawState:
    """A table at which seat 0 has a hand, under some Laws."""
    table = LawState()
    table.init_table(2, FULL_DECK)
    table.hands = vec[i64]([cards(" ".join(hand)), 0])
    table.parameters[0] = parameters_under(cards(" ".join(laws)))
    return table


def laid(hand: list[str], laws: set[str]) -> Sets:
    """All sets of cards that can be laid, by shape."""
    found: Sets = {shape: set() for shape in SHAPE_NAMES}
    root = table_of(hand, laws)
    for action in bill_actions(root.hands[0], root.parameters[0]):
        table = root.clone()
        propose_bill(table, 0, action & 0xFF, first_field(action), second_field(action))
        shape = SHAPE_NAMES[table.bill]
        found[shape] |= {frozenset(hand) - left for left in ways_on(table, set())}
    return found


def ways_on(table: LawState, known: set[int]) -> Iterator[set[str]]:
    """The hands that can be left when the Bill is laid; each intermediate hand is visited once."""
    if table.bill_left == 0:
        yield codes(table.hands[0])
        return
    following = next_cards(table, 0)
    assert following, "a Bill has come to a dead end"
    for card in members(following):
        after = table.clone()
        lay_card(after, 0, card)
        if int(after.hands[0]) not in known:
            known.add(int(after.hands[0]))
            yield from ways_on(after, known)


def some_hand(chance: Random) -> list[str]:
    """A random hand in which equal ranks, equal suits and fives are more frequent than by
    chance."""
    ranks = chance.sample(RANKS, 13) if chance.random() < 0.3 else near(chance)
    suits = "".join(chance.sample("SCDH", chance.randint(1, 4)))
    wanted = [f"{rank}{suit}" for rank in ranks for suit in suits]
    fives = [f"5{suit}" for suit in chance.sample("SCDH", chance.randint(0, 3))]
    drawn = chance.sample(wanted, min(len(wanted), chance.randint(1, 7)))
    return sorted({*drawn, *fives})


def near(chance: Random) -> list[str]:
    """Some neighbouring ranks, around the ace as well."""
    start = chance.randrange(13)
    return [RANKS[(start + step) % 13] for step in range(chance.randint(2, 6))]


def test_every_Bill_that_there_is_can_be_laid_and_no_other(
    games_count: Callable[[int, int], int],
) -> None:
    chance = Random(52)
    bills_found = 0
    for _ in range(games_count(400, 50_000)):
        hand = some_hand(chance)
        laws = set(chance.sample(RELEVANT, chance.randint(0, 8)))
        expected = Plain(laws).sets(hand)
        assert laid(hand, laws) == expected, f"{hand} under {sorted(laws)}"
        bills_found += sum(map(len, expected.values()))
    assert bills_found > 400
