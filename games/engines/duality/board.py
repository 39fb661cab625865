"""The board: the grid of the cards laid, with a few rows between the players' homes and as many
columns as are needed."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, members
from games.engines.duality import cards
from games.engines.duality.cards import BLACK, FACING_PORTS, NO_TILE, WHITE, ports_of

# the file, the 51 columns on either side that cards can reach, and a rim
COLUMN_COUNT: Final[i64] = 105
FILE_COLUMN: Final[i64] = 52  # the file
EMPTY_COLUMNS: Final[vec[i64]] = vec[i64]([0] * 105)

# A place is column * 8 + row; row 0 is Black's home. An arrival is place * 8 + the port at which a
# line enters, or one of these:
SOUTH_EDGE: Final[i64] = -1  # Black's side of the table
NORTH_EDGE: Final[i64] = -2  # White's side

# The number of members of a set of ports.
_PORTS_IN_SET: Final[vec[i64]] = vec[i64]([number.bit_count() for number in range(64)])


def _facing_black_ports(side: i64) -> vec[i64]:
    """By tile: the neighbour's ports that its black ports on one side face."""
    found = vec[i64]([0] * cards.TILE_COUNT)
    for tile in range(cards.TILE_COUNT):
        for port in members(ports_of(tile, BLACK) & side):
            found[tile] = found[tile] | bit(FACING_PORTS[port])
    return found


_BLACK_PORTS_TO_NORTH: Final[vec[i64]] = _facing_black_ports(cards.NORTH_PORTS)
_BLACK_PORTS_TO_EAST: Final[vec[i64]] = _facing_black_ports(cards.EAST_PORTS)
_BLACK_PORTS_TO_SOUTH: Final[vec[i64]] = _facing_black_ports(cards.SOUTH_PORTS)
_BLACK_PORTS_TO_WEST: Final[vec[i64]] = _facing_black_ports(cards.WEST_PORTS)


class Board:
    """The cards in play. A column is one number with a byte per row: 0, or the tile there + 1."""

    def __init__(self, rows: i64, columns: vec[i64], first: vec[i64], last: vec[i64]) -> None:
        self.rows: i64 = rows
        self.columns: vec[i64] = columns
        self.first_home_column: vec[i64] = first  # by seat: its first column in the home row …
        self.last_home_column: vec[i64] = last  # … and the last

    def clone(self) -> Board:
        """An independent copy."""
        return Board(
            self.rows, self.columns[:], self.first_home_column[:], self.last_home_column[:]
        )

    def tile(self, place: i64) -> i64:
        """The tile at a place, or NO_TILE."""
        return ((self.columns[place >> 3] >> ((place & 7) << 3)) & 0xFF) - 1

    def lay(self, place: i64, tile: i64) -> None:
        """Put a tile on a place, replacing any tile there."""
        column, row = place >> 3, place & 7
        change = (self.tile(place) + 1) ^ (tile + 1)
        self.columns[column] = self.columns[column] ^ (change << (row << 3))
        if row == 0:
            self._widen_home(BLACK, column)
        if row == self.rows - 1:
            self._widen_home(WHITE, column)

    def _widen_home(self, seat: i64, column: i64) -> None:
        self.first_home_column[seat] = min(self.first_home_column[seat], column)
        self.last_home_column[seat] = max(self.last_home_column[seat], column)

    def contents(self) -> list[Any]:
        """The cards in play as plain numbers; the home columns follow from them."""
        return [self.rows, list(self.columns)]

    # -- places -----------------------------------------------------------------------------------

    def home_row(self, seat: i64) -> i64:
        """The row nearest to the player."""
        return 0 if seat == BLACK else self.rows - 1

    def arrival_beyond(self, place: i64, port: i64) -> i64:
        """The arrival of a line that leaves a place by a port."""
        facing = FACING_PORTS[port]
        if port <= 1:
            return NORTH_EDGE if place & 7 == self.rows - 1 else (place + 1) << 3 | facing
        if port == 2:
            return (place + 8) << 3 | facing
        if port == 5:
            return (place - 8) << 3 | facing
        return SOUTH_EDGE if place & 7 == 0 else (place - 1) << 3 | facing

    def occupied_places(self) -> list[i64]:
        """All places that hold a card, column by column."""
        found: list[i64] = []
        for column in range(COLUMN_COUNT):
            if self.columns[column] != 0:
                for row in range(self.rows):
                    if self.tile(column << 3 | row) != NO_TILE:
                        found.append(column << 3 | row)
        return found

    # -- connections ------------------------------------------------------------------------------

    def surroundings(self, place: i64) -> i64:
        """The input of `count_connections` at a place: three sets of ports, lowest bits first.
        Those that face a black line; those that face any line; those that face a player."""
        row = place & 7
        black: i64 = 0
        lines: i64 = 0
        edge: i64 = 0
        above = NO_TILE if row == self.rows - 1 else self.tile(place + 1)
        below = NO_TILE if row == 0 else self.tile(place - 1)
        right = self.tile(place + 8)
        left = self.tile(place - 8)
        if row == self.rows - 1:
            edge |= cards.NORTH_PORTS
        if row == 0:
            edge |= cards.SOUTH_PORTS
        if above != NO_TILE:
            black |= _BLACK_PORTS_TO_SOUTH[above]
            lines |= cards.NORTH_PORTS
        if below != NO_TILE:
            black |= _BLACK_PORTS_TO_NORTH[below]
            lines |= cards.SOUTH_PORTS
        if right != NO_TILE:
            black |= _BLACK_PORTS_TO_WEST[right]
            lines |= cards.EAST_PORTS
        if left != NO_TILE:
            black |= _BLACK_PORTS_TO_EAST[left]
            lines |= cards.WEST_PORTS
        return black | (lines << 6) | (edge << 12)

    def connections_at(self, place: i64) -> i64:
        """The number of connections that the card at a place makes."""
        return count_connections(self.surroundings(place), self.tile(place))


def empty_board(rows: i64) -> Board:
    """A board without cards."""
    return Board(rows, EMPTY_COLUMNS[:], vec[i64]([COLUMN_COUNT, COLUMN_COUNT]), vec[i64]([-1, -1]))


def count_connections(surroundings: i64, tile: i64) -> i64:
    """The number of connections a tile would make there: ports that meet their own colour, or face
    the player whose home row it is."""  # R5
    same = ~(ports_of(tile, BLACK) ^ surroundings) & (surroundings >> 6)
    return _PORTS_IN_SET[(same | (surroundings >> 12)) & 0x3F]


def place_of(column: i64, row: i64) -> i64:
    """A place from a column and a row as players number them: the file is 0, rows start at 1."""
    return (column + FILE_COLUMN) << 3 | (row - 1)


def column_of(place: i64) -> i64:
    """A place's column as players number it."""
    return (place >> 3) - FILE_COLUMN


def row_of(place: i64) -> i64:
    """A place's row as players number it."""
    return (place & 7) + 1
