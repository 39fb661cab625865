"""The rules of Duality: the state of a game, the deal, legal actions and their effects."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import bit, first_n, has, lowest, members
from tabularium_engines.duality import legal_plays
from tabularium_engines.duality.action_numbers import PASS, PLAY, place_in, tile_in
from tabularium_engines.duality.board import FILE_COLUMN, Board, empty_board, row_and_column
from tabularium_engines.duality.cards import (
    BLACK,
    CARD_CODES,
    WHITE,
    card_codes,
    card_of,
    is_symmetric,
)
from tabularium_engines.duality.decision_history import NO_PLACE, DecisionHistory
from tabularium_engines.duality.hidden_cards import HiddenCards, undealt_cards
from tabularium_engines.duality.paths import colours_completed_through, longest_path_length

MAX_ACTIONS: Final[i64] = 300  # R15
MAX_OCCURRENCES: Final[i64] = 3  # R14: a position that occurs this often ends the game
HAND_SIZE: Final[i64] = 3  # cards dealt to each player
NO_WINNER: Final[i64] = -1

# How a game ended.
NOT_ENDED: Final[i64] = -1
ENDED_BY_CONNECTION: Final[i64] = 0
ENDED_BY_PASSES: Final[i64] = 1
ENDED_BY_REPETITION: Final[i64] = 2
ENDED_BY_LIMIT: Final[i64] = 3
Ending: TypeAlias = Literal["connection", "passes", "repetition", "limit"]
ENDING_NAMES: Final = get_args(Ending)


class DualityState(State):
    """The board, the hidden cards, the decisions so far, and the open decision or the end."""

    def __init__(self, board: Board, hidden: HiddenCards, history: DecisionHistory) -> None:
        super().__init__()
        self.seats = 2
        self.board: Board = board
        self.hidden: HiddenCards = hidden
        self.history: DecisionHistory = history
        self.ending: i64 = NOT_ENDED
        self.winner: i64 = NO_WINNER  # once the game is over
        self.max_occurrences: i64 = MAX_OCCURRENCES  # R14, as the version of the rules has it

    def clone(self) -> DualityState:
        copy = DualityState(self.board.clone(), self.hidden.clone(), self.history.clone())
        copy.to_act = self.to_act
        copy.ending = self.ending
        copy.winner = self.winner
        copy.max_occurrences = self.max_occurrences
        return copy

    def contents(self) -> list[Any]:
        parts = [*self.board.contents(), *self.hidden.contents(), *self.history.contents()]
        return [self.seats, self.to_act, *parts, self.ending + 1, self.winner]

    def cards(self) -> list[i64]:
        everywhere = members(self.hidden.pile)
        for hand in self.hidden.hands:
            everywhere += members(hand)
        for place in self.board.occupied_places():
            everywhere.append(card_of(self.board.tile(place)))
        everywhere.sort()
        return everywhere

    def determinize(self, seat: i64, rng: Rng) -> None:
        self.hidden.determinize(seat, rng)

    def returns(self) -> list[float]:
        if self.ending == NOT_ENDED:
            return [0.0, 0.0]
        return self.shared_victory(first_n(2) if self.winner == NO_WINNER else bit(self.winner))

    # -- the deal ---------------------------------------------------------------------------------

    def set_up(self, rng: Rng) -> None:
        """Deal a file without a complete path, and both hands; the shorter path begins."""
        self.deal_file(rng)
        while colours_completed_through(self.board, FILE_COLUMN << 3) != 0:
            self.deal_file(rng)  # R3
        for seat in range(2):
            for _ in range(HAND_SIZE):
                self.hidden.draw_to_hand(seat, rng)
            secret = {"cards": card_codes(self.hidden.hands[seat])}
            self.add_news("dealt", seat, {"count": int(HAND_SIZE)}, secret, bit(seat))
        self.to_act = bit(self.starting_seat(rng))
        self.add_news("begins", lowest(self.to_act), {})

    def deal_file(self, rng: Rng) -> None:
        """Deal the file from Black's side to White's, each card in a random orientation."""
        self.board = empty_board(self.board.rows)
        self.hidden = undealt_cards()
        for row in range(self.board.rows):
            card = self.hidden.draw(rng)
            turned: i64 = 0 if is_symmetric(card) else rng.below(2)  # R2
            self.board.lay(FILE_COLUMN << 3 | row, card << 1 | turned)

    def starting_seat(self, rng: Rng) -> i64:
        """The seat that begins: the one with the shorter path."""
        longer = self.seat_with_longer_path()
        return rng.below(2) if longer == NO_WINNER else 1 - longer  # R6

    # -- legal actions ----------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if not has(self.to_act, seat):
            return []
        found = legal_plays.legal_plays(self.board, seat, self.hidden.hands[seat])
        return found if len(found) > 0 else [PASS]  # R12

    def random_action(self, seat: i64, rng: Rng) -> i64:
        found = legal_plays.random_play(self.board, seat, self.hidden.hands[seat], rng)
        if found >= 0:
            return found
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    # -- effects ----------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
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
        hidden = self.hidden
        if hidden.hands[seat] != hidden.known[seat]:
            playable = legal_plays.playable_cards(self.board, seat)
            hidden.barred[seat] = hidden.barred[seat] | playable  # R16
        self.history.add_pass()
        self.add_news("passed", seat, {})
        if self.history.is_passed_twice():
            self.finish(ENDED_BY_PASSES, self.seat_with_longer_path())
        else:
            self.end_if_stalled()

    def play(self, seat: i64, place: i64, tile: i64, rng: Rng) -> None:
        """Play a new card and draw another one."""
        self.hidden.remove_from_hand(seat, card_of(tile))
        self.board.lay(place, tile)
        self.history.add_play(place)
        if self.is_recording_news:
            self.add_news("played", seat, laid_facts(place, tile))
        if self.finish_if_connected(seat, place):
            return  # R11: no draw after the end
        if self.hidden.pile != 0:
            card = self.hidden.draw_to_hand(seat, rng)
            if self.is_recording_news:
                self.add_news("drew", seat, {}, {"card": CARD_CODES[card]}, bit(seat))
        self.end_if_stalled()

    def replace(self, seat: i64, place: i64, tile: i64) -> None:
        """Swap a card from the hand for one on the board."""
        old = self.board.tile(place)
        self.hidden.remove_from_hand(seat, card_of(tile))
        self.hidden.add_to_hand(seat, card_of(old))
        self.board.lay(place, tile)
        self.history.add_swap(seat, place, tile, old)
        if self.is_recording_news:
            taken = {"taken": CARD_CODES[card_of(old)]}
            self.add_news("replaced", seat, laid_facts(place, tile) | taken)
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
        if self.history.plies >= MAX_ACTIONS:
            self.finish(ENDED_BY_LIMIT, self.seat_with_longer_path())  # R15
        elif self.history.count_occurrences(self.board) >= self.max_occurrences:
            self.finish(ENDED_BY_REPETITION, self.seat_with_longer_path())  # R14

    def seat_with_longer_path(self) -> i64:
        """The seat whose longest path is the longer one, or NO_WINNER."""
        black = longest_path_length(self.board, BLACK)
        white = longest_path_length(self.board, WHITE)
        if black == white:
            return NO_WINNER
        return BLACK if black > white else WHITE

    def finish(self, ending: i64, winner: i64) -> None:
        """End the game and open all hands."""
        if self.is_recording_news:
            victor = None if winner == NO_WINNER else int(winner)
            facts = {"how": ENDING_NAMES[ending], "winner": victor}
            self.add_news("ended", lowest(self.to_act), facts)
            for seat in range(2):
                self.add_news("opened", seat, {"cards": card_codes(self.hidden.hands[seat])})
        self.ending = ending
        self.winner = winner
        self.to_act = 0
        self.hidden.known = self.hidden.hands[:]  # R17


def new_table(rows: i64) -> DualityState:
    """A table before the deal."""
    history = DecisionHistory(0, vec[i64](), NO_PLACE)
    return DualityState(empty_board(rows), undealt_cards(), history)


def laid_facts(place: i64, tile: i64) -> dict[str, Any]:
    """The public facts of a laid card, for news."""
    card, (row, column) = CARD_CODES[card_of(tile)], row_and_column(place)
    return {"card": card, "turned": tile & 1 == 1, "row": row, "column": column}
