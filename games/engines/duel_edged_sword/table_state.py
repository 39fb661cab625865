"""What lies on the table, and who has what of it. Piles are not stacked: all cards that nobody has
seen are one heap, a pile is a number, and drawing picks any card of the heap."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import NewsItem, Rng, State
from games.engines.common.bits import bit
from games.engines.duel_edged_sword.card_counts import (
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
MODE_BY_FLIPPED_CARD: Final[i64] = 3  # … as an option: let the flipped card say
MODE_NAMES: Final = ("combative", "collaborative", "teams", "flipped")

# How a player stands in a round.
STANDING_IN: Final[i64] = 0
STANDING_OUT: Final[i64] = 1  # three of a kind: plays on no more, and keeps the points
STANDING_CUT: Final[i64] = 2  # four of a kind: and loses them
STANDING_BUST: Final[i64] = 3  # could not play: likewise
STANDING_NAMES: Final = ("in", "out", "cut", "bust")


class SwordTable(State):
    """A match of several rounds, and the round that is being played."""

    mode_rule: i64  # the options, as numbers
    deals_all: bool
    rounds: i64
    target: i64
    round: i64  # from 1
    leader: i64
    points: vec[i64]
    challenge: vec[i64]  # collaborative rounds: how many, how many met, Completes kept, sought
    last_round: vec[i64]  # how the last round ended, see `scoring`; empty before
    mode: i64
    flipped: i64  # the card that said so
    rows: Rows
    turn: i64
    drawn: i64  # what the seat on turn holds and nobody else has seen, or NO_CARD
    unseen_completes: i64  # the heap of what nobody has seen
    unseen_kinds: i64
    unseen: i64  # how many cards that is
    piles: vec[i64]  # by seat: how many cards
    standings: vec[i64]
    completes: vec[i64]  # by seat: the Completes collected, a set
    constraints: vec[i64]  # by seat: all else collected, a tally
    dropped: i64  # the tally of cards that could not be played

    def init_table(self) -> None:
        """A table before anything is dealt."""
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
        """All cards are in one heap again."""
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

    # -- chance and cards -----------------------------------------------------------------------

    def draw_card(self, rng: Rng) -> i64:
        """A random card of those nobody has seen."""
        face = face_at(self.unseen_completes, self.unseen_kinds, rng.below(self.unseen))
        self.remove_from_unseen(face)
        return face

    def remove_from_unseen(self, face: i64) -> None:
        """A card leaves the heap of the unseen."""
        self.unseen -= 1
        if face < COMPLETE_COUNT:
            self.unseen_completes ^= bit(face)
        else:
            self.unseen_kinds -= single_tally(kind_of(face))

    def return_to_unseen(self, face: i64) -> None:
        """A card joins the heap of the unseen."""
        self.unseen += 1
        if face < COMPLETE_COUNT:
            self.unseen_completes |= bit(face)
        else:
            self.unseen_kinds += single_tally(kind_of(face))

    def collect_card(self, seat: i64, face: i64) -> None:
        """A card is collected."""
        if face < COMPLETE_COUNT:
            self.completes[seat] = self.completes[seat] | bit(face)
        else:
            self.constraints[seat] = self.constraints[seat] + single_tally(kind_of(face))

    # -- questions ------------------------------------------------------------------------------

    def can_play(self, face: i64) -> bool:
        """Is there a place for the card? Only a True or a False may find none."""
        return face < 0 or kind_of(face) < 9 or not self.rows.is_closed_to_logical()

    def is_scoreless(self, seat: i64) -> bool:
        """Do the Completes of this player score nothing?"""
        return self.standings[seat] >= STANDING_CUT

    # -- what a seat cannot know ------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        # Of all that is hidden only the drawn card has a place already: what is in which pile is
        # decided when it is drawn. Whoever holds a True or False has a place for it (R21).
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

    def add_news(self, kind: str, seat: i64, facts: dict[str, Any]) -> None:
        """Something happened that everybody saw."""
        self.news.append(NewsItem(kind, seat, facts, {}, 0))

    def add_secret_news(self, kind: str, seat: i64, secrets: dict[str, Any]) -> None:
        """Something happened that everybody saw, and only the seat saw what."""
        self.news.append(NewsItem(kind, seat, {}, secrets, bit(seat)))
