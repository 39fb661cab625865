"""A game of Duel-Edged Sword as it stands: where the drawn card may go, and what it does there."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, first
from games.engines.duel_edged_sword.cards import (
    NO_CARD,
    SINGLES,
    code,
    is_logical,
    kind_of,
    opposite,
    sort_of,
)
from games.engines.duel_edged_sword.dealing import deal
from games.engines.duel_edged_sword.heaps import has_four, has_three, one
from games.engines.duel_edged_sword.rows import DOWN, FACE, LEFT, ROWS
from games.engines.duel_edged_sword.scoring import is_over, partner, score, worth
from games.engines.duel_edged_sword.table import (
    BUST,
    COLLABORATIVE,
    CUT,
    OUT,
    SEATS,
    TEAMS,
    SwordTable,
)
from games.engines.duel_edged_sword.tasks import open_row, place_at, row_of, side_of

SIDE_NAMES: Final = ("left", "right")


class SwordState(SwordTable):
    """The table, and the one decision that is open on it: where the drawn card goes."""

    def deal_in(self, rng: Rng) -> None:
        """Seat the players, deal the first round, and let a random player lead it."""
        self.lay_out()
        self.leader = rng.below(SEATS)  # R7
        self.begin_round(rng)

    def clone(self) -> SwordState:
        copy = SwordState()
        copy.mode_rule = self.mode_rule
        copy.deals_all = self.deals_all
        copy.rounds = self.rounds
        copy.target = self.target
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.round = self.round
        copy.leader = self.leader
        copy.points = self.points  # these three are replaced, and never changed
        copy.challenge = self.challenge
        copy.last = self.last
        copy.mode = self.mode
        copy.flipped = self.flipped
        copy.rows = self.rows.clone()
        copy.turn = self.turn
        copy.drawn = self.drawn
        copy.unseen_completes = self.unseen_completes
        copy.unseen_kinds = self.unseen_kinds
        copy.unseen = self.unseen
        copy.piles = self.piles[:]
        copy.standings = self.standings[:]
        copy.completes = self.completes[:]
        copy.constraints = self.constraints[:]
        copy.dropped = self.dropped
        return copy

    def returns(self) -> list[float]:
        if self.to_act != 0:
            return [0.0] * SEATS
        return [worth(self, seat) for seat in range(SEATS)]

    # -- what may be done ---------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        found: list[i64] = []
        sort = sort_of(self.drawn)
        for row in range(ROWS):
            if self.rows.sizes[row] == 0:
                found.append(open_row(sort, row))
                continue
            for side in range(2):
                if self.may_place(row, side):
                    found.append(place_at(sort, row, side))
        return found

    def may_place(self, row: i64, side: i64) -> bool:
        """May the drawn card be laid at this end of a row that has cards?"""
        return kind_of(self.drawn) < SINGLES or not self.rows.is_logical_end(row, side)

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """Throw darts at the eight ends until one may be played at; an empty row has but one."""
        sort = sort_of(self.drawn)
        while True:
            dart = rng.below(2 * ROWS)
            row = dart >> 1
            side = dart & 1
            if self.rows.sizes[row] == 0:
                if side == LEFT:
                    return open_row(sort, row)
            elif self.may_place(row, side):
                return place_at(sort, row, side)

    def side(self, seat: i64) -> i64:
        if self.mode == TEAMS:
            return bit(seat) | bit(partner(self.flipped, seat))
        return first(SEATS) if self.mode == COLLABORATIVE else bit(seat)

    def occasion(self, seat: i64) -> i64:
        return self.drawn + 1

    # -- doing it -----------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.listening:
            self.news = []
        self.lay(seat, row_of(action), side_of(action))
        self.pass_on(rng)

    def lay(self, seat: i64, row: i64, side: i64) -> None:
        """Lay the drawn card and do what it does: collect, turn cards face down, or nothing."""
        face = self.drawn
        kind = kind_of(face)
        self.drawn = NO_CARD
        matches = kind >= 0 and self.rows.has_up(row, kind)
        if self.listening:
            self.tell_of_card(seat, row, side, face)
        self.rows.lay(row, side, face)
        if matches:  # R10: before any pairing
            self.collect(seat, row, side, face)
        elif is_logical(kind) and self.rows.has_up(row, opposite(kind)):
            self.turn_between(seat, row, side, opposite(kind))

    def tell_of_card(self, seat: i64, row: i64, side: i64, face: i64) -> None:
        """Where the card goes, for all to see."""
        facts = {"card": code(face), "row": int(row) + 1}
        if self.rows.sizes[row] == 0:
            self.tell("opened", seat, facts)
        else:
            self.tell("placed", seat, facts | {"side": SIDE_NAMES[side]})

    def collect(self, seat: i64, row: i64, side: i64, face: i64) -> None:
        """Take the laid card, the nearest that matches it, and all between them."""
        taken: list[i64] = [self.rows.take(row, side)]
        while True:
            is_match = self.rows.cell(row, side, 0) == face
            taken.append(self.rows.take(row, side))
            if is_match:
                break
        for card in taken:
            self.gain(seat, card)
        if self.listening:
            facts = {"row": int(row) + 1, "cards": [code(card) for card in taken]}
            self.tell("collected", seat, facts)
        self.cut(seat)

    def cut(self, seat: i64) -> None:
        """See how the collected constraints leave the player: all at once (R14)."""
        if not has_three(self.constraints[seat]):
            return
        self.leave(seat, CUT if has_four(self.constraints[seat]) else OUT)

    def leave(self, seat: i64, standing: i64) -> None:
        """A player is out of the round, and the rest of the pile with them."""
        self.standings[seat] = standing
        self.piles[seat] = 0
        if self.listening:
            self.tell("out" if standing == OUT else "cut", seat, {})

    def turn_between(self, seat: i64, row: i64, side: i64, other: i64) -> None:
        """A True and a False turn all cards between them face down."""
        turned: list[str] = []
        steps: i64 = 1
        while not self.shows(row, side, steps, other):
            if self.listening:
                turned.append(code(self.rows.cell(row, side, steps) & FACE))
            self.rows.turn_down(row, side, steps)
            steps += 1
        if self.listening:
            self.tell("turned", seat, {"row": int(row) + 1, "cards": turned})

    def shows(self, row: i64, side: i64, steps: i64, kind: i64) -> bool:
        """Does this card lie face up, and is it of that kind?"""
        cell = self.rows.cell(row, side, steps)
        return cell < DOWN and kind_of(cell) == kind

    # -- until somebody must decide -------------------------------------------------------------

    def pass_on(self, rng: Rng) -> None:
        """Clockwise to the next player who can play; with none left, on to the next round."""
        while True:
            following = self.next_with_cards()
            if following < 0:
                self.end_round(rng)
                return
            if self.take_up(following, rng):
                return

    def next_with_cards(self) -> i64:
        """The next seat clockwise that has cards to play, perhaps the same again; or -1."""
        for step in range(1, SEATS + 1):
            seat = (self.turn + step) % SEATS
            if self.piles[seat] > 0:
                return seat
        return -1

    def take_up(self, seat: i64, rng: Rng) -> bool:
        """Draw a card for the seat's turn; False if it fits nowhere, and the seat is bust."""
        self.turn = seat
        self.piles[seat] = self.piles[seat] - 1
        face = self.draw(rng)
        if not self.may_play(face):
            self.bust(seat, face)
            return False
        self.drawn = face
        self.to_act = bit(seat)
        if self.listening:
            self.tell_secret("drew", seat, {"card": code(face)})
        return True

    def bust(self, seat: i64, face: i64) -> None:
        """The card is shown and leaves the round, as its player does (R13)."""
        self.dropped += one(kind_of(face))
        self.standings[seat] = BUST
        self.piles[seat] = 0
        if self.listening:
            self.tell("bust", seat, {"card": code(face)})

    def end_round(self, rng: Rng) -> None:
        """Score, and deal again unless that was the last round."""
        score(self)
        if is_over(self):
            self.to_act = 0
            return
        self.leader = (self.leader + 1) % SEATS  # R7
        self.begin_round(rng)

    def begin_round(self, rng: Rng) -> None:
        """Deal, and let the leader draw."""
        deal(self, rng)
        self.turn = (self.leader + SEATS - 1) % SEATS
        self.pass_on(rng)
