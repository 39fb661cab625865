"""Actions encoded as integers for the rules: the kind in the lowest eight bits, then one field in
each following eight."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

REPLACE: Final[i64] = 0  # card, turned, row - 1, column + 51
PLAY: Final[i64] = 1  # the same fields
PASS: Final[i64] = 2


def encode_action(kind: i64, tile: i64, place: i64) -> i64:
    """The number of the action that puts a tile on a place."""
    card, turned, row, column = tile >> 1, tile & 1, place & 7, (place >> 3) - 1
    return kind | (card << 8) | (turned << 16) | (row << 24) | (column << 32)


def tile_in(code: i64) -> i64:
    """The tile that an action puts down."""
    return ((code >> 8) & 0xFF) << 1 | ((code >> 16) & 1)


def place_in(code: i64) -> i64:
    """The place where an action puts its tile."""
    return ((code >> 32) + 1) << 3 | ((code >> 24) & 0xFF)
