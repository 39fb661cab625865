"""A game of Duality as it stands: who may do what now, and what doing it leads to."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, has, lowest, members
from games.engines.duality.cards import BLACK, WHITE, card_of, code
from games.engines.duality.paths import completed_through, longest_path
from games.engines.duality.plays import playable, plays, random_play
from games.engines.duality.repetition import PASSED, occurrences, swap
from games.engines.duality.table import (
    CONNECTION,
    ENDINGS,
    GOING_ON,
    LIMIT,
    NOBODY,
    PASSES,
    REPETITION,
    DualityTable,
)
from games.engines.duality.tasks import PASS, PLAY, place_in, tile_in

MOST_PLIES: Final[i64] = 300
REPEATS: Final[i64] = 3  # a position that has come up so often ends the game


class DualityState(DualityTable):
    """The table together with the one decision that is open on it."""

    def deal_in(self, rows: i64, rng: Rng) -> None:
        """Deal, and let the seat with the shorter path begin."""
        self.lay_out(rows)
        self.deal(rng)
        self.to_act = bit(self.first_seat(rng))
        if self.listening:
            self.tell("begins", lowest(self.to_act), {})

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
        return copy

    def returns(self) -> list[float]:
        if self.ending == GOING_ON:
            return [0.0, 0.0]
        if self.winner == NOBODY:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.winner == BLACK else [0.0, 1.0]

    # -- what may be done -------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if not has(self.to_act, seat):
            return []
        found = plays(self.board, seat, self.hands[seat])
        return found if len(found) > 0 else [PASS]  # R12

    def random_action(self, seat: i64, rng: Rng) -> i64:
        found = random_play(self.board, seat, self.hands[seat], rng)
        if found >= 0:
            return found
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    # -- doing it ---------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.listening:
            self.news = []
        self.plies += 1
        kind = action & 0xFF
        if kind == PASS:
            self.stand_by(seat)
        elif kind == PLAY:
            self.play(seat, place_in(action), tile_in(action), rng)
        else:
            self.replace(seat, place_in(action), tile_in(action))
        if self.ending == GOING_ON:
            self.to_act = bit(1 - seat)

    def stand_by(self, seat: i64) -> None:
        """Pass; so nothing that could be played is in the hand."""
        if self.hands[seat] != self.known[seat]:
            self.barred[seat] = self.barred[seat] | playable(self.board, seat)  # R16
        self.history = append(self.history, PASSED)
        if self.listening:
            self.tell("passed", seat, {})
        before = len(self.history) - 2
        if before >= 0 and self.history[before] == PASSED:
            self.close(PASSES)
        else:
            self.close_in_time()

    def play(self, seat: i64, place: i64, tile: i64, rng: Rng) -> None:
        """A new card, and another one for the hand."""
        self.put_down(seat, place, tile)
        self.history = vec[i64]()
        if self.listening:
            self.tell("played", seat, self.laid(place, tile))
        if self.is_decided(seat, place):
            return  # R11: nothing is drawn any more
        if self.pile != 0:
            card = self.draw_into(seat, rng)
            self.barred[seat] = 0  # R16: it may be this one
            if self.listening:
                self.tell("drew", seat, {}, {"card": code(card)}, bit(seat))
        self.close_in_time()

    def replace(self, seat: i64, place: i64, tile: i64) -> None:
        """A card from the hand for one on the board."""
        old = self.board.tile(place)
        self.put_down(seat, place, tile)
        self.take_up(seat, old)
        self.history = append(self.history, swap(seat, place, tile, old))
        if self.listening:
            self.tell("replaced", seat, {**self.laid(place, tile), "taken": code(card_of(old))})
        if not self.is_decided(seat, place):
            self.close_in_time()

    # -- the end ----------------------------------------------------------------------------------

    def is_decided(self, seat: i64, place: i64) -> bool:
        """End the game if the card just laid there has completed a path."""
        joined = completed_through(self.board, place)
        if joined == 0:
            return False
        self.finish(CONNECTION, seat if has(joined, seat) else 1 - seat)  # R13
        return True

    def close_in_time(self) -> None:
        """End a game that would go on and on."""
        if self.plies >= MOST_PLIES:
            self.close(LIMIT)  # R15
        elif occurrences(self.board, self.history) >= REPEATS:
            self.close(REPETITION)  # R14

    def close(self, ending: i64) -> None:
        """End the game without a complete path: the longer path wins."""
        black, white = longest_path(self.board, BLACK), longest_path(self.board, WHITE)
        if black == white:
            self.finish(ending, NOBODY)
        else:
            self.finish(ending, BLACK if black > white else WHITE)

    def finish(self, ending: i64, winner: i64) -> None:
        """It is over, and all hands are opened."""
        if self.listening:
            victor = None if winner == NOBODY else int(winner)
            facts = {"how": ENDINGS[ending], "winner": victor}
            self.tell("ended", lowest(self.to_act), facts)
            for seat in range(2):
                hand = [code(card) for card in members(self.hands[seat])]
                self.tell("opened", seat, {"cards": hand})
        self.ending = ending
        self.winner = winner
        self.to_act = 0
        self.known = self.hands[:]  # R17
