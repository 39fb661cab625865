"""The state of the table: the board, the hands, the public knowledge of them, and the deal."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng, State
from games.engines.common.bits import bit, count, members, nth
from games.engines.duality.board import FILE_COLUMN, Board, column_of, empty_board, row_of
from games.engines.duality.cards import BLACK, FULL_DECK, WHITE, card_code, card_of, is_symmetric
from games.engines.duality.paths import colours_completed_through, longest_path_length

HAND_SIZE: Final[i64] = 3  # cards dealt to each player
NO_WINNER: Final[i64] = -1
NO_PLACE: Final[i64] = -1

# How a game ended.
NOT_ENDED: Final[i64] = 0
ENDED_BY_CONNECTION: Final[i64] = 1
ENDED_BY_PASSES: Final[i64] = 2
ENDED_BY_REPETITION: Final[i64] = 3
ENDED_BY_LIMIT: Final[i64] = 4
ENDING_NAMES: Final = ("none", "connection", "passes", "repetition", "limit")


MAX_OCCURRENCES: Final[i64] = 3  # R14: a position that occurs this often ends the game


class DualityTable(State):
    """The state of the cards. Hands and pile are sets (bit masks): no order exists."""

    board: Board
    hands: vec[i64]  # by seat, a set of cards
    known: vec[i64]  # by seat: the cards that all players saw going into that hand
    barred: vec[i64]  # by seat: cards publicly known not to be among the others in that hand
    pile: i64
    plies: i64  # decisions so far
    history: vec[i64]  # decisions since the last new card, encoded by `repetition`
    latest: i64  # where a card was laid last, or NO_PLACE
    ending: i64
    winner: i64  # once the game is over, or NO_WINNER
    max_occurrences: i64  # R14, as the version of the rules has it

    def init_table(self, rows: i64) -> None:
        """Set up a table before the deal."""
        self.seats = 2
        self.board = empty_board(rows)
        self.hands = vec[i64]([0, 0])
        self.known = vec[i64]([0, 0])
        self.barred = vec[i64]([0, 0])
        self.pile = FULL_DECK
        self.plies = 0
        self.history = vec[i64]()
        self.latest = NO_PLACE
        self.ending = NOT_ENDED
        self.winner = NO_WINNER
        self.max_occurrences = MAX_OCCURRENCES

    # -- the deal ---------------------------------------------------------------------------------

    def deal(self, rng: Rng) -> None:
        """Deal a file without a complete path, and three cards to each player."""
        self.deal_file(rng)
        while self.has_complete_path():
            self.pile = FULL_DECK  # R3
            self.board = empty_board(self.board.rows)
            self.deal_file(rng)
        for seat in range(2):
            for _ in range(HAND_SIZE):
                self.draw_to_hand(seat, rng)
            if self.is_recording_news:
                secret = {"cards": [card_code(card) for card in members(self.hands[seat])]}
                self.add_news("dealt", seat, {"count": int(HAND_SIZE)}, secret, bit(seat))

    def deal_file(self, rng: Rng) -> None:
        """Deal the file from Black's side to White's, each card in a random orientation."""
        for row in range(self.board.rows):
            card = self.pick_random(self.pile, rng)
            self.pile ^= bit(card)
            turned: i64 = 0 if is_symmetric(card) else rng.below(2)  # R2
            self.board.lay(FILE_COLUMN << 3 | row, card << 1 | turned)

    def has_complete_path(self) -> bool:
        """Whether a path along the file is complete."""
        for row in range(self.board.rows):
            if colours_completed_through(self.board, FILE_COLUMN << 3 | row) != 0:
                return True
        return False

    def starting_seat(self, rng: Rng) -> i64:
        """The seat that begins: the one with the shorter path."""
        black, white = (
            longest_path_length(self.board, BLACK),
            longest_path_length(self.board, WHITE),
        )
        if black == white:
            return rng.below(2)  # R6
        return BLACK if black < white else WHITE

    # -- cards ------------------------------------------------------------------------------------

    def pick_random(self, cards: i64, rng: Rng) -> i64:
        """A random card of a set."""
        return nth(cards, rng.below(count(cards)))

    def draw_to_hand(self, seat: i64, rng: Rng) -> i64:
        """Move a random card from the pile to a hand."""
        card = self.pick_random(self.pile, rng)
        self.pile ^= bit(card)
        self.hands[seat] = self.hands[seat] | bit(card)
        return card

    def lay_from_hand(self, seat: i64, place: i64, tile: i64) -> None:
        """Lay a card from a hand on the board."""
        gone = ~bit(card_of(tile))
        self.hands[seat] = self.hands[seat] & gone
        self.known[seat] = self.known[seat] & gone
        self.board.lay(place, tile)
        self.latest = place

    def take_to_hand(self, seat: i64, tile: i64) -> None:
        """Move a card from the board to a hand, publicly."""
        card = bit(card_of(tile))
        self.hands[seat] = self.hands[seat] | card
        self.known[seat] = self.known[seat] | card

    # -- news -------------------------------------------------------------------------------------

    def laid_facts(self, place: i64, tile: i64) -> dict[str, Any]:
        """The public facts of a laid card."""
        where = {"row": int(row_of(place)), "column": int(column_of(place))}
        return {"card": card_code(card_of(tile)), "turned": tile & 1 == 1, **where}

    # -- hidden state -----------------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        pool: i64 = self.pile
        for other in range(2):
            if other != seat:
                pool |= self.hands[other] & ~self.known[other]
        if seat >= 0:
            other = 1 - seat
            self.set_hidden_cards(other, self.random_hidden_cards(other, pool, rng))
        else:
            self.set_both_hidden(pool, rng)
        self.pile = pool & ~(self.hands[0] | self.hands[1])

    def random_hidden_cards(self, seat: i64, pool: i64, rng: Rng) -> i64:
        """As many cards from the pool as the seat holds unseen, none of them barred."""
        pool &= ~self.barred[seat]  # R16
        found: i64 = 0
        for _ in range(count(self.hands[seat]) - count(self.known[seat])):
            card = bit(self.pick_random(pool, rng))
            pool ^= card
            found |= card
        return found

    def set_hidden_cards(self, seat: i64, cards: i64) -> None:
        """Set the unseen cards of a hand."""
        self.hands[seat] = self.known[seat] | cards

    def set_both_hidden(self, pool: i64, rng: Rng) -> None:
        """Choose both hands, and again if they share a card, so that all pairs are equally
        likely: if only one seat has barred cards, choosing in sequence would bias the result."""
        while True:
            black, white = (
                self.random_hidden_cards(BLACK, pool, rng),
                self.random_hidden_cards(WHITE, pool, rng),
            )
            if black & white == 0:
                break
        self.set_hidden_cards(BLACK, black)
        self.set_hidden_cards(WHITE, white)

    def cards(self) -> list[i64]:
        lying = [card_of(self.board.tile(place)) for place in self.board.occupied_places()]
        everywhere = lying + members(self.pile) + members(self.hands[0]) + members(self.hands[1])
        everywhere.sort()
        return everywhere

    def contents(self) -> list[Any]:
        board = [self.board.rows, list(self.board.columns)]
        hands = [list(self.hands), list(self.known), list(self.barred), self.pile]
        course = [self.plies, list(self.history), self.latest, self.ending, self.winner]
        return [self.seats, self.to_act, *board, *hands, *course]
