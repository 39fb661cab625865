"""The formats of the news of Duel of Law: the facts of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.duel_of_law.actions import (
    Card,
    Column,
    Direction,
    Feature,
    Pattern,
    Row,
    SecondPattern,
    SecondValue,
    Value,
)
from tabularium_engines.duel_of_law.view import Axis, Ending

Seat = Annotated[int, Between(0, 3)]
FIRST_STEPS = ("placed", "named", "claimed", "left", "went_on", "stopped", "took_back")
Step = Annotated[str, OneOf(FIRST_STEPS)]
SecondStep = Annotated[str, OneOf((*FIRST_STEPS, "undid"))]


@dataclass(frozen=True)
class ToldClause:
    """One part of a law."""

    feature: Feature  #: the feature of the cards
    pattern: Pattern  #: the pattern that it follows
    value: Value  #: the value of the pattern; empty if it needs none
    direction: Direction  #: the direction in which the line is read


@dataclass(frozen=True)
class SecondToldClause(ToldClause):
    """One part of a law."""

    pattern: SecondPattern  #: the pattern that it follows
    value: SecondValue  #: the value of the pattern; empty if it needs none


@dataclass(frozen=True)
class Began:
    """The seat begins, with one card on the table."""

    kind: ClassVar = "began"
    card: Card  #: the card
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0


@dataclass(frozen=True)
class Drew:
    """The seat draws cards."""

    kind: ClassVar = "drew"
    count: int  #: the number of cards
    cards: tuple[Card, ...] | None = None  #: these cards; only the seat reads them


@dataclass(frozen=True)
class Tried:
    """A step of a turn that is not over; only the seat on turn reads which."""

    kind: ClassVar = "tried"
    did: Step | None = None  #: the step
    card: Card | None = None  #: the card that is laid, or the joker that is fixed
    row: Row | None = None  #: the row of the card that is laid
    column: Column | None = None  #: the column of the card that is laid
    clause: ToldClause | None = None  #: the clause that is claimed, or that fixes the joker


@dataclass(frozen=True)
class SecondTried(Tried):
    """A step of a turn that is not over; only the seat on turn reads which."""

    did: SecondStep | None = None  #: the step
    clause: SecondToldClause | None = None  #: the clause that is claimed, or that fixes the joker


@dataclass(frozen=True)
class Laid:
    """The seat has laid a card in the turn that is over."""

    kind: ClassVar = "laid"
    card: Card  #: the card
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0


@dataclass(frozen=True)
class Bridged:
    """The seat has joined branches in one line."""

    kind: ClassVar = "bridged"
    axis: Axis  #: whether the line is a row or a column
    row: Row  #: the row of its first card
    column: Column  #: the column of its first card
    size: int  #: the number of its cards
    branches: int  #: the number of branches that it joins


@dataclass(frozen=True)
class Claimed:
    """The seat has claimed a line without an owner."""

    kind: ClassVar = "claimed"
    axis: Axis  #: whether the line is a row or a column
    row: Row  #: the row of its first card
    column: Column  #: the column of its first card
    size: int  #: the number of its cards
    clause: ToldClause  #: the clause
    level: int  #: the number of clauses of its law


@dataclass(frozen=True)
class SecondClaimed(Claimed):
    """The seat has claimed a line without an owner."""

    clause: SecondToldClause  #: the clause


@dataclass(frozen=True)
class Duelled:
    """The seat has taken a branch from its owner."""

    kind: ClassVar = "duelled"
    axis: Axis  #: whether the line is a row or a column
    row: Row  #: the row of its first card
    column: Column  #: the column of its first card
    size: int  #: the number of its cards
    clause: ToldClause  #: the clause that is added to its law
    level: int  #: the number of clauses of its law
    owner: Seat  #: the owner before


@dataclass(frozen=True)
class SecondDuelled(Duelled):
    """The seat has taken a branch from its owner."""

    clause: SecondToldClause  #: the clause that is added to its law


@dataclass(frozen=True)
class Became:
    """A joker is fixed, in one respect or several."""

    kind: ClassVar = "became"
    card: Card  #: the joker
    clauses: tuple[ToldClause, ...]  #: the joker as it is now


@dataclass(frozen=True)
class SecondBecame(Became):
    """A joker is fixed, in one respect or several."""

    clauses: tuple[SecondToldClause, ...]  #: the joker as it is now


@dataclass(frozen=True)
class Opened:
    """The seat has no cards left: the game can be won from now on."""

    kind: ClassVar = "opened"


@dataclass(frozen=True)
class Passed:
    """The seat passes."""

    kind: ClassVar = "passed"


@dataclass(frozen=True)
class Ended:
    """The game is over."""

    kind: ClassVar = "ended"
    how: Ending  #: how it ended
    winners: tuple[Seat, ...]  #: the seats that win


FORMATS = (Began, Drew, Tried, Laid, Bridged, Claimed, Duelled, Became, Opened, Passed, Ended)
SECOND_FORMATS = (
    *(Began, Drew, SecondTried, Laid, Bridged, SecondClaimed, SecondDuelled, SecondBecame),
    *(Opened, Passed, Ended),
)
