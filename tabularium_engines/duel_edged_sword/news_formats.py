"""The formats of the news of Duel-Edged Sword: the facts of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tabularium_engines.duel_edged_sword.actions import Card, Row, Side
from tabularium_engines.duel_edged_sword.game_options import Mode


@dataclass(frozen=True)
class Dealt:
    """A round is dealt, which the seat leads."""

    kind: ClassVar = "dealt"
    round: int  #: the number of the round, from 1
    rows: tuple[tuple[Card, ...], ...]  #: by row: the cards, from left to right
    skipped: tuple[Card, ...]  #: the cards that could not be laid and went back into the deck


@dataclass(frozen=True)
class Flipped:
    """The card that decides the mode of the round is flipped."""

    kind: ClassVar = "flipped"
    card: Card  #: the card
    mode: Mode  #: the mode of the round


@dataclass(frozen=True)
class Drew:
    """The seat draws a card."""

    kind: ClassVar = "drew"
    card: Card | None = None  #: the card; only the seat reads it


@dataclass(frozen=True)
class Placed:
    """The seat lays the drawn card at an end of a row."""

    kind: ClassVar = "placed"
    card: Card  #: the card
    row: Row  #: the row
    side: Side  #: the end of the row


@dataclass(frozen=True)
class Opened:
    """The seat lays the drawn card into an empty row."""

    kind: ClassVar = "opened"
    card: Card  #: the card
    row: Row  #: the row


@dataclass(frozen=True)
class Collected:
    """The seat collects cards from a row."""

    kind: ClassVar = "collected"
    row: Row  #: the row
    cards: tuple[Card, ...]  #: the cards


@dataclass(frozen=True)
class Turned:
    """Cards of a row are turned face down."""

    kind: ClassVar = "turned"
    row: Row  #: the row
    cards: tuple[Card, ...]  #: the cards


@dataclass(frozen=True)
class Out:
    """The seat has three of a kind and is out of the round."""

    kind: ClassVar = "out"


@dataclass(frozen=True)
class Cut:
    """The seat has four of a kind: it is out of the round and gets no points from it."""

    kind: ClassVar = "cut"


@dataclass(frozen=True)
class Bust:
    """The seat draws a card that fits nowhere, and gets no points from the round."""

    kind: ClassVar = "bust"
    card: Card  #: the card


@dataclass(frozen=True)
class Scored:
    """A round is over."""

    kind: ClassVar = "scored"
    round: int  #: the number of the round, from 1
    mode: Mode  #: the mode of the round
    sought: int  #: the Completes that a challenge seeks; 0 if the round is none
    points: tuple[int, ...]  #: by seat: the points of the round
    kept: tuple[int, ...]  #: by seat: the number of Completes that count


@dataclass(frozen=True)
class Revealed:
    """The cards that were set aside are shown at the end of a challenge."""

    kind: ClassVar = "revealed"
    cards: tuple[Card, ...]  #: these cards


FORMATS = (Dealt, Flipped, Drew, Placed, Opened, Collected, Turned, Out, Cut, Bust, Scored)
SECOND_FORMATS = (*FORMATS, Revealed)
