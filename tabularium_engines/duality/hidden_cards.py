"""The hidden cards: both hands and the draw pile, what all players know of the hands, and how a
search samples them from the knowledge of a seat."""

from __future__ import annotations

from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, nth
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.duality.cards import FULL_DECK


class HiddenCards:
    """The cards that do not lie on the board, as sets (bit masks): no order exists."""

    def __init__(self, hands: vec[i64], known: vec[i64], barred: vec[i64], pile: i64) -> None:
        self.hands: vec[i64] = hands  # by seat
        self.known: vec[i64] = known  # by seat: the cards that all players saw going into that hand
        self.barred: vec[i64] = barred  # by seat: publicly not among the others in that hand (R16)
        self.pile: i64 = pile

    def clone(self) -> HiddenCards:
        """An independent copy."""
        return HiddenCards(self.hands[:], self.known[:], self.barred[:], self.pile)

    def contents(self) -> list[Any]:
        """All sets as plain numbers."""
        return fields_of(self)

    def draw(self, rng: Rng) -> i64:
        """Remove a random card from the pile."""
        card = nth(self.pile, rng.below(count(self.pile)))
        self.pile ^= bit(card)
        return card

    def draw_to_hand(self, seat: i64, rng: Rng) -> i64:
        """Move a random card from the pile to a hand."""
        card = self.draw(rng)
        self.hands[seat] = self.hands[seat] | bit(card)
        self.barred[seat] = 0  # R16: the new card may be one of these
        return card

    def remove_from_hand(self, seat: i64, card: i64) -> None:
        """Remove a card from a hand, publicly."""
        self.hands[seat] = self.hands[seat] & ~bit(card)
        self.known[seat] = self.known[seat] & ~bit(card)

    def add_to_hand(self, seat: i64, card: i64) -> None:
        """Add a card to a hand, publicly."""
        self.hands[seat] = self.hands[seat] | bit(card)
        self.known[seat] = self.known[seat] | bit(card)

    def determinize(self, seat: i64, rng: Rng) -> None:
        """Sample the cards that `seat` does not know. If neither hand is known, choose both again
        while they share a card, so that all pairs are equally likely: if only one seat has barred
        cards, choosing in sequence would bias the result."""
        pool: i64 = self.pile
        for other in range(2):
            if other != seat:
                pool |= self.hands[other] & ~self.known[other]
        while True:
            for other in range(2):
                if other != seat:
                    self.hands[other] = self.random_hand(other, pool, rng)
            if self.hands[0] & self.hands[1] == 0:
                break
        self.pile = pool & ~(self.hands[0] | self.hands[1])

    def random_hand(self, seat: i64, pool: i64, rng: Rng) -> i64:
        """A hand with the known cards, and cards from the pool that are not barred for the rest."""
        pool &= ~self.barred[seat]  # R16
        hand = self.known[seat]
        for _ in range(count(self.hands[seat]) - count(hand)):
            card = bit(nth(pool, rng.below(count(pool))))
            pool ^= card
            hand |= card
        return hand


def undealt_cards() -> HiddenCards:
    """All cards in the pile."""
    return HiddenCards(vec[i64]([0, 0]), vec[i64]([0, 0]), vec[i64]([0, 0]), FULL_DECK)
