"""Four in a Row (Howard Wexler and Ned Strongin, 1974): drop discs into seven columns; the first
player with four in a line wins. A full board is a draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.json_codec import Between
from tabularium_engines.kit.engine import SmallEngine, about_game
from tabularium_engines.kit.fields import board
from tabularium_engines.kit.small_state import SmallState

ROWS: Final = 6
COLUMNS: Final = 7
LINE: Final = 4  # discs that win
COLUMN_SHIFT: Final = 8  # of the column in the number of an action
DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Drop:
    """Drop a disc into a column, counted from 0 at the left."""

    kind: ClassVar = "drop"
    label: ClassVar = "Drop a disc into column {column}"
    column: Annotated[int, Between(0, COLUMNS - 1)]


class FourState(SmallState):
    """The grid, top row first: 0 is empty, 1 and 2 are the discs of the seats."""

    fields: ClassVar = (board("grid", columns="0123456").marked("column={column}"),)

    def __init__(self) -> None:
        super().__init__()
        self.grid: list[list[int]] = []

    def set_up(self, rng: Rng) -> None:
        self.grid = [[0] * COLUMNS for _ in range(ROWS)]
        self.to_act = 1

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != seat + 1:
            return []
        return [column << COLUMN_SHIFT for column in range(COLUMNS) if self.grid[0][column] == 0]

    def play(self, seat: i64, action: i64, rng: Rng) -> None:
        column = int(action) >> COLUMN_SHIFT
        row = max(row for row in range(ROWS) if self.grid[row][column] == 0)
        self.grid[row][column] = int(seat) + 1
        is_over = self.winner() is not None or all(self.grid[0])
        self.to_act = 0 if is_over else 3 - self.to_act

    def winner(self) -> int | None:
        """The seat with four discs in a line, if there is one."""
        for line in self._lines():
            if line[0] and len(set(line)) == 1:
                return line[0] - 1
        return None

    def _lines(self) -> Iterator[list[int]]:
        """The contents of all lines of four places."""
        for row in range(ROWS):
            for column in range(COLUMNS):
                for down, right in DIRECTIONS:
                    last_row, last_column = row + 3 * down, column + 3 * right
                    if last_row < ROWS and 0 <= last_column < COLUMNS:
                        yield [self.grid[row + down * n][column + right * n] for n in range(LINE)]

    def returns(self) -> list[float]:
        winner = self.winner()
        if winner is None:
            return [0.0, 0.0] if self.to_act else [0.5, 0.5]
        return [1.0, 0.0] if winner == 0 else [0.0, 1.0]


class FourInARow(SmallEngine[FourState]):
    """The engine of Four in a Row."""

    state_type: ClassVar = FourState
    about: ClassVar = about_game(
        state_type,
        slug="four_in_a_row",
        title="Four in a Row",
        summary="Drop discs until four of yours are in a line.",
        version=1,
        seats=(2, 2),
        actions=(Drop,),
        max_actions=ROWS * COLUMNS,
        designers=("Howard Wexler", "Ned Strongin"),
        can_be_drawn=True,
    )

    def reason(self, state: FourState) -> str:
        winner = state.winner()
        return (
            "The board is full." if winner is None else f"{player_name(winner)} has four in a line."
        )


ENGINES = (FourInARow(),)
