"""What lies where: a grid of a few rows between the players' homes and of columns without end."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duality.cards import (
    BLACK,
    COLOURED,
    EAST,
    FACING,
    NO_TILE,
    NORTH,
    PORT_COUNT,
    SOUTH,
    TILES,
    WEST,
    WHITE,
    ports_of,
)

COLUMNS: Final[i64] = 105  # 51 on either side of the file, as many as cards can reach, and a rim
MIDDLE: Final[i64] = 52  # the file
BLANK: Final[vec[i64]] = vec[i64]([0] * 105)

# A place is its column * 8 + its row; row 0 is Black's home. An arrival is a place * 8 + the port
# at which a line comes in, or one of these:
SOUTH_EDGE: Final[i64] = -1  # Black's side of the table
NORTH_EDGE: Final[i64] = -2  # White's

# How many members a set of ports has.
_POPULATION: Final[vec[i64]] = vec[i64]([number.bit_count() for number in range(64)])


def _mirrored(tile: int, side: int) -> int:
    """The black ports of a tile on one side, as those of the neighbour which they face."""
    black = int(COLOURED[2 * tile]) & side
    return sum(1 << int(FACING[port]) for port in range(6) if black >> port & 1)


# By tile: what its black ports are to the neighbour on each side of it.
_TO_NORTH: Final[vec[i64]] = vec[i64]([_mirrored(tile, 0b000011) for tile in range(TILES)])
_TO_EAST: Final[vec[i64]] = vec[i64]([_mirrored(tile, 0b000100) for tile in range(TILES)])
_TO_SOUTH: Final[vec[i64]] = vec[i64]([_mirrored(tile, 0b011000) for tile in range(TILES)])
_TO_WEST: Final[vec[i64]] = vec[i64]([_mirrored(tile, 0b100000) for tile in range(TILES)])


class Board:
    """The cards in play. A column is one number: a byte for each row, 0 or the tile there + 1."""

    def __init__(self, rows: i64, columns: vec[i64], first: vec[i64], last: vec[i64]) -> None:
        self.rows: i64 = rows
        self.columns: vec[i64] = columns
        self.first: vec[i64] = first  # by seat: the first column at home …
        self.last: vec[i64] = last  # … and the last

    def clone(self) -> Board:
        """An equal board of its own."""
        return Board(self.rows, self.columns[:], self.first[:], self.last[:])

    def tile(self, place: i64) -> i64:
        """What lies at a place, or NO_TILE."""
        return ((self.columns[place >> 3] >> ((place & 7) << 3)) & 0xFF) - 1

    def lay(self, place: i64, tile: i64) -> None:
        """Put a tile on a place, instead of what may lie there."""
        column, row = place >> 3, place & 7
        change = (self.tile(place) + 1) ^ (tile + 1)
        self.columns[column] = self.columns[column] ^ (change << (row << 3))
        if row == 0:
            self._widen(BLACK, column)
        if row == self.rows - 1:
            self._widen(WHITE, column)

    def _widen(self, seat: i64, column: i64) -> None:
        self.first[seat] = min(self.first[seat], column)
        self.last[seat] = max(self.last[seat], column)

    # -- places -----------------------------------------------------------------------------------

    def home(self, seat: i64) -> i64:
        """The row nearest to a player."""
        return 0 if seat == BLACK else self.rows - 1

    def beyond(self, place: i64, port: i64) -> i64:
        """Where a line arrives that leaves a place by a port."""
        facing = FACING[port]
        if port <= 1:
            return NORTH_EDGE if place & 7 == self.rows - 1 else (place + 1) << 3 | facing
        if port == 2:
            return (place + 8) << 3 | facing
        if port == 5:
            return (place - 8) << 3 | facing
        return SOUTH_EDGE if place & 7 == 0 else (place - 1) << 3 | facing

    def places(self) -> list[i64]:
        """All places where a card lies, column by column."""
        found: list[i64] = []
        for column in range(COLUMNS):
            if self.columns[column] != 0:
                for row in range(self.rows):
                    if self.tile(column << 3 | row) != NO_TILE:
                        found.append(column << 3 | row)
        return found

    # -- connections ------------------------------------------------------------------------------

    def surroundings(self, place: i64) -> i64:
        """All that a count at a place depends on: three sets of ports. The lowest, of those that
        face a black line; then, of those that face any line; then, of those that face a player."""
        row = place & 7
        black: i64 = 0
        lines: i64 = 0
        edge: i64 = 0
        above = NO_TILE if row == self.rows - 1 else self.tile(place + 1)
        below = NO_TILE if row == 0 else self.tile(place - 1)
        right = self.tile(place + 8)
        left = self.tile(place - 8)
        if row == self.rows - 1:
            edge |= NORTH
        if row == 0:
            edge |= SOUTH
        if above != NO_TILE:
            black |= _TO_SOUTH[above]
            lines |= NORTH
        if below != NO_TILE:
            black |= _TO_NORTH[below]
            lines |= SOUTH
        if right != NO_TILE:
            black |= _TO_WEST[right]
            lines |= EAST
        if left != NO_TILE:
            black |= _TO_EAST[left]
            lines |= WEST
        return black | (lines << 6) | (edge << 12)

    def connections(self, place: i64) -> i64:
        """How many connections the card at a place makes."""
        return connections_in(self.surroundings(place), self.tile(place))


def bare(rows: i64) -> Board:
    """A board before the first card."""
    return Board(rows, BLANK[:], vec[i64]([COLUMNS, COLUMNS]), vec[i64]([-1, -1]))


def connections_in(surroundings: i64, tile: i64) -> i64:
    """How many connections a tile would make there: ports that meet their own colour, or face the
    player whose home row it is."""  # R5
    same = ~(ports_of(tile, BLACK) ^ surroundings) & (surroundings >> 6)
    return _POPULATION[(same | (surroundings >> 12)) & 0x3F]


def place_of(column: i64, row: i64) -> i64:
    """A place from a column as players number it, the file being 0, and a row from 1."""
    return (column + MIDDLE) << 3 | (row - 1)


def column_of(place: i64) -> i64:
    """A place's column as players number it."""
    return (place >> 3) - MIDDLE


def row_of(place: i64) -> i64:
    """A place's row as players number it."""
    return (place & 7) + 1


def port_set(mask: i64) -> list[i64]:
    """The ports of a set."""
    return [port for port in range(PORT_COUNT) if mask & bit(port) != 0]
