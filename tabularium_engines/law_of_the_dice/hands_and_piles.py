"""The deck: hands and piles, transfers between them, and who knows which cards."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, nth
from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.common.state_fields import fields_of


class Deck:
    """Hands and draw pile are sets (bit masks): not even the state knows an order."""

    def __init__(self, hands: vec[i64], known_cards: vec[i64]) -> None:
        self.hands = hands  # by seat, a set
        self.pile: i64 = FULL_DECK
        self.discard_pile: vec[i64] = vec[i64]()  # the top last
        self.known_cards = known_cards  # by seat, then the onlooker: those known in others' hands

    def clone(self) -> Deck:
        """An independent copy."""
        copy = Deck(self.hands[:], self.known_cards[:])
        copy.pile = self.pile
        copy.discard_pile = self.discard_pile[:]
        return copy

    def contents(self) -> list[Any]:
        """All cards and knowledge as plain numbers."""
        return fields_of(self)

    def learn(self, viewer: i64, cards: i64) -> None:
        """Record that the viewer knows who holds these cards, too."""
        self.known_cards[viewer] = self.known_cards[viewer] | cards

    def forget(self, viewer: i64, cards: i64) -> None:
        """Record that the viewer no longer knows who holds these cards."""
        if self.known_cards[viewer] & cards != 0:
            self.known_cards[viewer] = self.known_cards[viewer] & ~cards

    def lose_sight(self, giver: i64, taker: i64) -> None:
        """Before a card leaves `giver` unseen: the others no longer know the cards of that hand."""
        hand = self.hands[giver]
        if count(hand) == 1:
            return  # a viewer who knew the only card knows where it goes
        for viewer in range(len(self.known_cards)):
            if viewer != giver and viewer != taker:
                self.forget(viewer, hand)

    def reveal_hands(self) -> None:
        """Reveal all hands to all players."""
        held: i64 = 0
        for hand in self.hands:
            held |= hand
        self.known_cards = vec[i64]([held] * len(self.known_cards))
        for seat in range(len(self.hands)):
            self.known_cards[seat] = held & ~self.hands[seat]

    def pick_from_hand(self, seat: i64, rng: Rng) -> i64:
        """A random card of a hand."""
        return nth(self.hands[seat], rng.below(count(self.hands[seat])))

    def draw(self, seat: i64, rng: Rng) -> i64:
        """Move a random card from the draw pile to a hand."""
        card = nth(self.pile, rng.below(count(self.pile)))
        self.pile ^= bit(card)
        self.hands[seat] = self.hands[seat] | bit(card)
        return card

    def lay_open(self, seat: i64, card: i64) -> None:
        """Remove a card from a hand publicly. (Compiled code is slow at `&=` on an item.)"""
        gone = bit(card)
        self.hands[seat] = self.hands[seat] & ~gone
        for viewer in range(len(self.known_cards)):
            self.forget(viewer, gone)

    def discard(self, seat: i64, card: i64) -> None:
        """Put a card from a hand on the discard pile."""
        self.lay_open(seat, card)
        self.discard_pile = append(self.discard_pile, card)

    def take_discard(self, seat: i64, depth: i64) -> i64:
        """Take the discard that lies under `depth` others; all players see which."""
        self.discard_pile, card = pop(self.discard_pile, len(self.discard_pile) - 1 - depth)
        self.hands[seat] = self.hands[seat] | bit(card)
        for viewer in range(len(self.known_cards)):
            if viewer != seat:
                self.learn(viewer, bit(card))
        return card

    def hand_over(self, giver: i64, taker: i64, card: i64) -> None:
        """Move a card between two hands; only these two seats see which."""
        self.hands[giver] = self.hands[giver] & ~bit(card)
        self.hands[taker] = self.hands[taker] | bit(card)
        self.learn(giver, bit(card))
        self.forget(taker, bit(card))

    def refill_pile(self) -> None:
        """Shuffle the discards into the draw pile."""
        for card in self.discard_pile:
            self.pile |= bit(card)
        self.discard_pile = vec[i64]()

    def redeal_hand(self, seat: i64, sure: i64, rng: Rng) -> None:
        """Keep the cards of a hand that are `sure`, and replace the others from the draw pile."""
        hidden = self.hands[seat] & ~sure
        self.hands[seat] = self.hands[seat] & sure
        for _ in range(count(hidden)):
            self.draw(seat, rng)

    def seats_with_cards(self, but: i64) -> i64:
        """The set of seats that hold cards, except `but`."""
        seats: i64 = 0
        for seat in range(len(self.hands)):
            if seat != but and self.hands[seat] != 0:
                seats |= bit(seat)
        return seats


def undealt_deck(seats: i64) -> Deck:
    """The deck before the deal: all cards in the draw pile."""
    return Deck(vec[i64]([0] * seats), vec[i64]([0] * (seats + 1)))
