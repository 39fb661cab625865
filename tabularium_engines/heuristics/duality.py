"""The heuristic of Duality: how many more cards each player needs to cross the table."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.common.bits import has, lowest
from tabularium_engines.duality.action_numbers import place_in, tile_in
from tabularium_engines.duality.board import COLUMN_COUNT, NORTH_EDGE, SOUTH_EDGE, Board
from tabularium_engines.duality.cards import BLACK, NO_TILE
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.legal_plays import legal_plays
from tabularium_engines.duality.paths import (
    OPEN_END,
    Reach,
    colours_completed_through,
    next_arrival,
)
from tabularium_engines.heuristics.base import Heuristic

NEW_CARD_COST: Final[i64] = 4  # cost of a new card …
# … of replacing one, which is not always possible, …
REPLACED_CARD_COST: Final[i64] = 5
CONNECTION_COST: Final[i64] = 1  # … and of each connection that holds the replaced card
MAX_ONE_CARD_COST: Final[i64] = 11  # no single card costs more
UNREACHABLE_COST: Final[i64] = 60  # no path is further from its end

# log-odds of winning, for each quarter of a card less than the opponent needs
LEAD_WEIGHT: Final[float] = 0.12
TURN_WEIGHT: Final[float] = 0.27  # for being on turn

CERTAIN_WIN: Final[float] = 0.98  # for a player who can win at once

_UNREACHED_COSTS: Final[vec[i64]] = vec[i64]([60] * 840)  # by place
_EMPTY_BUCKETS: Final[vec[i64]] = vec[i64]([0] * 60)  # by cost
_PLACE_BITS: Final[i64] = 10
_PLACE_MASK: Final[i64] = 0x3FF


class DualityHeuristic(Heuristic):
    """Evaluates the board; where a single card would win, checks whether the hand has it."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DualityState)
        if state.to_act == 0:
            return state.returns()[seat]
        own, other = path_cost(state.board, seat), path_cost(state.board, 1 - seat)
        mover = lowest(state.to_act)
        if (own if mover == seat else other) <= MAX_ONE_CARD_COST and can_win(state, mover):
            return CERTAIN_WIN if mover == seat else 1.0 - CERTAIN_WIN
        lead = other - own
        turn = TURN_WEIGHT if mover == seat else -TURN_WEIGHT
        return 1.0 / (1.0 + exp(-LEAD_WEIGHT * float(lead) - turn))

    def values(self, state: State) -> list[float]:
        black = self.value(state, BLACK)
        return [black, 1.0 - black]


def can_win(state: DualityState, seat: i64) -> bool:
    """Whether the seat has a play that completes its path."""
    for play in legal_plays(state.board, seat, state.hidden.hands[seat]):
        board = state.board.clone()
        board.lay(place_in(play), tile_in(play))
        if has(colours_completed_through(board, place_in(play)), seat):
            return True
    return False


def path_cost(board: Board, seat: i64) -> i64:
    """The cost of the cheapest path from home to the other side, over cards that may be anything.

    The search starts from the places where a card could be laid next (Dijkstra, 1959, with a queue
    for each cost, as in Dial, 1969); from each, any port leads on, along the lines already laid, to
    the next place where a card is needed.
    """
    return PathSearch(board, seat).find_shortest()


def useful_columns(board: Board) -> tuple[i64, i64]:
    """The first and the last column that a cheapest path may need: those with cards, plus one on
    each side. Beyond that all columns are empty and no shorter."""
    return max(board.first_column - 1, 1), min(board.last_column + 1, COLUMN_COUNT - 2)


class PathSearch:
    """The places that a path could use, in order of cost."""

    def __init__(self, board: Board, seat: i64) -> None:
        self.board = board
        self.far_edge: i64 = NORTH_EDGE if seat == BLACK else SOUTH_EDGE
        self.seat: i64 = seat
        west, east = useful_columns(board)
        self.first_place: i64 = west << 3  # of the places searched …
        self.place_count: i64 = (east + 1 - west) << 3  # … and how many there are
        self.costs: vec[i64] = _UNREACHED_COSTS[: self.place_count]  # by place, from the first
        # by cost: the queue index of the last place added
        self.bucket_heads: vec[i64] = _EMPTY_BUCKETS[:]
        # by index: the index of the place before it, and the place
        self.queue: vec[i64] = vec[i64]([0])
        self.best_cost: i64 = UNREACHABLE_COST

    def find_shortest(self) -> i64:
        """The cost of the cheapest path."""
        self.add_start_places()
        cost: i64 = 0
        while cost < self.best_cost:
            following = self.queue[self.bucket_heads[cost]]
            while following != 0:
                place = following & _PLACE_MASK
                if self.costs[place - self.first_place] == cost:
                    self.expand_place(place, cost)
                following = self.queue[following >> _PLACE_BITS]
            cost += 1
        return self.best_cost

    def add_start_places(self) -> None:
        """Add every place where the seat's next card could be laid."""
        reach = Reach(self.board, self.seat)
        for column in range(reach.first_column, reach.last_column + 1):
            if reach.ports[column] != 0:
                for row in range(self.board.rows):
                    if reach.ports_at(column << 3 | row) != 0:
                        self.relax_place(column << 3 | row, 0)

    def relax_place(self, place: i64, cost: i64) -> bool:
        """Lay a card on the place, if that is cheaper than the known cost; whether a card was
        there."""
        is_taken = self.board.tile(place) != NO_TILE
        cost += REPLACED_CARD_COST if is_taken else NEW_CARD_COST
        at = place - self.first_place
        if cost >= self.best_cost or not 0 <= at < self.place_count or cost >= self.costs[at]:
            return is_taken
        if is_taken:
            cost += CONNECTION_COST * self.board.connections_at(place)
            if cost >= self.costs[at]:
                return is_taken
        self.costs[at] = cost
        before = self.bucket_heads[cost]
        self.bucket_heads[cost] = len(self.queue)
        self.queue = append(self.queue, before << _PLACE_BITS | place)
        return is_taken

    def expand_place(self, place: i64, cost: i64) -> None:
        """Go on from a card in all directions: in two of them, by two ports if a card is there."""
        if self.follow_port(place, 0, cost):
            self.follow_port(place, 1, cost)
        self.follow_port(place, 2, cost)
        if self.follow_port(place, 3, cost):
            self.follow_port(place, 4, cost)
        self.follow_port(place, 5, cost)

    def follow_port(self, place: i64, port: i64, cost: i64) -> bool:
        """Leave a card by a port and follow the line to where another card is needed; whether a
        card is next to it."""
        arrival = self.board.arrival_beyond(place, port)
        is_next = False
        while arrival >= 0:
            if not self.relax_place(arrival >> 3, cost):
                return is_next
            is_next = True
            arrival = next_arrival(self.board, arrival, self.seat)
            if arrival <= OPEN_END or arrival >> 3 == place:  # blocked or back again
                return True
        if arrival == self.far_edge and cost < self.best_cost:
            self.best_cost = cost
        return is_next


HEURISTIC: Final[Heuristic] = DualityHeuristic()
EXPLORATION: Final = 0.15  # of a search, tuned in contests
