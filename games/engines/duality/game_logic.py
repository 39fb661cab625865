"""The rules of Duality: legal actions and their effects."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, has, lowest, members
from games.engines.duality.action_numbers import PASS, PLAY, place_in, tile_in
from games.engines.duality.cards import BLACK, WHITE, card_code, card_of
from games.engines.duality.legal_plays import legal_plays, playable_cards, random_play
from games.engines.duality.paths import colours_completed_through, longest_path_length
from games.engines.duality.repetition import PASS_RECORD, count_occurrences, encode_swap
from games.engines.duality.table_state import (
    ENDED_BY_CONNECTION,
    ENDED_BY_LIMIT,
    ENDED_BY_PASSES,
    ENDED_BY_REPETITION,
    ENDING_NAMES,
    NO_WINNER,
    NOT_ENDED,
    DualityTable,
)

MAX_ACTIONS: Final[i64] = 300


class DualityState(DualityTable):
    """The table together with the open decision."""

    def set_up(self, rows: i64, rng: Rng) -> None:
        """Deal; the seat with the shorter path begins."""
        self.init_table(rows)
        self.deal(rng)
        self.to_act = bit(self.starting_seat(rng))
        if self.is_recording_news:
            self.add_news("begins", lowest(self.to_act), {})

    def clone(self) -> DualityState:
        copy = DualityState()
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.board = self.board.clone()
        copy.hands = self.hands[:]
        copy.known = self.known[:]
        copy.barred = self.barred[:]
        copy.pile = self.pile
        copy.plies = self.plies
        copy.history = self.history[:]
        copy.latest = self.latest
        copy.ending = self.ending
        copy.winner = self.winner
        copy.max_occurrences = self.max_occurrences
        return copy

    def returns(self) -> list[float]:
        if self.ending == NOT_ENDED:
            return [0.0, 0.0]
        if self.winner == NO_WINNER:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.winner == BLACK else [0.0, 1.0]

    # -- legal actions ----------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if not has(self.to_act, seat):
            return []
        found = legal_plays(self.board, seat, self.hands[seat])
        return found if len(found) > 0 else [PASS]  # R12

    def random_action(self, seat: i64, rng: Rng) -> i64:
        found = random_play(self.board, seat, self.hands[seat], rng)
        if found >= 0:
            return found
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    # -- effects ----------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.plies += 1
        kind = action & 0xFF
        if kind == PASS:
            self.pass_turn(seat)
        elif kind == PLAY:
            self.play(seat, place_in(action), tile_in(action), rng)
        else:
            self.replace(seat, place_in(action), tile_in(action))
        if self.ending == NOT_ENDED:
            self.to_act = bit(1 - seat)

    def pass_turn(self, seat: i64) -> None:
        """Pass, which reveals that the hand holds no playable card."""
        if self.hands[seat] != self.known[seat]:
            self.barred[seat] = self.barred[seat] | playable_cards(self.board, seat)  # R16
        self.history = append(self.history, PASS_RECORD)
        if self.is_recording_news:
            self.add_news("passed", seat, {})
        before = len(self.history) - 2
        if before >= 0 and self.history[before] == PASS_RECORD:
            self.end_by_length(ENDED_BY_PASSES)
        else:
            self.end_if_stalled()

    def play(self, seat: i64, place: i64, tile: i64, rng: Rng) -> None:
        """Play a new card and draw another one."""
        self.lay_from_hand(seat, place, tile)
        self.history = vec[i64]()
        if self.is_recording_news:
            self.add_news("played", seat, self.laid_facts(place, tile))
        if self.finish_if_connected(seat, place):
            return  # R11: no draw after the end
        if self.pile != 0:
            card = self.draw_to_hand(seat, rng)
            self.barred[seat] = 0  # R16: the new card may be one of these
            if self.is_recording_news:
                self.add_news("drew", seat, {}, {"card": card_code(card)}, bit(seat))
        self.end_if_stalled()

    def replace(self, seat: i64, place: i64, tile: i64) -> None:
        """Swap a card from the hand for one on the board."""
        old = self.board.tile(place)
        self.lay_from_hand(seat, place, tile)
        self.take_to_hand(seat, old)
        self.history = append(self.history, encode_swap(seat, place, tile, old))
        if self.is_recording_news:
            self.add_news(
                "replaced", seat, {**self.laid_facts(place, tile), "taken": card_code(card_of(old))}
            )
        if not self.finish_if_connected(seat, place):
            self.end_if_stalled()

    # -- the end ----------------------------------------------------------------------------------

    def finish_if_connected(self, seat: i64, place: i64) -> bool:
        """End the game if the card just laid there has completed a path."""
        joined = colours_completed_through(self.board, place)
        if joined == 0:
            return False
        self.finish(ENDED_BY_CONNECTION, seat if has(joined, seat) else 1 - seat)  # R13
        return True

    def end_if_stalled(self) -> None:
        """End a game at the action limit or at a repetition."""
        if self.plies >= MAX_ACTIONS:
            self.end_by_length(ENDED_BY_LIMIT)  # R15
        elif count_occurrences(self.board, self.history) >= self.max_occurrences:
            self.end_by_length(ENDED_BY_REPETITION)  # R14

    def end_by_length(self, ending: i64) -> None:
        """End the game without a complete path: the longer path wins."""
        black, white = (
            longest_path_length(self.board, BLACK),
            longest_path_length(self.board, WHITE),
        )
        if black == white:
            self.finish(ending, NO_WINNER)
        else:
            self.finish(ending, BLACK if black > white else WHITE)

    def finish(self, ending: i64, winner: i64) -> None:
        """End the game and open all hands."""
        if self.is_recording_news:
            victor = None if winner == NO_WINNER else int(winner)
            facts = {"how": ENDING_NAMES[ending], "winner": victor}
            self.add_news("ended", lowest(self.to_act), facts)
            for seat in range(2):
                hand = [card_code(card) for card in members(self.hands[seat])]
                self.add_news("opened", seat, {"cards": hand})
        self.ending = ending
        self.winner = winner
        self.to_act = 0
        self.known = self.hands[:]  # R17
