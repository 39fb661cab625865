"""What a player of Duality can decide: one of two things a turn.

The order in `ACTIONS` is that of the numbers in `tasks.py`, and the fields are in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from games.engines.common.codec import Between, OneOf
from games.engines.duality.cards import CARD_CODES

Card = Annotated[str, OneOf(CARD_CODES)]
Row = Annotated[int, Between(1, 7)]  # from Black's home
Column = Annotated[int, Between(-51, 51)]  # 0 is the file; further left, as Black sees it, is less


@dataclass(frozen=True)
class Replace:
    """Put a card from the hand in the place of one on the board, and take that into the hand."""

    kind: ClassVar = "replace"
    card: Card
    turned: bool  # by half, against the way in which it stands in the list of cards
    row: Row
    column: Column


@dataclass(frozen=True)
class Play:
    """Put a card from the hand on an empty place, and draw a card."""

    kind: ClassVar = "play"
    card: Card
    turned: bool
    row: Row
    column: Column


@dataclass(frozen=True)
class Pass:
    """Do nothing, which only who can do nothing else may do."""

    kind: ClassVar = "pass"


ACTIONS = (Replace, Play, Pass)
