"""Bills as combinations of cards: those that a hand can make, and the cards that can be laid next.

A Bill is laid card by card. A straight goes from position to position (0 is the low ace, 13 the
high), and at each step the rest of the hand must be able to finish it.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, has, members
from tabularium_engines.common.playing_cards import (
    FULL_DECK,
    HEARTS,
    RANK_COUNT,
)
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law.cards import RANK_CARDS, STRAIGHT_PLACE_COUNT, rank_at
from tabularium_engines.law.rule_parameters import RuleParameters

NO_BILL: Final[i64] = -1


def bill_actions(hand: i64, terms: RuleParameters) -> list[i64]:
    """The actions that propose a Bill that the hand can pay."""
    found: list[i64] = []
    for rank in range(RANK_COUNT):
        if is_enough(terms, n.SHAPE_KIND, hand & RANK_CARDS[rank], hand & terms.wild_ranks):
            found.append(n.encode_action(n.BILL_KIND, rank))
    if not has(terms.banned, n.SHAPE_STRAIGHT):
        for place in straight_starts(hand, terms):
            found.append(n.encode_action(n.BILL_STRAIGHT, place))
    for suit in range(4):
        natural, wild = hand & terms.suits[suit], hand & terms.wild_suits
        if is_enough(terms, n.SHAPE_FLUSH, natural, wild) and terms.is_first_of_same_suits(suit):
            found.append(n.encode_action(n.BILL_FLUSH, suit))
    if terms.straight_flush_wins:
        add_straight_flush_actions(hand, terms, found)
    return found


def add_straight_flush_actions(hand: i64, terms: RuleParameters, found: list[i64]) -> None:
    """Add the actions that show a straight flush: neither bans nor the size of flushes apply."""
    for suit in range(4):  # R9
        if terms.is_first_of_same_suits(suit):
            for place in straight_starts(hand & terms.suit_cards(suit), terms):
                found.append(n.encode_action(n.STRAIGHT_FLUSH, place, suit))


def is_enough(terms: RuleParameters, shape: i64, natural: i64, wild: i64) -> bool:
    """Whether cards of one rank or suit are a Bill: enough of them, at least one natural."""
    if natural == 0 or has(terms.banned, shape):
        return False
    return count(natural | wild) >= terms.bill_size(shape)


def straight_starts(hand: i64, terms: RuleParameters) -> list[i64]:
    """The positions at which a straight can begin."""
    size = terms.bill_size(n.SHAPE_STRAIGHT)
    ends = min(RANK_COUNT, STRAIGHT_PLACE_COUNT + 1 - size)
    return [place for place in range(ends) if most_hearts(hand, terms, place, size) >= terms.hearts]


def most_hearts(hand: i64, terms: RuleParameters, place: i64, size: i64) -> i64:
    """The most hearts in a straight of `size` cards from a position; -1: there is none."""
    wild = hand & terms.wild_ranks
    heart_cards = terms.suit_cards(HEARTS)
    hearts: i64 = 0
    spare = wild
    for each in range(place, place + size):
        natural = hand & ~wild & RANK_CARDS[rank_at(each)]
        if natural & heart_cards != 0:
            hearts += 1
        elif natural == 0:
            if spare == 0:
                return -1
            spare &= spare - 1
    return min(hearts + count(wild & heart_cards), size)


# -- laying one ---------------------------------------------------------------------------------


class BillBeingLaid:
    """The Bill of which some cards are still to be laid, if there is one. It is replaced after each
    card, never changed, so that clones can share it."""

    def __init__(
        self, shape: i64 = NO_BILL, lowest: i64 = 0, suit: i64 = 0, cards: i64 = 0, hearts: i64 = 0
    ) -> None:
        self.shape: i64 = shape
        self.lowest: i64 = lowest  # of a straight: the next position; of a kind: the rank
        self.suit: i64 = suit
        self.cards: i64 = cards  # how many are still to be laid
        self.hearts: i64 = hearts  # how many of these must be hearts

    def contents(self) -> list[i64]:
        """The Bill as plain numbers."""
        return fields_of(self)

    def is_straight(self) -> bool:
        """Whether its cards are laid in the order of their ranks."""
        return self.shape == n.SHAPE_STRAIGHT or self.shape == n.SHAPE_STRAIGHT_FLUSH

    def fitting_cards(self, terms: RuleParameters) -> i64:
        """The cards that fit anywhere in the Bill."""
        if self.shape == n.SHAPE_KIND:
            return RANK_CARDS[self.lowest] | terms.wild_ranks
        return FULL_DECK if self.shape == n.SHAPE_STRAIGHT else terms.suit_cards(self.suit)

    def next_cards(self, hand: i64, terms: RuleParameters) -> i64:
        """The cards that can be laid next: of a straight, those that fit the next position and let
        the rest be finished."""
        hand &= self.fitting_cards(terms)
        if not self.is_straight():
            return hand
        found: i64 = 0
        for card in members(hand & self.next_places(terms)):
            after = self.after(card, terms)
            rest = hand ^ bit(card)
            if most_hearts(rest, terms, after.lowest, after.cards) >= after.hearts:
                found |= bit(card)
        return found

    def next_places(self, terms: RuleParameters) -> i64:
        """The cards for the next position of a straight."""
        return RANK_CARDS[rank_at(self.lowest)] | terms.wild_ranks

    def after(self, card: i64, terms: RuleParameters) -> BillBeingLaid:
        """The Bill once this card has been laid."""
        lowest = self.lowest + 1 if self.is_straight() else self.lowest
        hearts = max(0, self.hearts - count(terms.suit_cards(HEARTS) & bit(card)))
        return BillBeingLaid(self.shape, lowest, self.suit, self.cards - 1, hearts)
