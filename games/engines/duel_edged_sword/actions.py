"""What a player of Duel-Edged Sword can decide: where the card goes that was drawn.

The sort of the card is named so that a decision says all by itself what it is about, in the log and
to those who search: the same place is another decision with another card. Completes are one sort.

The order in `ACTIONS` is that of the numbers in `tasks.py`, and the fields are in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from games.engines.common.codec import Between, OneOf
from games.engines.duel_edged_sword.cards import CARD_CODES, SORT_CODES

Card = Annotated[str, OneOf(CARD_CODES)]
Sort = Annotated[str, OneOf(SORT_CODES)]
Row = Annotated[int, Between(1, 4)]
Side = Literal["left", "right"]


@dataclass(frozen=True)
class Place:
    """Lay your card, which is of that sort, at an end of a row that has cards."""

    kind: ClassVar = "place"
    card: Sort
    row: Row
    side: Side


@dataclass(frozen=True)
class OpenRow:
    """Lay your card, which is of that sort, into an empty row."""

    kind: ClassVar = "open_row"
    card: Sort
    row: Row


ACTIONS = (Place, OpenRow)
