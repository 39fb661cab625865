"""The state of the table: the rows, and the players' piles, cards and points. Piles have no order:
all unseen cards are one heap, a pile is a number, and drawing picks a random card of the heap."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng, State
from games.engines.common.bits import bit
from games.engines.duel_edged_sword.card_heap import (
    ALL_COMPLETES,
    ALL_KINDS,
    SINGLES_MASK,
    face_at,
    faces_in,
    heap_size,
    single_tally,
)
from games.engines.duel_edged_sword.cards import COMPLETE_COUNT, NO_CARD, kind_of
from games.engines.duel_edged_sword.rows import FACE_MASK, ROW_COUNT, Rows

SEAT_COUNT: Final[i64] = 4  # North, East, South, West

# How a round is played …
COMBATIVE: Final[i64] = 0
COLLABORATIVE: Final[i64] = 1
TEAMS: Final[i64] = 2
MODE_BY_FLIPPED_CARD: Final[i64] = 3  # … as an option: the flipped card decides
MODE_NAMES: Final = ("combative", "collaborative", "teams", "flipped")

# The standing of a player in a round.
STANDING_IN: Final[i64] = 0
STANDING_OUT: Final[i64] = 1  # three of a kind: stops playing, keeps the points
STANDING_CUT: Final[i64] = 2  # four of a kind: stops playing, loses the points
STANDING_BUST: Final[i64] = 3  # could not play: loses the points too
STANDING_NAMES: Final = ("in", "out", "cut", "bust")


class SwordTable(State):
    """A match of several rounds and its current round."""

    mode_rule: i64  # the options, as numbers
    deals_all: bool
    rounds: i64
    target: i64
    round: i64  # from 1
    leader: i64
    points: vec[i64]
    challenge: vec[i64]  # collaborative rounds: how many, how many met, Completes kept, sought
    last_round: vec[i64]  # the last round's result, see `score_round`; empty before
    mode: i64
    flipped: i64  # the card that decided the mode
    rows: Rows
    turn: i64
    drawn: i64  # the card that only the seat on turn has seen, or NO_CARD
    unseen_completes: i64  # the heap of unseen cards
    unseen_kinds: i64
    unseen: i64  # the size of the heap
    piles: vec[i64]  # by seat: the number of cards
    standings: vec[i64]
    completes: vec[i64]  # by seat: the Completes collected, a set
    constraints: vec[i64]  # by seat: the other cards collected, a tally
    dropped: i64  # the tally of cards that could not be played

    def init_table(self) -> None:
        """Set up a table before the first deal."""
        self.seats = SEAT_COUNT
        self.round = 0
        self.leader = 0
        self.points = vec[i64]([0] * SEAT_COUNT)
        self.challenge = vec[i64]([0] * 4)
        self.last_round = vec[i64]()
        self.mode = COMBATIVE
        self.flipped = NO_CARD
        self.rows = Rows()
        self.clear_round()

    def clear_round(self) -> None:
        """Gather all cards in one heap."""
        self.rows.clear()
        self.turn = self.leader
        self.drawn = NO_CARD
        self.unseen_completes = ALL_COMPLETES
        self.unseen_kinds = ALL_KINDS
        self.unseen = heap_size(ALL_COMPLETES, ALL_KINDS)
        self.piles = vec[i64]([0] * SEAT_COUNT)
        self.standings = vec[i64]([STANDING_IN] * SEAT_COUNT)
        self.completes = vec[i64]([0] * SEAT_COUNT)
        self.constraints = vec[i64]([0] * SEAT_COUNT)
        self.dropped = 0

    # -- draws and cards ------------------------------------------------------------------------

    def draw_card(self, rng: Rng) -> i64:
        """Draw a random unseen card."""
        face = face_at(self.unseen_completes, self.unseen_kinds, rng.below(self.unseen))
        self.remove_from_unseen(face)
        return face

    def remove_from_unseen(self, face: i64) -> None:
        """Remove a card from the heap of unseen cards."""
        self.unseen -= 1
        if face < COMPLETE_COUNT:
            self.unseen_completes ^= bit(face)
        else:
            self.unseen_kinds -= single_tally(kind_of(face))

    def return_to_unseen(self, face: i64) -> None:
        """Return a card to the heap of unseen cards."""
        self.unseen += 1
        if face < COMPLETE_COUNT:
            self.unseen_completes |= bit(face)
        else:
            self.unseen_kinds += single_tally(kind_of(face))

    def collect_card(self, seat: i64, face: i64) -> None:
        """Add a card to the seat's collected cards."""
        if face < COMPLETE_COUNT:
            self.completes[seat] = self.completes[seat] | bit(face)
        else:
            self.constraints[seat] = self.constraints[seat] + single_tally(kind_of(face))

    # -- queries --------------------------------------------------------------------------------

    def can_play(self, face: i64) -> bool:
        """Whether there is a place for the card; only a True or a False may have none."""
        return face < 0 or kind_of(face) < 9 or not self.rows.is_closed_to_logical()

    def is_scoreless(self, seat: i64) -> bool:
        """Whether the Completes of this player score nothing."""
        return self.standings[seat] >= STANDING_CUT

    # -- hidden state -----------------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        # The drawn card is the only hidden card in the state: the cards in the piles are decided
        # when drawn. A seat that holds a True or a False has a place for it (R21).
        if self.drawn == NO_CARD or seat == self.turn:
            return
        self.return_to_unseen(self.drawn)
        kinds = self.unseen_kinds
        if self.rows.is_closed_to_logical():
            kinds &= SINGLES_MASK
        total = heap_size(self.unseen_completes, kinds)
        self.drawn = face_at(self.unseen_completes, kinds, rng.below(total))
        self.remove_from_unseen(self.drawn)

    def cards(self) -> list[i64]:
        everywhere = faces_in(self.unseen_completes, self.unseen_kinds) + faces_in(0, self.dropped)
        for seat in range(SEAT_COUNT):
            everywhere += faces_in(self.completes[seat], self.constraints[seat])
        for row in range(ROW_COUNT):
            everywhere += [cell & FACE_MASK for cell in self.rows.cells_of(row)]
        everywhere += [card for card in [self.flipped, self.drawn] if card != NO_CARD]
        everywhere.sort()
        return everywhere

    def contents(self) -> list[Any]:
        rules = [self.mode_rule, self.deals_all, self.rounds, self.target]
        match = [
            self.round,
            self.leader,
            list(self.points),
            list(self.challenge),
            list(self.last_round),
        ]
        rows = [list(self.rows.cells_of(row)) for row in range(ROW_COUNT)]
        course = [self.mode, self.flipped, self.turn, self.drawn]
        heap = [self.unseen_completes, self.unseen_kinds, self.dropped]
        players = [list(self.piles), list(self.standings)]
        players += [list(self.completes), list(self.constraints)]
        return [self.seats, self.to_act, *rules, *match, *course, *rows, *heap, *players]

    # -- news -------------------------------------------------------------------------------------
