"""Actions encoded as integers: the kind, the sort of the card, the row and the side."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# The kind is in the lowest eight bits, then one field in each following eight.
PLACE: Final[i64] = 0  # sort, row, side
OPEN_ROW: Final[i64] = 1  # sort, row


def encode_action(kind: i64, sort: i64, row: i64, side: i64) -> i64:
    """The number of an action that lays a card at an end of a row; an empty row is a left end."""
    return kind | (sort << 8) | (row << 16) | (side << 24)


def row_of(action: i64) -> i64:
    """The row that an action names."""
    return (action >> 16) & 0xFF


def side_of(action: i64) -> i64:
    """The side that an action names; LEFT for an empty row, where sides do not matter."""
    return (action >> 24) & 0xFF
