"""The zones of the cards: hands, pile and table, with random draws from the pile."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.duel_of_law.cards import CARD_COUNT

ZONE_PILE: Final[i64] = 4  # where a card is, if no seat holds it
ZONE_TABLE: Final[i64] = 5


class CardZones:
    """The zone of each card. The pile is a set: not even the state knows an order."""

    def __init__(self, zone_of: vec[i64]) -> None:
        self.zone_of: vec[i64] = zone_of  # by card: the seat that holds it, or one of the above

    def clone(self) -> CardZones:
        """An independent copy."""
        return CardZones(self.zone_of[:])

    def contents(self) -> list[i64]:
        """The zones as plain numbers."""
        return list(self.zone_of)

    def cards(self, zone: i64) -> list[i64]:
        """The cards of a hand, or of the pile, ascending."""
        return [card for card in range(CARD_COUNT) if self.zone_of[card] == zone]

    def count(self, zone: i64) -> i64:
        """The number of cards in a zone."""
        found: i64 = 0
        for other in self.zone_of:
            if other == zone:
                found += 1
        return found

    def draw(self, zone: i64, rng: Rng) -> i64:
        """Move a random card of the pile to another zone."""
        left = rng.below(self.count(ZONE_PILE))
        card: i64 = 0
        while left > 0 or self.zone_of[card] != ZONE_PILE:
            if self.zone_of[card] == ZONE_PILE:
                left -= 1
            card += 1
        self.zone_of[card] = zone
        return card

    def redeal(self, seat: i64, seats: i64, rng: Rng) -> None:
        """Deal all cards that are hidden from a seat again; each hand keeps its size."""
        counts = [self.count(other) for other in range(seats)]
        pool: list[i64] = []
        for card in range(CARD_COUNT):
            if self.zone_of[card] != ZONE_TABLE and self.zone_of[card] != seat:
                self.zone_of[card] = ZONE_PILE
                pool.append(card)
        for other in range(seats):
            if other != seat:
                for _ in range(counts[other]):
                    chosen = rng.below(len(pool))
                    self.zone_of[pool[chosen]] = other
                    pool[chosen] = pool[len(pool) - 1]
                    pool.pop()


def undealt_cards() -> CardZones:
    """All cards in the pile."""
    return CardZones(vec[i64]([ZONE_PILE] * CARD_COUNT))
