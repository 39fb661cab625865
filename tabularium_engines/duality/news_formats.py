"""The formats of the news of Duality: the facts of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tabularium_engines.common.json_codec import Between
from tabularium_engines.duality.actions import Card, Column, Row
from tabularium_engines.duality.game_logic import Ending

Seat = Annotated[int, Between(0, 1)]


@dataclass(frozen=True)
class Dealt:
    """The seat is dealt cards."""

    kind: ClassVar = "dealt"
    count: int  #: the number of cards
    cards: tuple[Card, ...] | None = None  #: these cards; only the seat reads them


@dataclass(frozen=True)
class Begins:
    """The seat begins."""

    kind: ClassVar = "begins"


@dataclass(frozen=True)
class Played:
    """The seat plays a new card."""

    kind: ClassVar = "played"
    card: Card  #: the card
    turned: bool  #: whether it lies turned by half
    row: Row  #: the row, from Black's home
    column: Column  #: the column, from the file


@dataclass(frozen=True)
class Replaced:
    """The seat swaps a card from the hand for one on the board."""

    kind: ClassVar = "replaced"
    card: Card  #: the card that is laid
    turned: bool  #: whether it lies turned by half
    row: Row  #: the row, from Black's home
    column: Column  #: the column, from the file
    taken: Card  #: the card that goes into the hand


@dataclass(frozen=True)
class Drew:
    """The seat draws a card."""

    kind: ClassVar = "drew"
    card: Card | None = None  #: the card; only the seat reads it


@dataclass(frozen=True)
class Passed:
    """The seat has no play and passes."""

    kind: ClassVar = "passed"


@dataclass(frozen=True)
class Ended:
    """The game is over."""

    kind: ClassVar = "ended"
    how: Ending  #: how it ended
    winner: Seat | None  #: the seat that wins; null: both share the victory


@dataclass(frozen=True)
class Opened:
    """The seat opens its hand at the end."""

    kind: ClassVar = "opened"
    cards: tuple[Card, ...]  #: the cards that it still holds


FORMATS = (Dealt, Begins, Played, Replaced, Drew, Passed, Ended, Opened)
