"""The actions of Duel-Edged Sword: where the drawn card goes.

An action names the sort of the card, so that it is self-contained in the log and in a search: the
same place with another card is another action. All Completes are one sort.

`ACTIONS` and the fields of each are in the order of the numbers in `action_numbers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, SORT_CODES

Card = Annotated[str, OneOf(CARD_CODES)]
Sort = Annotated[str, OneOf(SORT_CODES)]
Row = Annotated[int, Between(1, 4)]
Side = Literal["left", "right"]


@dataclass(frozen=True)
class Place:
    """Lay your card, of that sort, at an end of a row that has cards."""

    kind: ClassVar = "place"
    card: Sort  #: the sort of your card
    row: Row  #: the row, from 1 to 4
    side: Side  #: the end of the row


@dataclass(frozen=True)
class OpenRow:
    """Lay your card, of that sort, into an empty row."""

    kind: ClassVar = "open_row"
    card: Sort  #: the sort of your card
    row: Row  #: the empty row, from 1 to 4


ACTIONS = (Place, OpenRow)
