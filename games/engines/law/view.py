"""What one may know of a table, and which tables would look exactly like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.engines.law.actions import Card, Duty
from games.engines.law.options import Options

Ending = Literal["", "laws", "straight_flush", "impossible", "stalemate", "too_long"]
Shape = Literal["kind", "straight", "flush", "straight_flush"]


@dataclass(frozen=True)
class Law:
    """A collected card; `bound` is the only player whom it binds, if there is one."""

    card: Card
    bound: int | None


@dataclass(frozen=True)
class Known:
    """Cards of which the viewer is sure that `seat` holds them."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Bill:
    """A Bill of which some cards are still to be laid."""

    shape: Shape
    lowest: int  # the next place of a straight: 0 is the low ace, 13 the high one; else the rank
    suit: int  # as a number: the first of its class
    cards: int  # to be laid yet
    hearts: int  # how many of these must be Hearts at least


@dataclass(frozen=True)
class Task:
    """Something the table still has to do; the last in the agenda comes first."""

    kind: str
    seat: int
    number: int = 0
    other: int | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Trigger:
    """A card that has set off Laws which wait for their turn."""

    seat: int
    laws: tuple[Card, ...]


@dataclass(frozen=True)
class Fired:
    """A Law that one card has set off, and cannot again before the chain ends."""

    law: Card
    card: Card


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does. Where a card is None, one
    lies there that the viewer does not know."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
    actor: int  # whose action the table works on, or worked on last
    takes: int  # cards still to be taken at the start of the turn
    discards: int | None  # still to be discarded at its end; None before that has begun
    duties: tuple[Duty, ...]  # what else is owed at the end of the turn; empty before
    stolen: bool  # has the player on turn revealed a hand this turn?
    asked: int  # how often the player on turn has asked
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[Known, ...]
    laws: tuple[tuple[Law, ...], ...]  # by seat
    raised: tuple[int, ...]  # by seat: how many Laws more events have asked for
    needed: tuple[int, ...]  # by seat: how many Laws win, all considered
    draw_pile: int  # how many cards, the following included
    draw_top: tuple[Card | None, ...]  # those whose places are fixed, the top last
    draw_known: tuple[Card, ...]  # those of which the viewer is sure that they are in the rest
    discard_piles: tuple[tuple[Card | None, ...], ...]  # each with the top last
    face_down: bool  # do the discard piles show this viewer their backs?
    face_up: bool  # does the draw pile show this viewer its top card?
    trash: tuple[Card, ...]
    removed: tuple[Card, ...]
    agenda: tuple[Task, ...]
    bill: Bill | None
    chosen: tuple[Card, ...]  # the viewer's own sealed choice so far
    chosen_sizes: tuple[int, ...]  # by seat
    triggers: tuple[Trigger, ...]  # the next first
    fired: tuple[Fired, ...]
    happened: tuple[Card, ...]  # events that cannot happen again before the chain ends
    contributed: bool  # has everybody contributed to the draw pile in this chain?
    quiet: int  # turns since the last collection
    decisions: int
    winners: tuple[int, ...]
    ending: Ending

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hand_sizes)
