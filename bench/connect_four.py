"""Connect Four on our engine contract, for comparison with other libraries.

A column is seven bits of a mask: six cells from the bottom up, and one that is always empty, so
that no line runs over the edge. An action is the number of a column.
"""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.bits import bit

COLUMNS: Final[i64] = 7
ROWS: Final[i64] = 6
COLUMN_BITS: Final[i64] = 7  # per column
NO_WINNER: Final[i64] = -1
BOTTOM_MASK: Final[i64] = 0x40810204081  # the lowest cell of each column
FULL_BOARD: Final[i64] = BOTTOM_MASK * 63  # all 42 cells
# multiplied by a mask of one bit per column: the seven bits, adjacent, from bit 36
GATHER_FACTOR: Final[i64] = 0x1041041041
OPEN_COLUMNS: Final = [  # by the set of full columns: the columns that are not full
    [column for column in range(COLUMNS) if full >> column & 1 == 0] for full in range(128)
]


class ConnectFour(State):
    """The stones on the board: those of the player to move, and all."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = 2
        self.to_act = 1
        self.own: i64 = 0
        self.stones: i64 = 0
        self.winner: i64 = NO_WINNER

    def legal_actions(self, seat: i64) -> list[i64]:
        if (self.to_act >> seat) & 1 == 0:
            return []
        tops = (self.stones >> (ROWS - 1)) & BOTTOM_MASK
        return OPEN_COLUMNS[(tops * GATHER_FACTOR >> 36) & 127]

    def random_action(self, seat: i64, rng: Rng) -> i64:
        while True:
            column = rng.below(COLUMNS)
            if not self.is_full(column):
                return column

    def is_full(self, column: i64) -> bool:
        """Whether the column is full."""
        return (self.stones >> (column * COLUMN_BITS + ROWS - 1)) & 1 == 1

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        opponent_stones = self.stones ^ self.own
        self.stones |= self.stones + bit(action * COLUMN_BITS)
        own_stones = self.stones ^ opponent_stones
        self.own = opponent_stones
        if has_line(own_stones):
            self.winner = seat
            self.to_act = 0
        elif self.stones == FULL_BOARD:
            self.to_act = 0
        else:
            self.to_act ^= 3

    def clone(self) -> ConnectFour:
        copy = ConnectFour()
        copy.to_act = self.to_act
        copy.own = self.own
        copy.stones = self.stones
        copy.winner = self.winner
        return copy

    def determinize(self, seat: i64, rng: Rng) -> None:
        """Nothing is hidden."""

    def returns(self) -> list[float]:
        if self.winner == NO_WINNER:
            return [0.5, 0.5] if self.to_act == 0 else [0.0, 0.0]
        return [1.0, 0.0] if self.winner == 0 else [0.0, 1.0]

    def contents(self) -> list[Any]:
        return [self.to_act, self.own, self.stones, self.winner]

    def cards(self) -> list[i64]:
        return []


def has_line(stones: i64) -> bool:
    """Whether four of these stones are in a line."""
    return (
        has_line_by_step(stones, 1)
        or has_line_by_step(stones, COLUMN_BITS - 1)
        or has_line_by_step(stones, COLUMN_BITS)
        or has_line_by_step(stones, COLUMN_BITS + 1)
    )


def has_line_by_step(stones: i64, step: i64) -> bool:
    """Whether four of these stones are in a line with this step."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (2 * step)) != 0
