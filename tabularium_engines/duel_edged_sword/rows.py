"""The four rows of cards on the table, which grow and shrink at both ends.

A row is a ring buffer in one shared vector, so that it changes at an end without moving cards.
Cards are counted from the end at which a card is played.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from tabularium_engines.common.bits import bit, has
from tabularium_engines.duel_edged_sword.cards import TRUE_KIND, is_logical, kind_of

ROW_COUNT: Final[i64] = 4
LEFT: Final[i64] = 0
RIGHT: Final[i64] = 1
FACE_DOWN: Final[i64] = 64  # added to the face of a card that lies face down
FACE_MASK: Final[i64] = 63
_RING_SIZE: Final[i64] = 128  # cells per row: more than there are cards
_RING_MASK: Final[i64] = 127
_EMPTY_CELL: Final[u8] = 0


class Rows:
    """Four rows. A cell is a face, plus FACE_DOWN if it lies face down."""

    def __init__(self, cells: vec[u8], starts: vec[i64], sizes: vec[i64], kinds: vec[i64]) -> None:
        self.cells: vec[u8] = cells
        self.starts: vec[i64] = starts  # by row: the ring index of the leftmost card
        self.sizes: vec[i64] = sizes
        self.kinds: vec[i64] = kinds  # by row: the set of kinds that lie face up

    def clone(self) -> Rows:
        """An independent copy."""
        return Rows(self.cells[:], self.starts[:], self.sizes[:], self.kinds[:])

    def contents(self) -> list[Any]:
        """The cells of each row, from the left."""
        return [self.cells_of(row) for row in range(ROW_COUNT)]

    # -- queries ------------------------------------------------------------------------------

    def cell_index(self, row: i64, side: i64, steps: i64) -> i64:
        """The index of the cell so many steps from an end."""
        if side == LEFT:
            return row * _RING_SIZE + ((self.starts[row] + steps) & _RING_MASK)
        return row * _RING_SIZE + ((self.starts[row] + self.sizes[row] - 1 - steps) & _RING_MASK)

    def cell(self, row: i64, side: i64, steps: i64) -> i64:
        """The cell so many steps from an end."""
        return i64(self.cells[self.cell_index(row, side, steps)])

    def may_lay(self, row: i64, side: i64, kind: i64) -> bool:
        """Whether a card of this kind may be laid there: no True or False next to another (R9)."""
        if not is_logical(kind) or self.sizes[row] == 0:
            return True
        return not is_logical(kind_of(self.cell(row, side, 0) & FACE_MASK))

    def is_closed_to_logical(self) -> bool:
        """Whether there is no end at which a True or a False may be laid."""
        for row in range(ROW_COUNT):
            if self.may_lay(row, LEFT, TRUE_KIND) or self.may_lay(row, RIGHT, TRUE_KIND):
                return False
        return True

    def has_face_up(self, row: i64, kind: i64) -> bool:
        """Whether a card of this kind lies face up in the row."""
        return has(self.kinds[row], kind)

    def cells_of(self, row: i64) -> list[i64]:
        """All cells of a row, from the left."""
        return [self.cell(row, LEFT, steps) for steps in range(self.sizes[row])]

    # -- changes ------------------------------------------------------------------------------

    def lay(self, row: i64, side: i64, cell: i64) -> None:
        """Add a card at an end."""
        if side == LEFT:
            self.starts[row] = (self.starts[row] - 1) & _RING_MASK
        self.sizes[row] = self.sizes[row] + 1
        self.cells[self.cell_index(row, side, 0)] = u8(cell)
        if cell < FACE_DOWN and kind_of(cell) >= 0:
            self.kinds[row] = self.kinds[row] | bit(kind_of(cell))

    def take(self, row: i64, side: i64) -> i64:
        """Remove the card at an end and return its face."""
        cell = self.cell(row, side, 0)
        if side == LEFT:
            self.starts[row] = (self.starts[row] + 1) & _RING_MASK
        self.sizes[row] = self.sizes[row] - 1
        self.hide_kind(row, cell)
        return cell & FACE_MASK

    def take_match(self, row: i64, side: i64) -> list[i64]:
        """Remove the card at an end, the nearest that matches it, and all between them."""
        face = self.take(row, side)
        taken: list[i64] = [face]
        while True:
            is_match = self.cell(row, side, 0) == face
            taken.append(self.take(row, side))
            if is_match:
                return taken

    def turn_down_until(self, row: i64, side: i64, face: i64) -> i64:
        """Turn all cards face down between the one at an end and the nearest that shows a face;
        the number of steps to that one."""
        steps: i64 = 1
        while self.cell(row, side, steps) != face:
            self.turn_down(row, side, steps)
            steps += 1
        return steps

    def turn_down(self, row: i64, side: i64, steps: i64) -> None:
        """Turn a card face down if it is not already."""
        place = self.cell_index(row, side, steps)
        cell = i64(self.cells[place])
        self.hide_kind(row, cell)
        self.cells[place] = u8(cell | FACE_DOWN)

    def hide_kind(self, row: i64, cell: i64) -> None:
        """Record that the kind no longer shows: only one card of a kind can, as two would match."""
        if cell < FACE_DOWN and kind_of(cell) >= 0:
            self.kinds[row] = self.kinds[row] & ~bit(kind_of(cell))


def empty_rows() -> Rows:
    """Four rows without cards."""
    cells, none = vec[u8]([_EMPTY_CELL] * (ROW_COUNT * _RING_SIZE)), vec[i64]([0] * ROW_COUNT)
    return Rows(cells, none, none[:], none[:])
