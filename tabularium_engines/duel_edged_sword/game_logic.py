"""The rules of Duel-Edged Sword: the legal actions, which are the places where the drawn card may
go, their effects, and the course of turns and rounds."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import bit, first_n
from tabularium_engines.duel_edged_sword import action_numbers, cards, round_setup
from tabularium_engines.duel_edged_sword import match_scoring as scoring
from tabularium_engines.duel_edged_sword.card_counts import ALL_COMPLETES, SINGLES_MASK, faces_in
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, NO_CARD, kind_of
from tabularium_engines.duel_edged_sword.match_scoring import Match, Variant
from tabularium_engines.duel_edged_sword.players import (
    SEAT_COUNT,
    STANDING_IN,
    STANDING_NAMES,
    Players,
    players_before_deal,
)
from tabularium_engines.duel_edged_sword.rows import FACE_MASK, LEFT, ROW_COUNT, Rows, empty_rows

SIDE_NAMES: Final = ("left", "right")


class SwordState(State):
    """A match, the table of its current round, and the open decision: where the drawn card goes."""

    def __init__(self, variant: Variant, match: Match, rows: Rows, players: Players) -> None:
        super().__init__()
        self.seats = SEAT_COUNT
        self.variant = variant
        self.match = match
        self.rows = rows
        self.players = players
        self.turn: i64 = 0
        self.drawn: i64 = NO_CARD  # the card that only the seat on turn has seen

    def clone(self) -> SwordState:
        copy = SwordState(self.variant, self.match, self.rows.clone(), self.players.clone())
        copy.to_act = self.to_act
        copy.turn = self.turn
        copy.drawn = self.drawn
        return copy

    def contents(self) -> list[Any]:
        match = [*self.variant.contents(), *self.match.contents(), self.turn, self.drawn]
        table = [*self.rows.contents(), *self.players.contents()]
        return [self.seats, self.to_act, *match, *table]

    def cards(self) -> list[i64]:
        players = self.players
        everywhere = faces_in(players.unseen_completes, players.unseen_kinds)
        everywhere += self.cards_in_sight()
        everywhere.sort()
        return everywhere

    def cards_in_sight(self) -> list[i64]:
        """All cards but the unseen ones."""
        players = self.players
        found = faces_in(0, players.dropped)
        for seat in range(SEAT_COUNT):
            found += faces_in(players.completes[seat], players.constraints[seat])
        for row in range(ROW_COUNT):
            found += [cell & FACE_MASK for cell in self.rows.cells_of(row)]
        return found + [card for card in [self.match.flipped, self.drawn] if card != NO_CARD]

    def determinize(self, seat: i64, rng: Rng) -> None:
        # The drawn card is the only hidden card: the cards in the piles are decided when drawn.
        if self.drawn != NO_CARD and seat != self.turn:
            self.players.put_back(self.drawn)
            self.draw_hidden_card(rng)

    def draw_hidden_card(self, rng: Rng) -> None:
        """Draw any card that the seat on turn may hold: one that it can lay (R21)."""
        players = self.players
        kinds = players.unseen_kinds
        if self.rows.is_closed_to_logical():
            kinds &= SINGLES_MASK
        self.drawn = players.draw_among(players.unseen_completes, kinds, rng)

    def returns(self) -> list[float]:
        if self.to_act != 0:
            return [0.0] * SEAT_COUNT
        return [self.match.seat_return(seat) for seat in range(SEAT_COUNT)]

    def team_of(self, seat: i64) -> i64:
        match = self.match
        if match.mode == scoring.TEAMS:
            return bit(seat) | bit(scoring.partner_of(match.flipped, seat))
        return first_n(SEAT_COUNT) if match.mode == scoring.COLLABORATIVE else bit(seat)

    def observation_key(self, seat: i64) -> i64:
        return self.drawn + 1

    # -- legal actions ------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        found: list[i64] = []
        for end in range(2 * ROW_COUNT):
            action = self.action_at(end >> 1, end & 1)
            if action >= 0:
                found.append(action)
        return found

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """Rejection sampling over the eight ends."""
        while True:
            end = rng.below(2 * ROW_COUNT)
            action = self.action_at(end >> 1, end & 1)
            if action >= 0:
                return action

    def action_at(self, row: i64, side: i64) -> i64:
        """The action that lays the drawn card at this end, or -1; a row with one end has a left
        one."""
        size = self.rows.sizes[row]
        if side != LEFT and size <= self.variant.one_place_size:
            return -1
        if not self.rows.may_lay(row, side, kind_of(self.drawn)):
            return -1
        kind = action_numbers.OPEN_ROW if size == 0 else action_numbers.PLACE
        return action_numbers.encode_action(kind, cards.sort_of(self.drawn), row, side)

    # -- effects ------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.lay_drawn_card(seat, action_numbers.row_of(action), action_numbers.side_of(action))
        self.advance_turn(rng)

    def lay_drawn_card(self, seat: i64, row: i64, side: i64) -> None:
        """Lay the drawn card and apply its effect: collect, turn cards face down, or nothing."""
        rows = self.rows
        face = self.drawn
        kind = kind_of(face)
        self.drawn = NO_CARD
        matches = kind >= 0 and rows.has_face_up(row, kind)
        if self.is_recording_news:
            end = {"side": SIDE_NAMES[side]} if rows.sizes[row] > 0 else {}
            facts = {"card": CARD_CODES[face], "row": int(row) + 1, **end}
            self.add_news("placed" if end else "opened", seat, facts)
        rows.lay(row, side, face)
        if matches:  # R10: before any pairing
            self.collect_match(seat, row, side)
        elif cards.is_logical(kind) and rows.has_face_up(row, cards.opposite_kind(kind)):
            self.turn_cards_between(seat, row, side, cards.opposite_kind(kind))

    def collect_match(self, seat: i64, row: i64, side: i64) -> None:
        """Collect the laid card, the nearest that matches it, and all between them."""
        players = self.players
        taken = self.rows.take_match(row, side)
        for card in taken:
            players.collect(seat, card)
        if self.is_recording_news:
            facts = {"row": int(row) + 1, "cards": [CARD_CODES[card] for card in taken]}
            self.add_news("collected", seat, facts)
        standing = players.check_constraints(seat)
        if self.is_recording_news and standing != STANDING_IN:
            self.add_news(STANDING_NAMES[standing], seat, {})

    def turn_cards_between(self, seat: i64, row: i64, side: i64, other: i64) -> None:
        """Turn all cards between a True and a False face down."""
        rows = self.rows
        steps = rows.turn_down_until(row, side, cards.face_of(other))
        if self.is_recording_news:
            turned = [rows.cell(row, side, step) & FACE_MASK for step in range(1, steps)]
            facts = {"row": int(row) + 1, "cards": [CARD_CODES[card] for card in turned]}
            self.add_news("turned", seat, facts)

    # -- until the next decision point ----------------------------------------------------------

    def advance_turn(self, rng: Rng) -> None:
        """Draw for the next player clockwise who has a card that can be laid; if there is none,
        end the round."""
        players = self.players
        while True:
            seat = players.next_with_cards(self.turn)
            if seat < 0:
                self.end_round(rng)
                return
            self.turn = seat
            players.piles[seat] = players.piles[seat] - 1
            face = players.draw(rng)
            if not (cards.is_logical(kind_of(face)) and self.rows.is_closed_to_logical()):
                break
            players.go_bust(seat, face)
            if self.is_recording_news:
                self.add_news("bust", seat, {"card": CARD_CODES[face]})
        self.drawn = face
        self.to_act = bit(seat)
        if self.is_recording_news:
            self.add_news("drew", seat, {}, {"card": CARD_CODES[face]}, bit(seat))

    def end_round(self, rng: Rng) -> None:
        """Score the round, and deal the next unless the match is over."""
        match = self.match = self.match.clone()
        in_play = ALL_COMPLETES ^ bit(match.flipped)
        if self.variant.deal != scoring.DEAL_ALL and match.mode == scoring.COLLABORATIVE:
            in_play &= ~self.completes_out_of_challenge(rng)
        result = match.score_round(self.players, in_play)
        if self.is_recording_news:
            facts: dict[str, Any] = {"round": int(match.round)}
            facts |= {"mode": scoring.MODE_NAMES[match.mode], "sought": int(result.sought)}
            facts |= {"points": list(result.points), "kept": list(result.kept)}
            self.add_news("scored", self.turn, facts)
        if match.is_over(self.variant):
            self.to_act = 0
            return
        match.leader = (match.leader + 1) % SEAT_COUNT  # R7
        self.begin_round(rng)

    def completes_out_of_challenge(self, rng: Rng) -> i64:
        """The Completes that a challenge does not cover if each pile has thirteen cards: those that
        did not come to the table or, if all that were dealt count, those aside (R16)."""
        players = self.players
        if not self.variant.counts_all_dealt:
            return players.unseen_completes
        aside = [players.draw(rng) for _ in range(round_setup.SET_ASIDE_COUNT)]
        for face in aside:
            players.put_back(face)
        if self.is_recording_news:
            self.add_news("revealed", self.turn, {"cards": [CARD_CODES[face] for face in aside]})
        completes: i64 = 0
        for face in aside:
            if face < cards.COMPLETE_COUNT:
                completes |= bit(face)
        return completes

    def begin_round(self, rng: Rng) -> None:
        """Gather all cards and deal a round; the leader draws first."""
        match = self.match
        match.round += 1
        players = self.players = players_before_deal()
        self.deal_rows(rng)
        match.flipped = round_setup.flip_mode_card(players, self.variant.mode_rule, rng)
        match.mode = round_setup.mode_of(match.flipped)
        if self.is_recording_news:
            facts = {"card": CARD_CODES[match.flipped], "mode": scoring.MODE_NAMES[match.mode]}
            self.add_news("flipped", match.leader, facts)
        round_setup.deal_piles(players, self.variant.deal, match.leader)
        self.turn = (match.leader + SEAT_COUNT - 1) % SEAT_COUNT
        self.advance_turn(rng)

    def deal_rows(self, rng: Rng) -> None:
        """Deal the four rows."""
        rows = self.rows = empty_rows()
        skipped = round_setup.lay_rows(rows, self.players, rng)
        if self.is_recording_news:
            laid = [[CARD_CODES[face] for face in rows.cells_of(row)] for row in range(ROW_COUNT)]
            facts: dict[str, Any] = {"round": int(self.match.round), "rows": laid}
            facts["skipped"] = [CARD_CODES[face] for face in skipped]
            self.add_news("dealt", self.match.leader, facts)


def empty_table(variant: Variant) -> SwordState:
    """The table before the first deal: all cards are unseen."""
    match = Match(vec[i64]([0] * SEAT_COUNT), scoring.ChallengeTotals())
    return SwordState(variant, match, empty_rows(), players_before_deal())


def new_match(variant: Variant, rng: Rng) -> SwordState:
    """A match after the deal of its first round, with a random leader."""
    state = empty_table(variant)
    state.record_news()
    state.match.leader = rng.below(SEAT_COUNT)  # R7
    state.begin_round(rng)
    return state
