"""What a player of Duel-Edged Sword can decide: where the card goes that was drawn.

The order in `ACTIONS` is that of the numbers in `tasks.py`, and the fields are in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from games.engines.common.codec import Between, OneOf
from games.engines.duel_edged_sword.cards import CODES

Card = Annotated[str, OneOf(CODES)]
Row = Annotated[int, Between(1, 4)]
Side = Literal["left", "right"]


@dataclass(frozen=True)
class Place:
    """Lay your card at an end of a row that has cards."""

    kind: ClassVar = "place"
    row: Row
    side: Side


@dataclass(frozen=True)
class OpenRow:
    """Lay your card into an empty row."""

    kind: ClassVar = "open_row"
    row: Row


ACTIONS = (Place, OpenRow)
