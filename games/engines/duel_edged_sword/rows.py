"""What lies in the four rows, and what does a card do that is laid at one of their ends?

A row is a ring of cells in one long vector, so that it grows and shrinks at both ends without a
card changing its place. Cards are counted from the end at which one plays.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from games.engines.common.bits import bit, has
from games.engines.duel_edged_sword.cards import SINGLE_KIND_COUNT, kind_of

ROW_COUNT: Final[i64] = 4
LEFT: Final[i64] = 0
RIGHT: Final[i64] = 1
FACE_DOWN: Final[i64] = 64  # added to the face of a card that lies face down
FACE_MASK: Final[i64] = 63
_RING_SIZE: Final[i64] = 128  # cells of a row: more than there are cards
_RING_MASK: Final[i64] = 127
_EMPTY_CELL: Final[u8] = 0


class Rows:
    """Four rows. A cell is a face, with DOWN if it does not show."""

    def __init__(self) -> None:
        self.cells: vec[u8] = vec[u8]()
        self.starts: vec[i64] = vec[i64]()  # by row: where in its ring the leftmost card lies
        self.sizes: vec[i64] = vec[i64]()
        self.kinds: vec[i64] = vec[i64]()  # by row: the set of kinds that lie face up

    def clear(self) -> None:
        """No cards anywhere."""
        self.cells = vec[u8]([_EMPTY_CELL] * (ROW_COUNT * _RING_SIZE))
        self.starts = vec[i64]([0] * ROW_COUNT)
        self.sizes = vec[i64]([0] * ROW_COUNT)
        self.kinds = vec[i64]([0] * ROW_COUNT)

    def clone(self) -> Rows:
        """Equal rows of their own."""
        copy = Rows()
        copy.cells = self.cells[:]
        copy.starts = self.starts[:]
        copy.sizes = self.sizes[:]
        copy.kinds = self.kinds[:]
        return copy

    # -- questions ----------------------------------------------------------------------------

    def cell_index(self, row: i64, side: i64, steps: i64) -> i64:
        """In which cell the card lies that is so many steps from an end."""
        if side == LEFT:
            return row * _RING_SIZE + ((self.starts[row] + steps) & _RING_MASK)
        return row * _RING_SIZE + ((self.starts[row] + self.sizes[row] - 1 - steps) & _RING_MASK)

    def cell(self, row: i64, side: i64, steps: i64) -> i64:
        """The card so many steps from an end."""
        return i64(self.cells[self.cell_index(row, side, steps)])

    def is_logical_end(self, row: i64, side: i64) -> bool:
        """Does a True or a False lie there face up? One that lies face down stops nobody (R9)."""
        if self.sizes[row] == 0:
            return False
        end = self.cell(row, side, 0)
        return end < FACE_DOWN and kind_of(end) >= SINGLE_KIND_COUNT

    def is_closed_to_logical(self) -> bool:
        """Is there no end at which a True or a False may be laid?"""
        for row in range(ROW_COUNT):
            if not (self.is_logical_end(row, LEFT) and self.is_logical_end(row, RIGHT)):
                return False
        return True

    def has_face_up(self, row: i64, kind: i64) -> bool:
        """Does a card of this kind lie face up in the row?"""
        return has(self.kinds[row], kind)

    def distance_to_match(self, row: i64, side: i64, face: i64) -> i64:
        """How many cards from the end to the nearest that shows this face, which must be there."""
        steps: i64 = 0
        while self.cell(row, side, steps) != face:
            steps += 1
        return steps + 1

    def cells_of(self, row: i64) -> vec[i64]:
        """All cells of a row, from the left."""
        size = self.sizes[row]
        found = vec[i64]([0] * size)
        place = self.starts[row]
        first = row * _RING_SIZE
        for step in range(size):
            found[step] = i64(self.cells[first + ((place + step) & _RING_MASK)])
        return found

    # -- changes ------------------------------------------------------------------------------

    def lay(self, row: i64, side: i64, cell: i64) -> None:
        """A card more at an end."""
        if side == LEFT:
            self.starts[row] = (self.starts[row] - 1) & _RING_MASK
        self.sizes[row] = self.sizes[row] + 1
        self.cells[self.cell_index(row, side, 0)] = u8(cell)
        if cell < FACE_DOWN and kind_of(cell) >= 0:
            self.kinds[row] = self.kinds[row] | bit(kind_of(cell))

    def take(self, row: i64, side: i64) -> i64:
        """The card at an end, which leaves the row: its face."""
        cell = self.cell(row, side, 0)
        if side == LEFT:
            self.starts[row] = (self.starts[row] + 1) & _RING_MASK
        self.sizes[row] = self.sizes[row] - 1
        self.hide_kind(row, cell)
        return cell & FACE_MASK

    def turn_down(self, row: i64, side: i64, steps: i64) -> None:
        """Turn a card face down, if it is not."""
        place = self.cell_index(row, side, steps)
        cell = i64(self.cells[place])
        self.hide_kind(row, cell)
        self.cells[place] = u8(cell | FACE_DOWN)

    def hide_kind(self, row: i64, cell: i64) -> None:
        """This card shows in the row no longer. Of each kind only one shows: two would match."""
        if cell < FACE_DOWN and kind_of(cell) >= 0:
            self.kinds[row] = self.kinds[row] & ~bit(kind_of(cell))
