"""The players in a round: by seat, the pile, the standing and the collected cards. Piles have no
order: a pile is a number, and drawing picks a random card among all unseen cards."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count
from games.engines.duel_edged_sword.card_counts import has_four, has_three, single_tally
from games.engines.duel_edged_sword.cards import COMPLETE_COUNT, kind_of

SEAT_COUNT: Final[i64] = 4  # North, East, South, West

# The standing of a player in a round.
STANDING_IN: Final[i64] = 0
STANDING_OUT: Final[i64] = 1  # three of a kind: stops playing, keeps the points
STANDING_CUT: Final[i64] = 2  # four of a kind: stops playing, loses the points
STANDING_BUST: Final[i64] = 3  # could not play: loses the points too
STANDING_NAMES: Final = ("in", "out", "cut", "bust")


class Players:
    """The four players, all fields by seat."""

    def __init__(self) -> None:
        self.piles: vec[i64] = vec[i64]()  # the number of cards still to draw
        self.standings: vec[i64] = vec[i64]()
        self.completes: vec[i64] = vec[i64]()  # the Completes collected, a set
        self.constraints: vec[i64] = vec[i64]()  # the other cards collected, a tally

    def clear(self) -> None:
        """Begin a round: no cards, and all players in."""
        self.piles = vec[i64]([0] * SEAT_COUNT)
        self.standings = vec[i64]([STANDING_IN] * SEAT_COUNT)
        self.completes = vec[i64]([0] * SEAT_COUNT)
        self.constraints = vec[i64]([0] * SEAT_COUNT)

    def clone(self) -> Players:
        """An independent copy."""
        copy = Players()
        copy.piles = self.piles[:]
        copy.standings = self.standings[:]
        copy.completes = self.completes[:]
        copy.constraints = self.constraints[:]
        return copy

    def contents(self) -> list[Any]:
        """All fields as plain numbers."""
        fields = (self.piles, self.standings, self.completes, self.constraints)
        return [list(field) for field in fields]

    def collect(self, seat: i64, face: i64) -> None:
        """Add a card to the seat's collected cards."""
        if face < COMPLETE_COUNT:
            self.completes[seat] = self.completes[seat] | bit(face)
        else:
            self.constraints[seat] = self.constraints[seat] + single_tally(kind_of(face))

    def check_constraints(self, seat: i64) -> i64:
        """Take a player with three or four of a kind out of the round; the standing."""
        tally = self.constraints[seat]
        if has_three(tally):  # R14: after the whole collection
            self.leave_round(seat, STANDING_CUT if has_four(tally) else STANDING_OUT)
        return self.standings[seat]

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
