"""The actions of Law of the Dice, one small decision each.

`ACTIONS` and the fields of each are in the order of the numbers in `action_numbers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.common.playing_cards import CARD_CODES

Card = Annotated[str, OneOf(CARD_CODES)]
Suit = Literal["spades", "hearts", "diamonds", "clubs"]
Seat = Annotated[int, Between(0, 5)]
Slot = Annotated[int, Between(1, 3)]
Number = Annotated[int, Between(1, 20)]


@dataclass(frozen=True)
class Play:
    """Discard a card from the hand and use its power or roll its die."""

    kind: ClassVar = "play"
    card: Card  #: the card


@dataclass(frozen=True)
class Enact:
    """Put a card from the hand into a slot as a law; an older law there is discarded."""

    kind: ClassVar = "enact"
    card: Card  #: the card
    slot: Slot  #: the slot, from 1 to 3


@dataclass(frozen=True)
class PutNumber:
    """Spend a dice card to give a slot the die's highest number, or the nearest free one."""

    kind: ClassVar = "put_number"
    card: Card  #: the dice card
    slot: Slot  #: the slot, from 1 to 3
    number: Number  #: the number that the slot gets


@dataclass(frozen=True)
class Draw:
    """Draw a card instead of using one."""

    kind: ClassVar = "draw"


@dataclass(frozen=True)
class CallCount:
    """End the turn and call a count, which takes place after one more turn of each other player."""

    kind: ClassVar = "call_count"


@dataclass(frozen=True)
class EndTurn:
    """End the turn without calling a count."""

    kind: ClassVar = "end_turn"


@dataclass(frozen=True)
class Target:
    """Aim a four, a six or an eight at another player."""

    kind: ClassVar = "target"
    seat: Seat  #: the player aimed at


@dataclass(frozen=True)
class ShiftNumber:
    """Raise or lower the number of one of your slots by 1, to `number`."""

    kind: ClassVar = "shift_number"
    slot: Slot  #: the slot, from 1 to 3
    number: Number  #: its new number


@dataclass(frozen=True)
class SwapNumbers:
    """Swap the numbers of two of your slots, the lower slot named first."""

    kind: ClassVar = "swap_numbers"
    slot: Slot  #: the lower slot
    other: Slot  #: the other slot


@dataclass(frozen=True)
class Discard:
    """Give up a card because a six was aimed at you."""

    kind: ClassVar = "discard"
    card: Card  #: the card


@dataclass(frozen=True)
class Give:
    """Name the card that you give away with an eight."""

    kind: ClassVar = "give"
    card: Card  #: the card


@dataclass(frozen=True)
class Roll:
    """Roll the die of your triggered law."""

    kind: ClassVar = "roll"


@dataclass(frozen=True)
class Decline:
    """Do not roll the die of your triggered law."""

    kind: ClassVar = "decline"


@dataclass(frozen=True)
class Vote:
    """Vote, sealed, for the suit to be counted."""

    kind: ClassVar = "vote"
    suit: Suit  #: the suit


@dataclass(frozen=True)
class Decide:
    """Settle a tied vote with the caller's last word."""

    kind: ClassVar = "decide"
    suit: Suit  #: the suit


ACTIONS = (
    *(Play, Enact, PutNumber, Draw, CallCount, EndTurn, Target, ShiftNumber, SwapNumbers),
    *(Discard, Give, Roll, Decline, Vote, Decide),
)
SAID = (CallCount, EndTurn, Decline, Vote)
