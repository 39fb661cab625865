"""The rules of Duel-Edged Sword: the legal actions, which are the places where the drawn card may
go, and their effects."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, first_n
from games.engines.duel_edged_sword.action_numbers import (
    encode_open_row,
    encode_place,
    row_of,
    side_of,
)
from games.engines.duel_edged_sword.card_heap import has_four, has_three, single_tally
from games.engines.duel_edged_sword.cards import (
    NO_CARD,
    SINGLE_KIND_COUNT,
    card_code,
    is_logical,
    kind_of,
    opposite_kind,
    sort_of,
)
from games.engines.duel_edged_sword.round_setup import deal_round
from games.engines.duel_edged_sword.rows import FACE_DOWN, FACE_MASK, LEFT, ROW_COUNT
from games.engines.duel_edged_sword.scoring import (
    is_match_over,
    partner_of,
    score_round,
    seat_return,
)
from games.engines.duel_edged_sword.table_state import (
    COLLABORATIVE,
    SEAT_COUNT,
    STANDING_BUST,
    STANDING_CUT,
    STANDING_OUT,
    TEAMS,
    SwordTable,
)

SIDE_NAMES: Final = ("left", "right")


class SwordState(SwordTable):
    """The table together with the open decision: where the drawn card goes."""

    def set_up(self, rng: Rng) -> None:
        """Set up the table and deal the first round with a random leader."""
        self.init_table()
        self.leader = rng.below(SEAT_COUNT)  # R7
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
        copy.points = self.points  # these three are replaced, never mutated
        copy.challenge = self.challenge
        copy.last_round = self.last_round
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
            return [0.0] * SEAT_COUNT
        return [seat_return(self, seat) for seat in range(SEAT_COUNT)]

    # -- legal actions ------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        found: list[i64] = []
        sort = sort_of(self.drawn)
        for row in range(ROW_COUNT):
            if self.rows.sizes[row] == 0:
                found.append(encode_open_row(sort, row))
                continue
            for side in range(2):
                if self.can_place(row, side):
                    found.append(encode_place(sort, row, side))
        return found

    def can_place(self, row: i64, side: i64) -> bool:
        """Whether the drawn card may be laid at this end of a row that has cards."""
        return kind_of(self.drawn) < SINGLE_KIND_COUNT or not self.rows.is_logical_end(row, side)

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """Rejection sampling over the eight ends; an empty row counts as its left end only."""
        sort = sort_of(self.drawn)
        while True:
            dart = rng.below(2 * ROW_COUNT)
            row = dart >> 1
            side = dart & 1
            if self.rows.sizes[row] == 0:
                if side == LEFT:
                    return encode_open_row(sort, row)
            elif self.can_place(row, side):
                return encode_place(sort, row, side)

    def team_of(self, seat: i64) -> i64:
        if self.mode == TEAMS:
            return bit(seat) | bit(partner_of(self.flipped, seat))
        return first_n(SEAT_COUNT) if self.mode == COLLABORATIVE else bit(seat)

    def observation_key(self, seat: i64) -> i64:
        return self.drawn + 1

    # -- effects ------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.lay_drawn_card(seat, row_of(action), side_of(action))
        self.advance_turn(rng)

    def lay_drawn_card(self, seat: i64, row: i64, side: i64) -> None:
        """Lay the drawn card and apply its effect: collect, turn cards face down, or nothing."""
        face = self.drawn
        kind = kind_of(face)
        self.drawn = NO_CARD
        matches = kind >= 0 and self.rows.has_face_up(row, kind)
        if self.is_recording_news:
            self.add_lay_news(seat, row, side, face)
        self.rows.lay(row, side, face)
        if matches:  # R10: before any pairing
            self.collect_match(seat, row, side, face)
        elif is_logical(kind) and self.rows.has_face_up(row, opposite_kind(kind)):
            self.turn_cards_between(seat, row, side, opposite_kind(kind))

    def add_lay_news(self, seat: i64, row: i64, side: i64, face: i64) -> None:
        """Add the public news of where the card goes."""
        facts = {"card": card_code(face), "row": int(row) + 1}
        if self.rows.sizes[row] == 0:
            self.add_news("opened", seat, facts)
        else:
            self.add_news("placed", seat, facts | {"side": SIDE_NAMES[side]})

    def collect_match(self, seat: i64, row: i64, side: i64, face: i64) -> None:
        """Collect the laid card, the nearest that matches it, and all between them."""
        taken: list[i64] = [self.rows.take(row, side)]
        while True:
            is_match = self.rows.cell(row, side, 0) == face
            taken.append(self.rows.take(row, side))
            if is_match:
                break
        for card in taken:
            self.collect_card(seat, card)
        if self.is_recording_news:
            facts = {"row": int(row) + 1, "cards": [card_code(card) for card in taken]}
            self.add_news("collected", seat, facts)
        self.check_constraints(seat)

    def check_constraints(self, seat: i64) -> None:
        """Check three and four of a kind after the whole collection (R14)."""
        if not has_three(self.constraints[seat]):
            return
        self.drop_out(seat, STANDING_CUT if has_four(self.constraints[seat]) else STANDING_OUT)

    def drop_out(self, seat: i64, standing: i64) -> None:
        """Take a player out of the round, with the rest of their pile."""
        self.standings[seat] = standing
        self.piles[seat] = 0
        if self.is_recording_news:
            self.add_news("out" if standing == STANDING_OUT else "cut", seat, {})

    def turn_cards_between(self, seat: i64, row: i64, side: i64, other: i64) -> None:
        """Turn all cards between a True and a False face down."""
        turned: list[str] = []
        steps: i64 = 1
        while not self.is_showing(row, side, steps, other):
            if self.is_recording_news:
                turned.append(card_code(self.rows.cell(row, side, steps) & FACE_MASK))
            self.rows.turn_down(row, side, steps)
            steps += 1
        if self.is_recording_news:
            self.add_news("turned", seat, {"row": int(row) + 1, "cards": turned})

    def is_showing(self, row: i64, side: i64, steps: i64, kind: i64) -> bool:
        """Whether this card lies face up and is of that kind."""
        cell = self.rows.cell(row, side, steps)
        return cell < FACE_DOWN and kind_of(cell) == kind

    # -- until the next decision point ----------------------------------------------------------

    def advance_turn(self, rng: Rng) -> None:
        """Advance clockwise to the next player who can play; if there is none, end the round."""
        while True:
            following = self.next_seat_with_cards()
            if following < 0:
                self.end_round(rng)
                return
            if self.draw_for_turn(following, rng):
                return

    def next_seat_with_cards(self) -> i64:
        """The next seat clockwise that has cards to play, possibly the same one; or -1."""
        for step in range(1, SEAT_COUNT + 1):
            seat = (self.turn + step) % SEAT_COUNT
            if self.piles[seat] > 0:
                return seat
        return -1

    def draw_for_turn(self, seat: i64, rng: Rng) -> bool:
        """Draw a card for the seat's turn; False if it fits nowhere and the seat is bust."""
        self.turn = seat
        self.piles[seat] = self.piles[seat] - 1
        face = self.draw_card(rng)
        if not self.can_play(face):
            self.go_bust(seat, face)
            return False
        self.drawn = face
        self.to_act = bit(seat)
        if self.is_recording_news:
            self.add_news("drew", seat, {}, {"card": card_code(face)}, bit(seat))
        return True

    def go_bust(self, seat: i64, face: i64) -> None:
        """Show the card and remove it and its player from the round (R13)."""
        self.dropped += single_tally(kind_of(face))
        self.standings[seat] = STANDING_BUST
        self.piles[seat] = 0
        if self.is_recording_news:
            self.add_news("bust", seat, {"card": card_code(face)})

    def end_round(self, rng: Rng) -> None:
        """Score the round, and deal the next unless the match is over."""
        score_round(self)
        if is_match_over(self):
            self.to_act = 0
            return
        self.leader = (self.leader + 1) % SEAT_COUNT  # R7
        self.begin_round(rng)

    def begin_round(self, rng: Rng) -> None:
        """Deal a round; the leader draws first."""
        deal_round(self, rng)
        self.turn = (self.leader + SEAT_COUNT - 1) % SEAT_COUNT
        self.advance_turn(rng)
