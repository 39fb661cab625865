"""Bills of Law, for its referee: the cards that a Bill can consist of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK: Final = [rank + suit for suit in SUITS for rank in RANKS]


def rank_of(card: str) -> str:
    """The rank of a card: "7", "10"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The letter of a card's printed suit."""
    return card[-1]


@dataclass(frozen=True)
class Slot:
    """A place in a Bill: the rank and the suit that its card must have; None: any."""

    rank: str | None = None
    suit: str | None = None
    height: int = 0  # as views count it: in a straight from a low ace, in a kind from 2


@dataclass(frozen=True)
class Rules:
    """The rules of Bills for one player."""

    kind: int  # sizes; 0: no Bill
    straight: int
    flush: int
    run: int  # the size of a straight, also where it is no Bill
    hearts: int
    wins: bool  # 4♥
    any_rank: bool  # 6♠
    any_suit: bool  # 6♣
    classes: tuple[str, str, str, str]  # of each suit: the first that is one suit with it

    def suit(self, letter: str) -> str:
        """R23: the suit that stands for all that are one with it."""
        return self.classes["SHDC".index(letter)]

    def fits(self, card: str, slot: Slot) -> bool:
        """Whether a card can lie in a place (R8)."""
        is_five = rank_of(card) == "5"
        has_rank = rank_of(card) == slot.rank or (is_five and self.any_rank)
        if slot.rank is not None and not has_rank:
            return False
        has_suit = slot.suit is None or self.suit(suit_of(card)) == self.suit(slot.suit)
        return has_suit or (is_five and self.any_suit)

    def is_heart(self, card: str) -> bool:
        """Whether a card is one of the hearts that 3♥ requires."""
        return self.fits(card, Slot(suit="H"))


@dataclass(frozen=True)
class Bill:
    """A Bill that a player names: its places, and the hearts among its cards."""

    shape: str
    slots: tuple[Slot, ...]
    hearts: int = 0

    @property
    def as_json(self) -> dict[str, Any]:
        """The Bill as views show it while it is laid."""
        first = self.slots[0]
        return {
            "shape": self.shape,
            "lowest": first.height,
            "suit": 0 if first.suit is None else "SHDC".index(first.suit),
            "cards": len(self.slots),
            "hearts": max(0, self.hearts),
        }

    @property
    def is_run(self) -> bool:
        """Whether its places differ: a straight."""
        return self.shape.startswith("straight")


def runs(size: int, suit: str | None = None) -> Iterable[tuple[str, tuple[Slot, ...]]]:
    """All straights of a size, by their lowest rank (R7)."""
    ladder = (*RANKS, "A")
    for low in range(len(RANKS)):
        ranks = ladder[low : low + size]
        if len(ranks) == size and len(set(ranks)) == size:
            slots = (Slot(rank, suit, low + step) for step, rank in enumerate(ranks))
            yield RANKS[low], tuple(slots)


def all_bills(rules: Rules, hand: Iterable[str]) -> list[tuple[dict[str, Any], Bill]]:
    """Every Bill that a hand can give, with the action that names it."""
    return find_bills(rules, frozenset(hand))


@lru_cache(maxsize=1000)
def find_bills(rules: Rules, hand: frozenset[str]) -> list[tuple[dict[str, Any], Bill]]:
    """The same for a set of cards: the same sets come again and again."""
    named = [*equal_cards(rules, hand), *straights(rules, hand)]
    return [(action, bill) for action, bill in named if can_finish(rules, bill, list(hand))]


def equal_cards(rules: Rules, hand: frozenset[str]) -> Iterable[tuple[dict[str, Any], Bill]]:
    """Bills of one rank or one suit, named after a card in the hand (R67)."""
    for rank in RANKS:
        if rules.kind and any(rank_of(card) == rank for card in hand):
            height = (RANKS.index(rank) - 1) % len(RANKS)
            bill = Bill("kind", (Slot(rank, None, height),) * rules.kind)
            yield {"type": "law.bill_kind", "rank": rank}, bill
    for suit in suits_of(rules, hand) if rules.flush else []:
        bill = Bill("flush", (Slot(None, suit),) * rules.flush)
        yield {"type": "law.bill_flush", "suit": SUITS[suit]}, bill


def straights(rules: Rules, hand: frozenset[str]) -> Iterable[tuple[dict[str, Any], Bill]]:
    """Straights, and the straight flushes that win (R9)."""
    if rules.straight:
        for lowest, slots in runs(rules.straight):
            bill = Bill("straight", slots, rules.hearts)
            yield {"type": "law.bill_straight", "lowest": lowest}, bill
    for suit in suits_of(rules, hand) if rules.wins else []:
        for lowest, slots in runs(rules.run, suit):
            bill = Bill("straight_flush", slots, rules.hearts)
            yield {"type": "law.straight_flush", "lowest": lowest, "suit": SUITS[suit]}, bill


def suits_of(rules: Rules, hand: frozenset[str]) -> list[str]:
    """The suits of cards in a hand; of suits that are one, the first."""
    held = {rules.suit(suit_of(card)) for card in hand}
    return [suit for suit in SUITS if suit in held]


def can_finish(rules: Rules, bill: Bill, hand: list[str]) -> bool:
    """Whether a hand can fill all places of a Bill, with its hearts."""
    if not bill.slots:
        return bill.hearts <= 0
    if not bill.is_run:
        return sum(rules.fits(card, bill.slots[0]) for card in hand) >= len(bill.slots)
    suit = bill.slots[0].suit
    cards = [card for card in hand if rules.fits(card, Slot(None, suit))]
    wild = [card for card in cards if rules.any_rank and rank_of(card) == "5"]
    is_heart_of: dict[str, bool] = {}  # by rank: whether a card that is not wild is a heart
    for card in cards:
        if card not in wild:
            rank = rank_of(card)
            is_heart_of[rank] = is_heart_of.get(rank, False) or rules.is_heart(card)
    natural = [is_heart_of[slot.rank] for slot in bill.slots if slot.rank in is_heart_of]
    gaps = len(bill.slots) - len(natural)
    hearts = sum(natural)
    wild_hearts = sum(rules.is_heart(card) for card in wild)
    most = hearts + min(wild_hearts, len(bill.slots) - hearts)
    return gaps <= len(wild) and most >= bill.hearts


def next_cards(rules: Rules, bill: Bill, hand: list[str]) -> list[str]:
    """The cards that a player can lay next, so that the rest of the Bill can follow."""
    return [
        card
        for card in hand
        if rules.fits(card, bill.slots[0])
        and can_finish(rules, rest_of(rules, bill, card), [c for c in hand if c != card])
    ]


def rest_of(rules: Rules, bill: Bill, card: str) -> Bill:
    """A Bill without its first place, once a card lies there."""
    return Bill(bill.shape, bill.slots[1:], bill.hearts - rules.is_heart(card))
