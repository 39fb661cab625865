"""Rule parameters: the combined effect of all Laws in force on one player. Laws write them, and
everything else reads them."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import first_n
from tabularium_engines.common.playing_cards import SUIT_MASKS
from tabularium_engines.law.action_numbers import BILL_SHAPE_COUNT, DUTY_COUNT


class RuleParameters:
    """The rules without any Law, amended by each Law in force and never changed after that."""

    def __init__(self) -> None:
        self.laws: i64 = 0  # the set of Laws that bind the player
        self.has_doubled_numbers: bool = False
        # Bills
        self.sizes: vec[i64] = vec[i64]([3, 4, 5])  # by shape
        self.banned: i64 = 0  # a set of shapes
        self.hearts: i64 = 0  # that each straight must contain
        self.straight_flush_wins: bool = False
        self.wild_ranks: i64 = 0  # the cards that can stand for any rank
        self.wild_suits: i64 = 0  # … for any suit
        # by suit: all cards of that suit and of suits that Laws have joined with it
        self.suits: vec[i64] = SUIT_MASKS[:]
        # triggers, as parallel arrays: a Law, and the cards that set it off
        self.drawn_laws: vec[i64] = vec[i64]()
        self.drawn_cards: vec[i64] = vec[i64]()
        self.discarded_laws: vec[i64] = vec[i64]()
        self.discarded_cards: vec[i64] = vec[i64]()
        # turns
        self.takes: i64 = 3
        self.takes_of_fewest: i64 = 0
        self.discards: i64 = 1
        self.discards_of_most: i64 = 0
        self.spared_of_fewest: i64 = 0
        self.duties: vec[i64] = vec[i64]([0] * DUTY_COUNT)  # by duty: how many cards
        # piles
        self.sees_pile: bool = False
        self.is_blind: bool = False  # the discard piles lie face down
        self.piles: i64 = 1  # discard piles to be used
        self.may_bury: bool = False  # discard onto the draw pile
        # collections
        self.collects: i64 = 1
        self.needed: i64 = 4
        self.is_open_with_most: bool = False
        # plays
        self.topping: i64 = 0  # cards drawn for topping a discard pile; 0: not allowed, as below
        self.steals: i64 = 0
        self.trade_cost: i64 = 0  # cards discarded to draw half as many
        self.asks: i64 = 0

    def join_suits(self, suit: i64, other: i64) -> None:
        """Make two suits the same, along with all suits that are the same as either."""
        joined = self.suits[suit] | self.suits[other]  # R23
        for each in range(4):
            if self.suits[each] & joined != 0:
                self.suits[each] = joined

    def bill_size(self, shape: i64) -> i64:
        """The number of cards in a Bill of this shape."""
        return max(1, self.sizes[shape])  # R6

    def suit_cards(self, suit: i64) -> i64:
        """The cards that count as a suit in a Bill."""
        return self.suits[suit] | self.wild_suits

    def is_first_of_same_suits(self, suit: i64) -> bool:
        """Whether a suit is the first of all that are the same as it."""
        return all(self.suits[earlier] != self.suits[suit] for earlier in range(suit))

    def are_bills_banned(self) -> bool:
        """Whether Laws ban Bills of any shape."""
        return self.banned == first_n(BILL_SHAPE_COUNT) and not self.straight_flush_wins
