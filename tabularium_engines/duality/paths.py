"""Paths of lines from a player's home across the board: the places where a card could join them,
their lengths, and whether one is complete and wins."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, has
from tabularium_engines.duality.board import (
    EMPTY_COLUMNS,
    FILE_COLUMN,
    NORTH_EDGE,
    SOUTH_EDGE,
    Board,
)
from tabularium_engines.duality.cards import BLACK, NO_TILE, WHITE, card_of, other_end, ports_of

OPEN_END: Final[i64] = -3  # a path that ends at an empty place …
BLOCKED: Final[i64] = -4  # … and one that meets the other colour; the card it meets does not count
CLOSED_RING: Final[i64] = -5  # a line that runs back into itself; no path from home does
HOME_PORTS: Final[vec[i64]] = vec[i64]([4, 3, 0, 1])  # two for each seat, which face the player


def next_arrival(board: Board, arrival: i64, colour: i64) -> i64:
    """The next arrival of a line of the colour, or how it ends."""
    place, port = arrival >> 3, arrival & 7
    tile = board.tile(place)
    if tile == NO_TILE:
        return OPEN_END
    if not has(ports_of(tile, colour), port):
        return BLOCKED
    return board.arrival_beyond(place, other_end(tile, port))


def path_start(board: Board, seat: i64, column: i64, which: i64) -> i64:
    """The start of a path: one of the two ports in a home column that face its player."""
    return (column << 3 | board.home_row(seat)) << 3 | HOME_PORTS[seat << 1 | which]


# -- where a card could be joined -----------------------------------------------------------------


class Reach:
    """The places where a card could be joined to a seat's paths from home, and at which ports.

    A card at such a place is ignored: a path counts up to its first arrival there, whether it
    continues from there or is blocked.
    """

    def __init__(self, board: Board, seat: i64) -> None:
        self.ports: vec[i64] = EMPTY_COLUMNS[:]  # by column: a byte per row, the set of ports
        self.first_column: i64 = FILE_COLUMN  # of the columns with such a place
        self.last_column: i64 = FILE_COLUMN
        home, first, last = board.home_row(seat) << 3, FILE_COLUMN, FILE_COLUMN
        for column in range(board.first_column, board.last_column + 1):
            if (board.columns[column] >> home) & 0xFF != 0:
                first, last = min(first, column), max(last, column)
                self._follow_path(board, path_start(board, seat, column, 0), seat)
                self._follow_path(board, path_start(board, seat, column, 1), seat)
        for which in range(2):  # R7: a new path may begin next to the home row's cards
            self._mark_arrival(path_start(board, seat, first - 1, which))
            self._mark_arrival(path_start(board, seat, last + 1, which))

    def ports_at(self, place: i64) -> i64:
        """The ports at which a card there would be joined."""
        return (self.ports[place >> 3] >> ((place & 7) << 3)) & 0xFF

    def _follow_path(self, board: Board, arrival: i64, seat: i64) -> None:
        passed: i64 = 0  # the cards that this path has visited
        while arrival >= 0:
            place, port = arrival >> 3, arrival & 7
            tile = board.tile(place)
            if tile == NO_TILE or not has(passed, card_of(tile)):
                self._mark_arrival(arrival)  # R8: without this card, the path would end here
            if tile == NO_TILE or not has(ports_of(tile, seat), port):
                return
            passed |= bit(card_of(tile))
            arrival = board.arrival_beyond(place, other_end(tile, port))

    def _mark_arrival(self, arrival: i64) -> None:
        place = arrival >> 3
        column = place >> 3
        self.ports[column] = self.ports[column] | bit((place & 7) << 3 | arrival & 7)
        self.first_column = min(self.first_column, column)
        self.last_column = max(self.last_column, column)


# -- completion -----------------------------------------------------------------------------------


def line_end(board: Board, place: i64, port: i64, colour: i64) -> i64:
    """The end of the line that leaves a place by a port."""
    first = board.arrival_beyond(place, port)
    arrival = first
    while arrival >= 0:
        arrival = next_arrival(board, arrival, colour)
        if arrival == first:
            return CLOSED_RING
    return arrival


def colours_completed_through(board: Board, place: i64) -> i64:
    """The set of colours whose path through this place joins both players' sides."""
    tile = board.tile(place)
    found: i64 = 0
    for port in range(6):
        other = other_end(tile, port)
        if port < other:
            colour = BLACK if has(ports_of(tile, BLACK), port) else WHITE
            one = line_end(board, place, port, colour)
            opposite = SOUTH_EDGE + NORTH_EDGE - one
            if one >= NORTH_EDGE and line_end(board, place, other, colour) == opposite:
                found |= bit(colour)
    return found


# -- whole paths, for the end, views and pictures --------------------------------------------------


def paths_from_home(board: Board, seat: i64) -> list[list[i64]]:
    """All paths from a seat's home, each as its arrivals, card by card; most may be empty."""
    columns = range(board.first_column, board.last_column + 1)
    starts = [path_start(board, seat, column, which) for column in columns for which in range(2)]
    return [arrivals_on_path(board, start, seat) for start in starts]


def arrivals_on_path(board: Board, arrival: i64, colour: i64) -> list[i64]:
    """The arrivals along a path that begins at an arrival."""
    found: list[i64] = []
    while arrival >= 0:
        following = next_arrival(board, arrival, colour)
        if following > OPEN_END:
            found.append(arrival)
        arrival = following
    return found


def longest_path(board: Board, seat: i64) -> list[i64]:
    """The arrivals along the path from a seat's home over the most cards."""
    return max(paths_from_home(board, seat), key=cards_on_path)


def cards_on_path(path: list[i64]) -> int:
    """The number of cards on a path, which may pass a card more than once."""
    return len({arrival >> 3 for arrival in path})


def longest_path_length(board: Board, seat: i64) -> i64:
    """The number of cards on the longest path from a seat's home. It makes no list, since each
    offer foretells two lengths."""
    longest: i64 = 0
    for column in range(board.first_column, board.last_column + 1):
        for which in range(2):
            longest = max(
                longest, cards_passed(board, path_start(board, seat, column, which), seat)
            )
    return longest


def cards_passed(board: Board, arrival: i64, colour: i64) -> i64:
    """The number of cards on the path that begins at an arrival."""
    passed: i64 = 0
    while arrival >= 0:
        following = next_arrival(board, arrival, colour)
        if following > OPEN_END:
            passed |= bit(card_of(board.tile(arrival >> 3)))
        arrival = following
    return count(passed)


def winning_path(board: Board, seat: i64) -> list[i64]:
    """The arrivals along a seat's complete path, from home; empty if there is none."""
    far = NORTH_EDGE if seat == BLACK else SOUTH_EDGE
    for path in paths_from_home(board, seat):
        if len(path) > 0 and next_arrival(board, path[len(path) - 1], seat) == far:
            return path
    return []
