"""The board: the grid of the cards laid, with a few rows between the players' homes and as many
columns as are needed."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, has, members
from tabularium_engines.duality import cards
from tabularium_engines.duality.cards import BLACK, FACING_PORTS, NO_TILE, ports_of

# The file, the 51 columns on either side that cards can reach, and a rim. A file of two leaves 52
# cards, but they never lie in one row: the player at whose home it is not would have to follow a
# line from flank to flank across each of them.
COLUMN_COUNT: Final[i64] = 105
FILE_COLUMN: Final[i64] = 52  # the file
EMPTY_COLUMNS: Final[vec[i64]] = vec[i64]([0] * 105)

# A place is column * 8 + row; row 0 is Black's home. An arrival is place * 8 + the port at which a
# line enters, or one of these:
SOUTH_EDGE: Final[i64] = -1  # Black's side of the table
NORTH_EDGE: Final[i64] = -2  # White's side

_STEPS: Final[vec[i64]] = vec[i64]([1, 1, 8, -1, -1, -8])  # by port, to the place it leads to
_PORTS_IN_SET: Final[vec[i64]] = vec[i64]([number.bit_count() for number in range(64)])


def _faced_ports(side: i64) -> vec[i64]:
    """By tile + 1: the ports that the black ports of its side face, and those that all of them
    face, six bits further up."""
    found = vec[i64]([0] * (cards.TILE_COUNT + 1))
    for tile in range(cards.TILE_COUNT):
        for port in members(side):
            facing = bit(FACING_PORTS[port])
            black: i64 = facing if has(ports_of(tile, BLACK), port) else 0
            found[tile + 1] = found[tile + 1] | black | facing << 6
    return found


_FACED_FROM_NORTH: Final[vec[i64]] = _faced_ports(cards.SOUTH_PORTS)
_FACED_FROM_EAST: Final[vec[i64]] = _faced_ports(cards.WEST_PORTS)
_FACED_FROM_SOUTH: Final[vec[i64]] = _faced_ports(cards.NORTH_PORTS)
_FACED_FROM_WEST: Final[vec[i64]] = _faced_ports(cards.EAST_PORTS)


class Board:
    """The cards in play. A column is one number with a byte per row: 0, or the tile there + 1."""

    def __init__(self, rows: i64, columns: vec[i64], first: i64, last: i64) -> None:
        self.rows: i64 = rows
        self.columns: vec[i64] = columns
        self.first_column: i64 = first  # no card lies further to the left …
        self.last_column: i64 = last  # … or to the right

    def clone(self) -> Board:
        """An independent copy."""
        return Board(self.rows, self.columns[:], self.first_column, self.last_column)

    def contents(self) -> list[Any]:
        """The cards in play as plain numbers; the first and last column follow from them."""
        return [self.rows, list(self.columns)]

    def tile(self, place: i64) -> i64:
        """The tile at a place, or NO_TILE."""
        return ((self.columns[place >> 3] >> ((place & 7) << 3)) & 0xFF) - 1

    def lay(self, place: i64, tile: i64) -> None:
        """Put a tile on a place, replacing any tile there."""
        column, row = place >> 3, place & 7
        change = (self.tile(place) + 1) ^ (tile + 1)
        self.columns[column] = self.columns[column] ^ (change << (row << 3))
        self.first_column = min(self.first_column, column)
        self.last_column = max(self.last_column, column)

    # -- places -----------------------------------------------------------------------------------

    def home_row(self, seat: i64) -> i64:
        """The row nearest to the player."""
        return 0 if seat == BLACK else self.rows - 1

    def arrival_beyond(self, place: i64, port: i64) -> i64:
        """The arrival of a line that leaves a place by a port."""
        if port <= 1 and place & 7 == self.rows - 1:
            return NORTH_EDGE
        if (port == 3 or port == 4) and place & 7 == 0:
            return SOUTH_EDGE
        return (place + _STEPS[port]) << 3 | FACING_PORTS[port]

    def occupied_places(self) -> list[i64]:
        """All places that hold a card, column by column."""
        columns = range(self.first_column, self.last_column + 1)
        places = [column << 3 | row for column in columns for row in range(self.rows)]
        return [place for place in places if self.tile(place) != NO_TILE]

    # -- connections ------------------------------------------------------------------------------

    def surroundings(self, place: i64) -> i64:
        """The input of `count_connections` at a place: three sets of ports, lowest bits first.
        Those that face a black line; those that face any line; those that face a player."""
        around = (  # beyond both homes lies an empty row
            _FACED_FROM_NORTH[self.tile(place + 1) + 1]
            | _FACED_FROM_EAST[self.tile(place + 8) + 1]
            | _FACED_FROM_SOUTH[self.tile(place - 1) + 1]
            | _FACED_FROM_WEST[self.tile(place - 8) + 1]
        )
        if place & 7 == self.rows - 1:
            around |= cards.NORTH_PORTS << 12
        if place & 7 == 0:
            around |= cards.SOUTH_PORTS << 12
        return around

    def connections_at(self, place: i64) -> i64:
        """The number of connections that the card at a place makes."""
        return count_connections(self.surroundings(place), self.tile(place))


def empty_board(rows: i64) -> Board:
    """A board without cards."""
    return Board(rows, EMPTY_COLUMNS[:], FILE_COLUMN, FILE_COLUMN)


def count_connections(surroundings: i64, tile: i64) -> i64:
    """The number of connections a tile would make there: ports that meet their own colour, or face
    the player whose home row it is."""  # R5
    same = ~(ports_of(tile, BLACK) ^ surroundings) & (surroundings >> 6)
    return _PORTS_IN_SET[(same | (surroundings >> 12)) & 0x3F]


def place_of(column: i64, row: i64) -> i64:
    """A place from a column and a row as players number them: the file is 0, rows start at 1."""
    return (column + FILE_COLUMN) << 3 | (row - 1)


def row_and_column(place: i64) -> tuple[int, int]:
    """The row and column of a place as players number them."""
    return int(place & 7) + 1, int((place >> 3) - FILE_COLUMN)
