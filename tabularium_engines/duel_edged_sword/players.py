"""The players in a round: piles, standings and collected cards. Piles have no order: all unseen
cards are one heap, a pile is a number, and drawing picks a random card of the heap."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count
from tabularium_engines.duel_edged_sword.card_counts import (
    ALL_COMPLETES,
    ALL_KINDS,
    face_at,
    has_four,
    has_three,
    heap_size,
    single_tally,
)
from tabularium_engines.duel_edged_sword.cards import CARD_COUNT, COMPLETE_COUNT, kind_of

SEAT_COUNT: Final[i64] = 4  # North, East, South, West

# The standing of a player in a round.
STANDING_IN: Final[i64] = 0
STANDING_OUT: Final[i64] = 1  # three of a kind: stops playing, keeps the points
STANDING_CUT: Final[i64] = 2  # four of a kind: stops playing, loses the points
STANDING_BUST: Final[i64] = 3  # could not play: loses the points too
STANDING_NAMES: Final = ("in", "out", "cut", "bust")


class Players:
    """The unseen cards, and by seat the pile, the standing and the cards of each player."""

    def __init__(
        self, piles: vec[i64], standings: vec[i64], completes: vec[i64], constraints: vec[i64]
    ) -> None:
        self.unseen_completes: i64 = ALL_COMPLETES  # the heap of unseen cards
        self.unseen_kinds: i64 = ALL_KINDS
        self.unseen: i64 = CARD_COUNT  # the size of the heap
        self.dropped: i64 = 0  # the tally of cards that could not be played
        self.piles: vec[i64] = piles  # the number of cards still to draw
        self.standings: vec[i64] = standings
        self.completes: vec[i64] = completes  # the Completes collected, a set
        self.constraints: vec[i64] = constraints  # the other cards collected, a tally

    def clone(self) -> Players:
        """An independent copy."""
        completes, constraints = self.completes[:], self.constraints[:]
        copy = Players(self.piles[:], self.standings[:], completes, constraints)
        copy.unseen_completes = self.unseen_completes
        copy.unseen_kinds = self.unseen_kinds
        copy.unseen = self.unseen
        copy.dropped = self.dropped
        return copy

    def contents(self) -> list[Any]:
        """All fields as plain numbers."""
        heaps = [self.unseen_completes, self.unseen_kinds, self.dropped]
        by_seat = (self.piles, self.standings, self.completes, self.constraints)
        return [*heaps, *[list(field) for field in by_seat]]

    # -- unseen cards -----------------------------------------------------------------------------

    def draw(self, rng: Rng) -> i64:
        """Draw a random unseen card."""
        face = face_at(self.unseen_completes, self.unseen_kinds, rng.below(self.unseen))
        self.remove_unseen(face)
        return face

    def draw_among(self, completes: i64, kinds: i64, rng: Rng) -> i64:
        """Draw a random unseen card of a part of the heap."""
        face = face_at(completes, kinds, rng.below(heap_size(completes, kinds)))
        self.remove_unseen(face)
        return face

    def remove_unseen(self, face: i64) -> None:
        """Remove a card from the heap of unseen cards."""
        self.unseen -= 1
        if face < COMPLETE_COUNT:
            self.unseen_completes ^= bit(face)
        else:
            self.unseen_kinds -= single_tally(kind_of(face))

    def put_back(self, face: i64) -> None:
        """Return a card to the heap of unseen cards."""
        self.unseen += 1
        if face < COMPLETE_COUNT:
            self.unseen_completes |= bit(face)
        else:
            self.unseen_kinds += single_tally(kind_of(face))

    # -- players ----------------------------------------------------------------------------------

    def collect(self, seat: i64, face: i64) -> None:
        """Add a card to the seat's collected cards."""
        if face < COMPLETE_COUNT:
            self.completes[seat] = self.completes[seat] | bit(face)
        else:
            self.constraints[seat] = self.constraints[seat] + single_tally(kind_of(face))

    def check_constraints(self, seat: i64) -> i64:
        """Take a player with three or four of a kind out of the round; the standing."""
        standing = standing_with(self.constraints[seat])  # R14: after the whole collection
        if standing != STANDING_IN:
            self.leave_round(seat, standing)
        return standing

    def go_bust(self, seat: i64, face: i64) -> None:
        """Take a player out of the round, with a card that fits nowhere (R13)."""
        self.dropped += single_tally(kind_of(face))
        self.leave_round(seat, STANDING_BUST)

    def leave_round(self, seat: i64, standing: i64) -> None:
        """Take a player out of the round, with the rest of the pile."""
        self.standings[seat] = standing
        self.piles[seat] = 0

    def next_with_cards(self, turn: i64) -> i64:
        """The next seat clockwise that has cards to play, possibly the same one; or -1."""
        for step in range(1, SEAT_COUNT + 1):
            seat = (turn + step) % SEAT_COUNT
            if self.piles[seat] > 0:
                return seat
        return -1

    def scoring_completes(self, seat: i64) -> i64:
        """The number of a player's Completes that count."""
        return 0 if self.standings[seat] >= STANDING_CUT else count(self.completes[seat])


def standing_with(constraints: i64) -> i64:
    """The standing of a player with this tally of edges."""
    if has_four(constraints):
        return STANDING_CUT
    return STANDING_OUT if has_three(constraints) else STANDING_IN


def players_before_deal() -> Players:
    """All cards in one heap, and all players in."""
    none = vec[i64]([0] * SEAT_COUNT)
    return Players(none, vec[i64]([STANDING_IN] * SEAT_COUNT), none[:], none[:])
