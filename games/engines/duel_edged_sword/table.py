"""What lies on the table, and who has what of it. Piles are not stacked: all cards that nobody has
seen are one heap, a pile is a number, and drawing picks any card of the heap."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import News, Rng, State
from games.engines.common.bits import bit
from games.engines.duel_edged_sword.cards import COMPLETES, NO_CARD, kind_of
from games.engines.duel_edged_sword.heaps import (
    ALL_COMPLETES,
    ALL_KINDS,
    SINGLES_PART,
    at,
    faces,
    one,
    size,
)
from games.engines.duel_edged_sword.rows import FACE, ROWS, Rows

SEATS: Final[i64] = 4  # North, East, South, West

# How a round is played …
COMBATIVE: Final[i64] = 0
COLLABORATIVE: Final[i64] = 1
TEAMS: Final[i64] = 2
FLIPPED: Final[i64] = 3  # … as an option: let the flipped card say
MODE_NAMES: Final = ("combative", "collaborative", "teams", "flipped")

# How a player stands in a round.
IN: Final[i64] = 0
OUT: Final[i64] = 1  # three of a kind: plays on no more, and keeps the points
CUT: Final[i64] = 2  # four of a kind: and loses them
BUST: Final[i64] = 3  # could not play: likewise
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
    last: vec[i64]  # how the last round ended, see `scoring`; empty before
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

    def lay_out(self) -> None:
        """A table before anything is dealt."""
        self.seats = SEATS
        self.round = 0
        self.leader = 0
        self.points = vec[i64]([0] * SEATS)
        self.challenge = vec[i64]([0] * 4)
        self.last = vec[i64]()
        self.mode = COMBATIVE
        self.flipped = NO_CARD
        self.rows = Rows()
        self.clear()

    def clear(self) -> None:
        """All cards are in one heap again."""
        self.rows.clear()
        self.turn = self.leader
        self.drawn = NO_CARD
        self.unseen_completes = ALL_COMPLETES
        self.unseen_kinds = ALL_KINDS
        self.unseen = size(ALL_COMPLETES, ALL_KINDS)
        self.piles = vec[i64]([0] * SEATS)
        self.standings = vec[i64]([IN] * SEATS)
        self.completes = vec[i64]([0] * SEATS)
        self.constraints = vec[i64]([0] * SEATS)
        self.dropped = 0

    # -- chance and cards -----------------------------------------------------------------------

    def draw(self, rng: Rng) -> i64:
        """A random card of those nobody has seen."""
        face = at(self.unseen_completes, self.unseen_kinds, rng.below(self.unseen))
        self.see(face)
        return face

    def see(self, face: i64) -> None:
        """A card leaves the heap of the unseen."""
        self.unseen -= 1
        if face < COMPLETES:
            self.unseen_completes ^= bit(face)
        else:
            self.unseen_kinds -= one(kind_of(face))

    def put_back(self, face: i64) -> None:
        """A card joins the heap of the unseen."""
        self.unseen += 1
        if face < COMPLETES:
            self.unseen_completes |= bit(face)
        else:
            self.unseen_kinds += one(kind_of(face))

    def gain(self, seat: i64, face: i64) -> None:
        """A card is collected."""
        if face < COMPLETES:
            self.completes[seat] = self.completes[seat] | bit(face)
        else:
            self.constraints[seat] = self.constraints[seat] + one(kind_of(face))

    # -- questions ------------------------------------------------------------------------------

    def may_play(self, face: i64) -> bool:
        """Is there a place for the card? Only a True or a False may find none."""
        return face < 0 or kind_of(face) < 9 or not self.rows.are_closed()

    def is_worthless(self, seat: i64) -> bool:
        """Do the Completes of this player score nothing?"""
        return self.standings[seat] >= CUT

    # -- what a seat cannot know ------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        # Of all that is hidden only the drawn card has a place already: what is in which pile is
        # decided when it is drawn. Whoever holds a True or False has a place for it (R21).
        if self.drawn == NO_CARD or seat == self.turn:
            return
        self.put_back(self.drawn)
        kinds = self.unseen_kinds
        if self.rows.are_closed():
            kinds &= SINGLES_PART
        total = size(self.unseen_completes, kinds)
        self.drawn = at(self.unseen_completes, kinds, rng.below(total))
        self.see(self.drawn)

    def cards(self) -> list[i64]:
        everywhere = faces(self.unseen_completes, self.unseen_kinds) + faces(0, self.dropped)
        for seat in range(SEATS):
            everywhere += faces(self.completes[seat], self.constraints[seat])
        for row in range(ROWS):
            everywhere += [cell & FACE for cell in self.rows.listed(row)]
        everywhere += [card for card in [self.flipped, self.drawn] if card != NO_CARD]
        everywhere.sort()
        return everywhere

    def contents(self) -> list[Any]:
        rules = [self.mode_rule, self.deals_all, self.rounds, self.target]
        match = [self.round, self.leader, list(self.points), list(self.challenge), list(self.last)]
        rows = [list(self.rows.listed(row)) for row in range(ROWS)]
        course = [self.mode, self.flipped, self.turn, self.drawn]
        heap = [self.unseen_completes, self.unseen_kinds, self.dropped]
        players = [list(self.piles), list(self.standings)]
        players += [list(self.completes), list(self.constraints)]
        return [self.seats, self.to_act, *rules, *match, *course, *rows, *heap, *players]

    # -- news -------------------------------------------------------------------------------------

    def tell(self, kind: str, seat: i64, facts: dict[str, Any]) -> None:
        """Something happened that everybody saw."""
        self.news.append(News(kind, seat, facts, {}, 0))

    def tell_secret(self, kind: str, seat: i64, secrets: dict[str, Any]) -> None:
        """Something happened that everybody saw, and only the seat saw what."""
        self.news.append(News(kind, seat, {}, secrets, bit(seat)))
