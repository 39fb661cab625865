"""The state of the table: hands, tableau, the turn in progress, and dealing."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng, State
from games.engines.common.agenda import Agenda
from games.engines.common.bits import bit
from games.engines.duel_of_law.action_numbers import TASK_LAY
from games.engines.duel_of_law.cards import CARD_COUNT, card_code
from games.engines.duel_of_law.line_ownership import Branch
from games.engines.duel_of_law.tableau import ORIGIN, Tableau, empty_tableau

HAND_SIZE: Final[i64] = 12  # cards dealt to each
ZONE_PILE: Final[i64] = 4  # where a card is, if no seat holds it
ZONE_TABLE: Final[i64] = 5

# How a game ended.
NOT_ENDED: Final[i64] = 0
ENDED_BY_LEAD: Final[i64] = 1
ENDED_BY_PASSES: Final[i64] = 2
ENDING_NAMES: Final = ("none", "lead", "passes")


class DuelTable(State):
    """The pile is a set: not even the state knows an order. A turn in progress is on `tableau`; all
    viewers but the seat that lays cards look at `before`."""

    zones: vec[i64]  # by card: the seat that holds it, ZONE_PILE or ZONE_TABLE
    before: Tableau  # as it was when the turn began
    tableau: Tableau  # the same one, or a copy with the changes of the turn
    laid: vec[i64]  # the cards of this turn, in order
    claimed: vec[i64]  # the lines claimed in this turn, in order
    agenda: Agenda
    turn: i64
    taken_back: i64  # how often in this turn
    passes: i64  # in succession
    is_open: bool  # whether some hand has been empty; from then on a seat can win
    ending: i64
    winners: i64  # a set of seats

    def init_table(self, seats: i64) -> None:
        """Set up a table before the deal."""
        self.seats = seats
        self.zones = vec[i64]([ZONE_PILE] * CARD_COUNT)
        self.tableau = empty_tableau()
        self.before = self.tableau
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.agenda = Agenda()
        self.turn = 0
        self.taken_back = 0
        self.passes = 0
        self.is_open = False
        self.ending = NOT_ENDED
        self.winners = 0

    # -- cards ------------------------------------------------------------------------------------

    def cards_in_zone(self, zone: i64) -> list[i64]:
        """The cards of a hand, or of the pile, ascending."""
        return [card for card in range(CARD_COUNT) if self.zones[card] == zone]

    def count_in_zone(self, zone: i64) -> i64:
        """The number of cards in a zone."""
        found: i64 = 0
        for other in self.zones:
            if other == zone:
                found += 1
        return found

    def deal(self, rng: Rng) -> None:
        """Deal twelve cards to each seat, and one that the tableau begins with."""
        for seat in range(self.seats):
            self.draw_cards(seat, HAND_SIZE, rng)
        card = self.pick_from_pile(rng)
        self.zones[card] = ZONE_TABLE
        self.tableau.lay(card, ORIGIN)
        if self.is_recording_news:
            self.add_news("began", self.turn, self.laid_facts(card))

    def pick_from_pile(self, rng: Rng) -> i64:
        """A random card of the pile."""
        left = rng.below(self.count_in_zone(ZONE_PILE))
        card: i64 = 0
        while left > 0 or self.zones[card] != ZONE_PILE:
            if self.zones[card] == ZONE_PILE:
                left -= 1
            card += 1
        return card

    def draw_cards(self, seat: i64, number: i64, rng: Rng) -> None:
        """Move this many cards from the pile to a hand, or all that are left."""  # R31
        drawn: list[i64] = []
        for _ in range(min(number, self.count_in_zone(ZONE_PILE))):
            card = self.pick_from_pile(rng)
            self.zones[card] = seat
            drawn.append(card)
        if self.is_recording_news and len(drawn) > 0:
            drawn.sort()
            secret = {"cards": [card_code(card) for card in drawn]}
            self.add_news("drew", seat, {"count": len(drawn)}, secret, bit(seat))

    def cards(self) -> list[i64]:
        everywhere = self.tableau.cards() + self.cards_in_zone(ZONE_PILE)
        for seat in range(self.seats):
            everywhere += self.cards_in_zone(seat)
        everywhere.sort()
        return everywhere

    # -- branches ---------------------------------------------------------------------------------

    def owned_branch_count(self, seat: i64) -> i64:
        """The number of branches with the seat's token on top."""  # R29
        found: i64 = 0
        for branch in self.tableau.branches:
            if branch.owner == seat:
                found += 1
        return found

    def tokens_on_own(self, seat: i64) -> i64:
        """The number of tokens that the seat has in the stacks that it owns."""
        found: i64 = 0
        for branch in self.tableau.branches:
            if branch.owner == seat:
                found += _count_tokens(branch, seat)
        return found

    def leading_seat(self) -> i64:
        """The seat that owns at least two branches more than each other seat, or -1."""
        for seat in range(self.seats):
            best: i64 = 0
            for other in range(self.seats):
                if other != seat:
                    best = max(best, self.owned_branch_count(other))
            if self.owned_branch_count(seat) >= best + 2:
                return seat
        return -1

    def best_seats(self) -> i64:
        """The seats that come first when all have passed, as a set."""  # R32
        found: i64 = 0
        most: i64 = -1
        for seat in range(self.seats):
            merit = self.owned_branch_count(seat) * 1024 + self.tokens_on_own(seat)
            if merit > most:
                found, most = 0, merit
            if merit == most:
                found |= bit(seat)
        return found

    # -- a turn in progress -----------------------------------------------------------------------

    def has_trial(self) -> bool:
        """Whether this turn has done anything that the other seats have not seen."""
        return self.before is not self.tableau

    def undo_turn(self) -> None:
        """Undo the turn so far, as if it began now."""
        for card in self.laid:
            self.zones[card] = self.turn
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.tableau = self.before
        self.agenda.clear()
        self.agenda.push(TASK_LAY, self.turn)

    # -- news -------------------------------------------------------------------------------------

    def laid_facts(self, card: i64) -> dict[str, Any]:
        """A card on the tableau, and its place."""
        place = self.tableau.spots[card]
        row, column = (place >> 8) - 128, (place & 0xFF) - 128
        return {"card": card_code(card), "row": int(row), "column": int(column)}

    # -- hidden information -----------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        if seat != self.turn and self.to_act != 0:
            self.undo_turn()  # R38
            self.taken_back = 0
        counts = [self.count_in_zone(other) for other in range(self.seats)]
        pool: list[i64] = []
        for card in range(CARD_COUNT):
            if self.zones[card] != ZONE_TABLE and self.zones[card] != seat:
                self.zones[card] = ZONE_PILE
                pool.append(card)
        for other in range(self.seats):
            if other != seat:
                self.redeal_hand(other, counts[other], pool, rng)

    def redeal_hand(self, seat: i64, number: i64, pool: list[i64], rng: Rng) -> None:
        """Give a seat this many cards out of the pool."""
        for _ in range(number):
            chosen = rng.below(len(pool))
            self.zones[pool[chosen]] = seat
            pool[chosen] = pool[len(pool) - 1]
            pool.pop()

    def contents(self) -> list[Any]:
        course = [list(self.laid), list(self.claimed), self.agenda.contents(), self.turn]
        course.append(self.taken_back)
        end = [self.passes, self.is_open, self.ending, self.winners]
        boards = [self.before.contents(), self.tableau.contents() if self.has_trial() else []]
        return [self.seats, self.to_act, list(self.zones), *boards, *course, *end]


def _count_tokens(branch: Branch, seat: i64) -> i64:
    """The number of a seat's tokens in a stack."""
    found: i64 = 0
    for token in branch.tokens:
        if token == seat:
            found += 1
    return found
