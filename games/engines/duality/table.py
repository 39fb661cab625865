"""What lies on the table and in the hands, what everybody knows of it, and how it is dealt."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import News, Rng, State
from games.engines.common.bits import bit, count, members, nth
from games.engines.duality.board import MIDDLE, Board, bare, column_of, row_of
from games.engines.duality.cards import BLACK, DECK, WHITE, card_of, code, is_symmetric
from games.engines.duality.paths import completed_through, longest_path

HAND: Final[i64] = 3  # cards dealt to each
NOBODY: Final[i64] = -1
NOWHERE: Final[i64] = -1

# How a game ended.
GOING_ON: Final[i64] = 0
CONNECTION: Final[i64] = 1
PASSES: Final[i64] = 2
REPETITION: Final[i64] = 3
LIMIT: Final[i64] = 4
ENDINGS: Final = ("none", "connection", "passes", "repetition", "limit")


class DualityTable(State):
    """Hands and pile are sets (bit masks): nobody, not even the state, knows an order."""

    board: Board
    hands: vec[i64]  # by seat, a set of cards
    known: vec[i64]  # by seat: the cards in that hand that everybody has seen going there
    barred: vec[i64]  # by seat: cards that are not among the others in that hand, as all know
    pile: i64
    plies: i64  # how many decisions there have been
    history: vec[i64]  # the decisions since the last new card, as `repetition` reads them
    latest: i64  # where a card was laid last, or NOWHERE
    ending: i64
    winner: i64  # once it is over, or NOBODY

    def lay_out(self, rows: i64) -> None:
        """A table before the deal."""
        self.seats = 2
        self.board = bare(rows)
        self.hands = vec[i64]([0, 0])
        self.known = vec[i64]([0, 0])
        self.barred = vec[i64]([0, 0])
        self.pile = DECK
        self.plies = 0
        self.history = vec[i64]()
        self.latest = NOWHERE
        self.ending = GOING_ON
        self.winner = NOBODY

    # -- the deal ---------------------------------------------------------------------------------

    def deal(self, rng: Rng) -> None:
        """A file of cards between the players, without a complete path, and three to each."""
        self.deal_file(rng)
        while self.is_joined():
            self.pile = DECK  # R3
            self.board = bare(self.board.rows)
            self.deal_file(rng)
        for seat in range(2):
            for _ in range(HAND):
                self.draw_into(seat, rng)
            if self.listening:
                secret = {"cards": [code(card) for card in members(self.hands[seat])]}
                self.tell("dealt", seat, {"count": int(HAND)}, secret, bit(seat))

    def deal_file(self, rng: Rng) -> None:
        """Cards one by one from Black's side to White's, each either way up."""
        for row in range(self.board.rows):
            card = self.pick(self.pile, rng)
            self.pile ^= bit(card)
            turned: i64 = 0 if is_symmetric(card) else rng.below(2)  # R2
            self.board.lay(MIDDLE << 3 | row, card << 1 | turned)

    def is_joined(self) -> bool:
        """Is a path complete along the file?"""
        for row in range(self.board.rows):
            if completed_through(self.board, MIDDLE << 3 | row) != 0:
                return True
        return False

    def first_seat(self, rng: Rng) -> i64:
        """Who begins: the seat with the shorter path."""
        black, white = longest_path(self.board, BLACK), longest_path(self.board, WHITE)
        if black == white:
            return rng.below(2)  # R6
        return BLACK if black < white else WHITE

    # -- cards ------------------------------------------------------------------------------------

    def pick(self, cards: i64, rng: Rng) -> i64:
        """A random card of a set."""
        return nth(cards, rng.below(count(cards)))

    def draw_into(self, seat: i64, rng: Rng) -> i64:
        """A random card goes from the pile to a hand."""
        card = self.pick(self.pile, rng)
        self.pile ^= bit(card)
        self.hands[seat] = self.hands[seat] | bit(card)
        return card

    def put_down(self, seat: i64, place: i64, tile: i64) -> None:
        """A card from a hand lies on the board now."""
        gone = ~bit(card_of(tile))
        self.hands[seat] = self.hands[seat] & gone
        self.known[seat] = self.known[seat] & gone
        self.board.lay(place, tile)
        self.latest = place

    def take_up(self, seat: i64, tile: i64) -> None:
        """A card from the board goes to a hand, and everybody sees it."""
        card = bit(card_of(tile))
        self.hands[seat] = self.hands[seat] | card
        self.known[seat] = self.known[seat] | card

    # -- news -------------------------------------------------------------------------------------

    def tell(
        self,
        kind: str,
        seat: i64,
        facts: dict[str, Any],
        secrets: dict[str, Any] | None = None,
        known_to: i64 = 0,
    ) -> None:
        """Something happened; the secrets of it only some have seen."""
        self.news.append(News(kind, seat, facts, secrets or {}, known_to))

    def laid(self, place: i64, tile: i64) -> dict[str, Any]:
        """What everybody sees of a card that is laid."""
        where = {"row": int(row_of(place)), "column": int(column_of(place))}
        return {"card": code(card_of(tile)), "turned": tile & 1 == 1, **where}

    # -- what a seat cannot know ------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        pool: i64 = self.pile
        for other in range(2):
            if other != seat:
                pool |= self.hands[other] & ~self.known[other]
        if seat >= 0:
            other = 1 - seat
            self.hold(other, self.hidden(other, pool, rng))
        else:
            self.hold_both(pool, rng)
        self.pile = pool & ~(self.hands[0] | self.hands[1])

    def hidden(self, seat: i64, pool: i64, rng: Rng) -> i64:
        """As many cards from the pool as the seat holds unseen, and none that it cannot hold."""
        pool &= ~self.barred[seat]  # R16
        found: i64 = 0
        for _ in range(count(self.hands[seat]) - count(self.known[seat])):
            card = bit(self.pick(pool, rng))
            pool ^= card
            found |= card
        return found

    def hold(self, seat: i64, cards: i64) -> None:
        """Let these be the unseen cards of a hand."""
        self.hands[seat] = self.known[seat] | cards

    def hold_both(self, pool: i64, rng: Rng) -> None:
        """Choose both hands; again, if they have a card in common, so that all are equally
        likely: where only one of them cannot hold some cards, the order of choosing would tell."""
        while True:
            black, white = self.hidden(BLACK, pool, rng), self.hidden(WHITE, pool, rng)
            if black & white == 0:
                break
        self.hold(BLACK, black)
        self.hold(WHITE, white)

    def cards(self) -> list[i64]:
        lying = [card_of(self.board.tile(place)) for place in self.board.places()]
        everywhere = lying + members(self.pile) + members(self.hands[0]) + members(self.hands[1])
        everywhere.sort()
        return everywhere

    def contents(self) -> list[Any]:
        board = [self.board.rows, list(self.board.columns)]
        hands = [list(self.hands), list(self.known), list(self.barred), self.pile]
        course = [self.plies, list(self.history), self.latest, self.ending, self.winner]
        return [self.seats, self.to_act, *board, *hands, *course]
