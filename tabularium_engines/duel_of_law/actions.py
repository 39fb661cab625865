"""The actions of a player of Duel of Law, one small decision at a time.

The order in `ACTIONS` is that of the numbers in `action_numbers.py`, and the fields are in the same
order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.laws import clause_codes as codes

Card = Annotated[str, OneOf(CARD_CODES)]
Row = Annotated[int, Between(-128, 127)]  # the first card lies in row 0, column 0
Column = Annotated[int, Between(-128, 127)]
Feature = Annotated[str, OneOf(codes.FEATURE_NAMES)]
Pattern = Annotated[str, OneOf(codes.FIRST_PATTERN_NAMES)]
Value = Annotated[str, OneOf(codes.FIRST_VALUE_NAMES)]
SecondPattern = Annotated[str, OneOf(codes.PATTERN_NAMES)]
SecondValue = Annotated[str, OneOf(codes.VALUE_NAMES)]
Direction = Annotated[str, OneOf(codes.DIRECTION_NAMES)]


@dataclass(frozen=True)
class Place:
    """Lay a card from your hand; no other player sees it before the turn is over."""

    kind: ClassVar = "place"
    card: Card  #: the card
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0


@dataclass(frozen=True)
class Name:
    """Fix a joker in one respect; otherwise laws determine it."""

    kind: ClassVar = "name"
    card: Card  #: the joker
    feature: Feature  #: the feature
    value: Value  #: its value


@dataclass(frozen=True)
class SecondName(Name):
    """Fix a joker in one respect; otherwise laws determine it."""

    value: SecondValue  #: the words are those of claims


@dataclass(frozen=True)
class More:
    """Lay another card in this turn."""

    kind: ClassVar = "more"


@dataclass(frozen=True)
class Finish:
    """Lay no more cards: claims come next, and then the turn is over."""

    kind: ClassVar = "finish"


@dataclass(frozen=True)
class Claim:
    """Add a clause to the law of the branch in question, and own the branch."""

    kind: ClassVar = "claim"
    feature: Feature  #: the feature of the cards
    pattern: Pattern  #: the pattern that it follows
    value: Value = ""  #: of a pattern that needs none
    direction: Direction = "forward"  #: the direction in which the line is read


@dataclass(frozen=True)
class SecondClaim(Claim):
    """Add a clause to the law of the branch in question, and own the branch."""

    pattern: SecondPattern  #: the pattern that it follows
    value: SecondValue = ""  #: the value of the pattern; empty if it needs none


@dataclass(frozen=True)
class SaidClaim:
    """Add the clause that a sentence says, such as "the numbers rise"."""

    kind: ClassVar = "claim"
    law: str  #: the sentence


@dataclass(frozen=True)
class Leave:
    """Leave the branch in question to its owner."""

    kind: ClassVar = "leave"


@dataclass(frozen=True)
class TakeBack:
    """Take back everything laid and claimed in this turn."""

    kind: ClassVar = "take_back"


@dataclass(frozen=True)
class DrawSix:
    """Draw six cards and lay none."""

    kind: ClassVar = "draw_six"


@dataclass(frozen=True)
class Pass:
    """Do nothing, now that there is no card to draw."""

    kind: ClassVar = "pass"


@dataclass(frozen=True)
class Undo:
    """Take back the last card that you laid in this turn."""

    kind: ClassVar = "undo"


ACTIONS = (Place, Name, More, Finish, Claim, Leave, TakeBack, DrawSix, Pass)
SECOND_ACTIONS = (
    *(Place, SecondName, More, Finish, SecondClaim),
    *(Leave, TakeBack, DrawSix, Pass, Undo),
)
SAID = (Name, More, Finish, Claim, Leave, TakeBack, DrawSix, Pass)
SECOND_SAID = (SecondName, More, Finish, SecondClaim, Leave, TakeBack, DrawSix, Pass, Undo)
FORMS = (SaidClaim,)
