"""How good a table of Duality looks: how many more cards each player needs to cross the table."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.bits import has, lowest
from games.engines.duality.board import COLUMNS, MIDDLE, NORTH_EDGE, SOUTH_EDGE, Board
from games.engines.duality.cards import BLACK, NO_TILE
from games.engines.duality.paths import OPEN_END, Reach, completed_through, onward
from games.engines.duality.plays import plays
from games.engines.duality.state import DualityState
from games.engines.duality.tasks import place_in, tile_in

NEW: Final[i64] = 4  # what a new card costs …
OLD: Final[i64] = 5  # … and what replacing one costs, which is not always possible, …
HELD: Final[i64] = 1  # … and for each connection that holds it
ONE_CARD: Final[i64] = 11  # no single card costs more
FAR: Final[i64] = 60  # no path is further from its end

LEAD: Final[float] = 0.12  # log-odds of winning: for each quarter of a card less than the other
TURN: Final[float] = 0.27  # for being on turn

SURE: Final[float] = 0.98  # who can win at once

_UNREACHED: Final[vec[i64]] = vec[i64]([60] * 840)  # by place
_NOBODY: Final[vec[i64]] = vec[i64]([0] * 60)  # by cost
_PLACE_BITS: Final[i64] = 10
_PLACES: Final[i64] = 0x3FF


class DualityHeuristic(Heuristic):
    """Looks at the board, and where a single card would do, whether the hand has it."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DualityState)
        if state.to_act == 0:
            return state.returns()[seat]
        own, other = distance(state.board, seat), distance(state.board, 1 - seat)
        mover = lowest(state.to_act)
        if (own if mover == seat else other) <= ONE_CARD and can_win(state, mover):
            return SURE if mover == seat else 1.0 - SURE
        lead = other - own
        turn = TURN if mover == seat else -TURN
        return 1.0 / (1.0 + exp(-LEAD * float(lead) - turn))

    def values(self, state: State) -> list[float]:
        black = self.value(state, BLACK)
        return [black, 1.0 - black]


def can_win(state: DualityState, seat: i64) -> bool:
    """Has the seat a play that completes its path?"""
    for play in plays(state.board, seat, state.hands[seat]):
        board = state.board.clone()
        board.lay(place_in(play), tile_in(play))
        if has(completed_through(board, place_in(play)), seat):
            return True
    return False


def distance(board: Board, seat: i64) -> i64:
    """What the cheapest way from home to the other side costs, over cards that may be anything.

    The places where a card could be laid next are where it starts (Dijkstra, 1959, with a queue for
    each cost, as Dial has it, 1969); from each, any port leads on, along the lines that lie there,
    to the next place where a card is needed.
    """
    return Ways(board, seat).shortest()


def useful_columns(board: Board) -> tuple[i64, i64]:
    """The first and the last column that a cheapest way may need: those with cards, and one beside
    them, for beyond that all is empty and no nearer."""
    first: i64 = 0
    while first < MIDDLE and board.columns[first] == 0:
        first += 1
    last = COLUMNS - 1
    while last > MIDDLE and board.columns[last] == 0:
        last -= 1
    return max(first - 1, 1), min(last + 1, COLUMNS - 2)


class Ways:
    """The places that a path could use, the nearest first."""

    def __init__(self, board: Board, seat: i64) -> None:
        self.board = board
        self.far: i64 = NORTH_EDGE if seat == BLACK else SOUTH_EDGE
        self.seat: i64 = seat
        west, east = useful_columns(board)
        self.first: i64 = west << 3  # of the places looked at …
        self.size: i64 = (east + 1 - west) << 3  # … and how many there are
        self.costs: vec[i64] = _UNREACHED[: self.size]  # by place, from the first
        self.waiting: vec[i64] = _NOBODY[:]  # by cost: the number of who was the last to come there
        self.queue: vec[i64] = vec[i64]([0])  # by number: who came before, and the place
        self.best: i64 = FAR

    def shortest(self) -> i64:
        """The cost of the cheapest way."""
        self.set_out()
        cost: i64 = 0
        while cost < self.best:
            following = self.queue[self.waiting[cost]]
            while following != 0:
                place = following & _PLACES
                if self.costs[place - self.first] == cost:
                    self.leave(place, cost)
                following = self.queue[following >> _PLACE_BITS]
            cost += 1
        return self.best

    def set_out(self) -> None:
        """Come to wherever the seat's next card could be laid."""
        reach = Reach(self.board, self.seat)
        for column in range(reach.first, reach.last + 1):
            if reach.ports[column] != 0:
                for row in range(self.board.rows):
                    if reach.at(column << 3 | row) != 0:
                        self.come_to(column << 3 | row, 0)

    def come_to(self, place: i64, cost: i64) -> bool:
        """Lay a card there, if that is not dearer than what is known already. Did one lie there?"""
        is_taken = self.board.tile(place) != NO_TILE
        cost += OLD if is_taken else NEW
        at = place - self.first
        if cost >= self.best or not 0 <= at < self.size or cost >= self.costs[at]:
            return is_taken
        if is_taken:
            cost += HELD * self.board.connections(place)
            if cost >= self.costs[at]:
                return is_taken
        self.costs[at] = cost
        before = self.waiting[cost]
        self.waiting[cost] = len(self.queue)
        self.queue = append(self.queue, before << _PLACE_BITS | place)
        return is_taken

    def leave(self, place: i64, cost: i64) -> None:
        """Go on from a card in all directions: in two of them, by two ports if a card is there."""
        if self.go_on(place, 0, cost):
            self.go_on(place, 1, cost)
        self.go_on(place, 2, cost)
        if self.go_on(place, 3, cost):
            self.go_on(place, 4, cost)
        self.go_on(place, 5, cost)

    def go_on(self, place: i64, port: i64, cost: i64) -> bool:
        """Leave a card by a port and follow the line there to where another card is needed. Is
        there a card next to it?"""
        arrival = self.board.beyond(place, port)
        is_next = False
        while arrival >= 0:
            if not self.come_to(arrival >> 3, cost):
                return is_next
            is_next = True
            arrival = onward(self.board, arrival, self.seat)
            if arrival <= OPEN_END or arrival >> 3 == place:  # blocked or back again
                return True
        if arrival == self.far and cost < self.best:
            self.best = cost
        return is_next
