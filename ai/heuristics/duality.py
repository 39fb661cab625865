"""How good a table of Duality looks: how many more cards each player needs to cross the table."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.bits import has, lowest
from games.engines.duality.board import COLUMNS, NORTH_EDGE, SOUTH_EDGE, Board
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

    The places where a card could be laid next are where it starts (Dijkstra, 1959); from each, any
    port leads on, along the lines that lie there, to the next place where a card is needed.
    """
    return Ways(board, seat).shortest()


class Ways:
    """The places that a path could use, the nearest first."""

    def __init__(self, board: Board, seat: i64) -> None:
        self.board = board
        self.seat: i64 = seat
        self.far: i64 = NORTH_EDGE if seat == BLACK else SOUTH_EDGE
        self.costs: vec[i64] = _UNREACHED[:]
        self.waiting: vec[i64] = vec[i64]()
        self.best: i64 = FAR

    def shortest(self) -> i64:
        """The cost of the cheapest way."""
        reach = Reach(self.board, self.seat)
        for column in range(reach.first, reach.last + 1):
            if reach.ports[column] != 0:
                for row in range(self.board.rows):
                    if reach.at(column << 3 | row) != 0:
                        self.come_to(column << 3 | row, 0)
        while len(self.waiting) > 0:
            place = self.nearest()
            if self.costs[place] >= self.best:
                break
            for port in range(6):
                self.go_on(place, port)
        return self.best

    def come_to(self, place: i64, cost: i64) -> None:
        """A card is laid there, if that is not dearer than what is known already."""
        if cost + NEW >= self.costs[place] or cost + NEW >= self.best:
            return
        if self.board.tile(place) == NO_TILE:
            cost += NEW
        else:
            cost += OLD + HELD * self.board.connections(place)
        if cost < self.costs[place] and 1 <= place >> 3 < COLUMNS - 1:
            if self.costs[place] == FAR:
                self.waiting = append(self.waiting, place)
            self.costs[place] = cost

    def nearest(self) -> i64:
        """Take the place of the least cost off those that wait."""
        best: i64 = 0
        for index in range(1, len(self.waiting)):
            if self.costs[self.waiting[index]] < self.costs[self.waiting[best]]:
                best = index
        place = self.waiting[best]
        self.waiting, last = pop(self.waiting)
        if best < len(self.waiting):
            self.waiting[best] = last
        return place

    def go_on(self, place: i64, port: i64) -> None:
        """Leave a card by a port and follow the line there to where another card is needed."""
        cost = self.costs[place]
        arrival = self.board.beyond(place, port)
        while arrival >= 0:
            self.come_to(arrival >> 3, cost)
            following = onward(self.board, arrival, self.seat)
            if following <= OPEN_END or following >> 3 == place:  # open, blocked or back again
                return
            arrival = following
        if arrival == self.far and cost < self.best:
            self.best = cost
