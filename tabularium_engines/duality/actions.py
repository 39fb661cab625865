"""The actions of Duality: replace a card, play a card or, if neither is possible, pass.

`ACTIONS` and the fields of each are in the order of the numbers in `action_numbers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.duality.cards import CARD_CODES

Card = Annotated[str, OneOf(CARD_CODES)]
Row = Annotated[int, Between(1, 7)]  # 1 is Black's home row
Column = Annotated[int, Between(-51, 51)]  # 0 is the file; negative is to the left as Black sees it


@dataclass(frozen=True)
class Placement:
    """A card from the hand, and the place where it is put."""

    card: Card  #: the card
    turned: bool  #: by half, relative to the list of cards
    row: Row  #: the row, from Black's home
    column: Column  #: the column, from the file


@dataclass(frozen=True)
class Replace(Placement):
    """Swap a card from the hand for one on the board, which goes into the hand."""

    kind: ClassVar = "replace"


@dataclass(frozen=True)
class Play(Placement):
    """Put a card from the hand on an empty place and draw a card."""

    kind: ClassVar = "play"


@dataclass(frozen=True)
class Pass:
    """Do nothing; legal only if no other action is."""

    kind: ClassVar = "pass"


ACTIONS = (Replace, Play, Pass)
