"""Where do the lines lead? Paths from a player's home, what they could be joined to, how long they
are, and whether one is complete."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count, has
from games.engines.duality.board import BLANK, COLUMNS, NORTH_EDGE, SOUTH_EDGE, Board
from games.engines.duality.cards import BLACK, NO_TILE, WHITE, card_of, other_end, ports_of

OPEN_END: Final[i64] = -3  # a path that ends before an empty place …
BLOCKED: Final[i64] = -4  # … and one that meets the other colour: it does not run over that card
RING: Final[i64] = -5  # a line that runs back into itself, which none from home does
NEAR: Final[vec[i64]] = vec[i64]([4, 3, 0, 1])  # by seat, two: the ports that face one's own home


def onward(board: Board, arrival: i64, colour: i64) -> i64:
    """Where a line of the colour that arrives here arrives next, or how it ends."""
    place, port = arrival >> 3, arrival & 7
    tile = board.tile(place)
    if tile == NO_TILE:
        return OPEN_END
    if not has(ports_of(tile, colour), port):
        return BLOCKED
    return board.beyond(place, other_end(tile, port))


def start(seat: i64, column: i64, board: Board, which: i64) -> i64:
    """Where a path begins: at one of the two ports of a home column that face its player."""
    return (column << 3 | board.home(seat)) << 3 | NEAR[seat << 1 | which]


# -- what a card could be joined to ---------------------------------------------------------------


class Reach:
    """All places where a card could be joined to a seat's paths from home, and at which ports.

    What lies at such a place is thought away: a path counts up to where it first arrives there,
    whether it goes on from there or is blocked.
    """

    def __init__(self, board: Board, seat: i64) -> None:
        self.ports: vec[i64] = BLANK[:]  # by column: a byte for each row, the set of ports
        self.first: i64 = COLUMNS  # of the columns with such a place
        self.last: i64 = -1
        home = board.home(seat)
        for column in range(board.first[seat], board.last[seat] + 1):
            if board.tile(column << 3 | home) != NO_TILE:
                self._follow(board, start(seat, column, board, 0), seat)
                self._follow(board, start(seat, column, board, 1), seat)
        self._begin(board, board.first[seat] - 1, seat)  # R7
        self._begin(board, board.last[seat] + 1, seat)

    def at(self, place: i64) -> i64:
        """The ports at which a card there would be joined."""
        return (self.ports[place >> 3] >> ((place & 7) << 3)) & 0xFF

    def _begin(self, board: Board, column: i64, seat: i64) -> None:
        """Beside the home row a new path may begin."""
        self._mark(start(seat, column, board, 0))
        self._mark(start(seat, column, board, 1))

    def _follow(self, board: Board, arrival: i64, seat: i64) -> None:
        passed: i64 = 0  # the cards that this path has come to
        while arrival >= 0:
            tile = board.tile(arrival >> 3)
            card = bit(card_of(tile)) if tile != NO_TILE else 0
            if passed & card == 0:  # R8: without the card there, the path would end there
                self._mark(arrival)
            passed |= card
            arrival = onward(board, arrival, seat)

    def _mark(self, arrival: i64) -> None:
        place = arrival >> 3
        column = place >> 3
        self.ports[column] = self.ports[column] | bit((place & 7) << 3 | arrival & 7)
        self.first = min(self.first, column)
        self.last = max(self.last, column)


# -- how long, and whether complete ---------------------------------------------------------------


def path_from(board: Board, arrival: i64, colour: i64) -> i64:
    """The set of cards on the path that begins here."""
    cards: i64 = 0
    while arrival >= 0:
        following = onward(board, arrival, colour)
        if following > OPEN_END:
            cards |= bit(card_of(board.tile(arrival >> 3)))
        arrival = following
    return cards


def longest_path(board: Board, seat: i64) -> i64:
    """How many cards the longest path from a seat's home has."""
    most: i64 = 0
    home = board.home(seat)
    for column in range(board.first[seat], board.last[seat] + 1):
        if board.tile(column << 3 | home) != NO_TILE:
            for which in range(2):
                cards = path_from(board, start(seat, column, board, which), seat)
                most = max(most, count(cards))
    return most


def end_of(board: Board, place: i64, port: i64, colour: i64) -> i64:
    """How a line ends that leaves a place by a port."""
    first = board.beyond(place, port)
    arrival = first
    while arrival >= 0:
        arrival = onward(board, arrival, colour)
        if arrival == first:
            return RING
    return arrival


def completed_through(board: Board, place: i64) -> i64:
    """The set of colours of which a path through this place joins both players' sides."""
    tile = board.tile(place)
    found: i64 = 0
    for port in range(6):
        other = other_end(tile, port)
        if port < other:
            colour = BLACK if has(ports_of(tile, BLACK), port) else WHITE
            one = end_of(board, place, port, colour)
            opposite = SOUTH_EDGE + NORTH_EDGE - one
            if one >= NORTH_EDGE and end_of(board, place, other, colour) == opposite:
                found |= bit(colour)
    return found


def along(board: Board, arrival: i64, colour: i64) -> list[i64]:
    """Where a path arrives that begins here, card by card as far as it goes."""
    found: list[i64] = []
    while arrival >= 0:
        following = onward(board, arrival, colour)
        if following > OPEN_END:
            found.append(arrival)
        arrival = following
    return found


def paths_of(board: Board, seat: i64) -> list[list[i64]]:
    """All paths from a seat's home, the arrivals along each."""
    home = board.home(seat)
    found: list[list[i64]] = []
    for column in range(board.first[seat], board.last[seat] + 1):
        if board.tile(column << 3 | home) != NO_TILE:
            for which in range(2):
                found.append(along(board, start(seat, column, board, which), seat))
    return found


def complete_path(board: Board, seat: i64) -> list[i64]:
    """The arrivals along a seat's path to the other side, from home; empty if there is none."""
    far = NORTH_EDGE if seat == BLACK else SOUTH_EDGE
    for path in paths_of(board, seat):
        if len(path) > 0 and onward(board, path[len(path) - 1], seat) == far:
            return path
    return []
