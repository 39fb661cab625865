"""The actions of a player of Law, one small decision at a time.

The order in `ACTIONS` is that of the numbers in `action_numbers.py`, and the fields are in the same
order. A pile is 0 for the draw pile, or 1 to 4 for a discard pile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.common.playing_cards import CARD_CODES, RANK_SIGNS

STRAIGHT_STARTS = ("A", *RANK_SIGNS[:-1])  # where a straight can begin: the ace is low there

Card = Annotated[str, OneOf(CARD_CODES)]
Rank = Annotated[str, OneOf(RANK_SIGNS)]
Lowest = Annotated[str, OneOf(STRAIGHT_STARTS)]
Suit = Literal["spades", "hearts", "diamonds", "clubs"]
Seat = Annotated[int, Between(0, 3)]
Pile = Annotated[int, Between(0, 4)]
Duty = Literal["pass_right", "pass_left", "swap_left", "swap_right", "discard_down"]


@dataclass(frozen=True)
class Take:
    """Take the top card of a pile, as owed at the start of your turn."""

    kind: ClassVar = "take"
    pile: Pile  #: the pile: 0 is the draw pile


@dataclass(frozen=True)
class Discard:
    """Put a card from your hand on a discard pile, or on the draw pile if a Law allows it."""

    kind: ClassVar = "discard"
    card: Card  #: the card
    pile: Pile  #: the pile: 0 is the draw pile


@dataclass(frozen=True)
class Attend:
    """Perform next a duty that a Law imposes at the end of your turn."""

    kind: ClassVar = "attend"
    duty: Duty  #: the duty


@dataclass(frozen=True)
class EndTurn:
    """End a turn in which you owe nothing more."""

    kind: ClassVar = "end_turn"


@dataclass(frozen=True)
class Reveal:
    """Make a player show you their hand, to steal from it."""

    kind: ClassVar = "reveal"
    seat: Seat  #: the player


@dataclass(frozen=True)
class Ask:
    """Ask a player for one exact card, which is yours if they hold it."""

    kind: ClassVar = "ask"
    seat: Seat  #: the player
    card: Card  #: the card


@dataclass(frozen=True)
class KindBill:
    """Propose a Bill of cards of one rank."""

    kind: ClassVar = "bill_kind"
    rank: Rank  #: the rank


@dataclass(frozen=True)
class StraightBill:
    """Propose a Bill of neighbouring ranks, beginning with `lowest` (A: a low ace)."""

    kind: ClassVar = "bill_straight"
    lowest: Lowest  #: the lowest rank; A: a low ace


@dataclass(frozen=True)
class FlushBill:
    """Propose a Bill of cards of one suit; of suits that are the same, name the first."""

    kind: ClassVar = "bill_flush"
    suit: Suit  #: the suit


@dataclass(frozen=True)
class StraightFlush:
    """Show a straight in one suit, which wins the game where a Law says so."""

    kind: ClassVar = "straight_flush"
    lowest: Lowest  #: the lowest rank; A: a low ace
    suit: Suit  #: the suit


@dataclass(frozen=True)
class Trade:
    """Discard some cards to draw fewer, as a Law allows."""

    kind: ClassVar = "trade"


@dataclass(frozen=True)
class Top:
    """Out of turn, play the next rank on top of a discard pile, and draw."""

    kind: ClassVar = "top"
    card: Card  #: the card
    pile: Pile  #: the discard pile, from 1


@dataclass(frozen=True)
class Lay:
    """Lay the next card of your Bill."""

    kind: ClassVar = "lay"
    card: Card  #: the card


@dataclass(frozen=True)
class Collect:
    """Collect the top card of a pile as a Law."""

    kind: ClassVar = "collect"
    pile: Pile  #: the pile: 0 is the draw pile


@dataclass(frozen=True)
class Choose:
    """Choose a card from a hand: to pass, to swap, to contribute, to collect or to steal."""

    kind: ClassVar = "choose"
    card: Card  #: the card


@dataclass(frozen=True)
class ChooseLaw:
    """Choose a collected Law."""

    kind: ClassVar = "choose_law"
    card: Card  #: the Law


@dataclass(frozen=True)
class ChooseSeat:
    """Choose a player."""

    kind: ClassVar = "choose_seat"
    seat: Seat  #: the player


@dataclass(frozen=True)
class Apply:
    """Choose which of several Laws set off by one card comes next."""

    kind: ClassVar = "apply"
    card: Card  #: the Law


ACTIONS = (
    *(Take, Discard, Attend, EndTurn, Reveal, Ask),
    *(KindBill, StraightBill, FlushBill, StraightFlush, Trade, Top),
    *(Lay, Collect, Choose, ChooseLaw, ChooseSeat, Apply),
)
# Laws can make a Bill of cards that have neither its rank nor its suit
SAID = (Attend, EndTurn, Ask, Trade, KindBill, StraightBill, FlushBill, StraightFlush)
