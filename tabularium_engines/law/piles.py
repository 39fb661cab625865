"""The piles of the table: the draw pile, the discard piles, the trash, and the cards out of the
game."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, extend, pop, vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, has, nth
from tabularium_engines.common.state_fields import fields_of


class Piles:
    """The draw pile is a set: not even the state knows its order. Only cards that a viewer has seen
    on top of it have a place there: they are in `stack`."""

    def __init__(self, rest: i64, discarded: list[vec[i64]]) -> None:
        self.stack: vec[i64] = vec[i64]()  # the top of the draw pile, the top card last
        self.rest: i64 = rest  # the rest of it, a set
        self.discarded: list[vec[i64]] = discarded  # by discard pile, the top last
        self.trash: i64 = 0
        self.removed: i64 = 0  # from the game

    def clone(self) -> Piles:
        """An independent copy."""
        copy = Piles(self.rest, [cards[:] for cards in self.discarded])
        copy.stack = self.stack[:]
        copy.trash = self.trash
        copy.removed = self.removed
        return copy

    def contents(self) -> list[Any]:
        """All piles as plain numbers."""
        return fields_of(self)

    def is_draw_pile_empty(self) -> bool:
        """Whether the draw pile is empty."""
        return self.rest == 0 and len(self.stack) == 0

    def possible_top_cards(self) -> i64:
        """The cards of which one is drawn next, if that is left to chance; otherwise none."""
        return self.rest if len(self.stack) == 0 else 0

    def take_top(self, pile: i64, rng: Rng) -> i64:
        """Remove the top card of a discard pile, or of the draw pile (0), and return it."""
        if pile > 0:
            self.discarded[pile - 1], card = pop(self.discarded[pile - 1])
        elif len(self.stack) > 0:
            self.stack, card = pop(self.stack)
        else:
            card = nth(self.rest, rng.below(count(self.rest)))
            self.rest ^= bit(card)
        return card

    def shuffle_in(self, cards: i64) -> None:
        """Shuffle cards and the stack into the draw pile."""
        for card in self.stack:
            self.rest |= bit(card)
        self.stack = vec[i64]()
        self.rest |= cards

    def put(self, card: i64, pile: i64) -> None:
        """Lay a card on a discard pile, or on the draw pile (0)."""
        if pile == 0:
            self.stack = append(self.stack, card)
        else:
            self.discarded[pile - 1] = append(self.discarded[pile - 1], card)

    def lay_out(self, wanted: i64) -> None:
        """Lay out this number of discard piles."""
        while len(self.discarded) < wanted:  # R36
            self.discarded.append(vec[i64]())
        while len(self.discarded) > wanted:  # R37: the last one goes under the one before it
            under = self.discarded.pop()
            self.discarded.append(extend(under, self.discarded.pop()))

    def turn_over(self) -> None:
        """Make the trash and all discards but the top ones the draw pile, which has run out."""
        cards = self.trash
        self.trash = 0
        for index in range(len(self.discarded)):
            pile = self.discarded[index]
            if len(pile) > 1:
                for card in pile[:-1]:
                    cards |= bit(card)
                self.discarded[index] = pile[-1:]
        self.rest = cards

    def remove_from_game(self, cards: i64) -> None:
        """Move cards out of the game, from these piles or from elsewhere."""
        self.rest &= ~cards
        self.trash &= ~cards
        self.stack = without_cards(self.stack, cards)
        self.discarded = [without_cards(pile, cards) for pile in self.discarded]
        self.removed |= cards


def without_cards(cards: vec[i64], gone: i64) -> vec[i64]:
    """A row of cards without some of them."""
    return vec[i64]([card for card in cards if not has(gone, card)])
