"""The formats of the news of Law of the Dice: the facts of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tabularium_engines.law_of_the_dice.actions import Card, Number, Seat, Slot, Suit


@dataclass(frozen=True)
class Dealt:
    """The seat is dealt cards."""

    kind: ClassVar = "dealt"
    count: int  #: the number of cards
    cards: tuple[Card, ...] | None = None  #: these cards; only the seat reads them


@dataclass(frozen=True)
class Turn:
    """The seat is on turn."""

    kind: ClassVar = "turn"


@dataclass(frozen=True)
class Drew:
    """The seat draws a card."""

    kind: ClassVar = "drew"
    card: Card | None = None  #: the card; only the seat reads it


@dataclass(frozen=True)
class Played:
    """The seat plays a card for its power or its die."""

    kind: ClassVar = "played"
    card: Card  #: the card


@dataclass(frozen=True)
class Enacted:
    """The seat puts a card into a slot as a law."""

    kind: ClassVar = "enacted"
    card: Card  #: the card
    slot: Slot  #: the slot
    number: Number  #: the number of the slot
    old: Card | None  #: the law that is discarded; null if the slot was empty


@dataclass(frozen=True)
class Numbered:
    """The seat spends a dice card to give a slot a number."""

    kind: ClassVar = "numbered"
    card: Card  #: the dice card
    slot: Slot  #: the slot
    number: Number  #: its number from now on


@dataclass(frozen=True)
class Shifted:
    """The seat raises or lowers the number of a slot."""

    kind: ClassVar = "shifted"
    slot: Slot  #: the slot
    number: Number  #: its number from now on


@dataclass(frozen=True)
class SwappedNumbers:
    """The seat swaps the numbers of two slots."""

    kind: ClassVar = "swapped_numbers"
    slot: Slot  #: one slot
    other: Slot  #: the other slot


@dataclass(frozen=True)
class Stole:
    """The seat steals a card."""

    kind: ClassVar = "stole"
    from_: Seat  #: whose card it was
    card: Card | None = None  #: the card; only these two seats read it


@dataclass(frozen=True)
class Discarded:
    """The seat discards a card."""

    kind: ClassVar = "discarded"
    card: Card  #: the card


@dataclass(frozen=True)
class Swapped:
    """The seat swaps a card with another player."""

    kind: ClassVar = "swapped"
    with_: Seat  #: the other player
    gave: Card | None = None  #: the card that the seat gives; only these two seats read it
    got: Card | None = None  #: the card that the seat gets; only these two seats read it


@dataclass(frozen=True)
class TookDiscard:
    """The seat takes a card from the discard pile."""

    kind: ClassVar = "took_discard"
    card: Card  #: the card


@dataclass(frozen=True)
class Rolled:
    """The seat rolls a die."""

    kind: ClassVar = "rolled"
    die: int  #: the number of its sides
    number: Number  #: the number that comes up


@dataclass(frozen=True)
class Triggered:
    """A law of the seat is applied."""

    kind: ClassVar = "triggered"
    slot: Slot  #: the slot of the law
    card: Card  #: the law


@dataclass(frozen=True)
class Fizzled:
    """The seat cannot apply the effect of a card."""

    kind: ClassVar = "fizzled"


@dataclass(frozen=True)
class Declined:
    """The seat does not roll the die of a card."""

    kind: ClassVar = "declined"


@dataclass(frozen=True)
class Called:
    """The seat calls a count: all other players have one more turn."""

    kind: ClassVar = "called"


@dataclass(frozen=True)
class Voted:
    """The seat votes for the suit to be counted."""

    kind: ClassVar = "voted"
    suit: Suit | None = None  #: the suit; only the seat reads it


@dataclass(frozen=True)
class VotesOpened:
    """All have voted, and the votes are opened."""

    kind: ClassVar = "votes_opened"
    suits: tuple[Suit, ...]  #: by seat: the vote


@dataclass(frozen=True)
class Decided:
    """The seat decides between tied suits."""

    kind: ClassVar = "decided"
    suit: Suit  #: the suit that is counted


@dataclass(frozen=True)
class SuitRolled:
    """The seat rolls for the suit to be counted."""

    kind: ClassVar = "suit_rolled"
    number: Number  #: the number that comes up, 1 to 4
    suit: Suit  #: the suit of this number


@dataclass(frozen=True)
class Exhausted:
    """The seat finds the draw pile empty: a count takes place at once."""

    kind: ClassVar = "exhausted"


@dataclass(frozen=True)
class Counted:
    """The cards of a suit are counted."""

    kind: ClassVar = "counted"
    suit: Suit  #: the suit
    counted: tuple[int, ...]  #: by seat: the number of cards of this suit
    winners: tuple[Seat, ...]  #: the seats that get a point
    points: tuple[int, ...]  #: by seat: the points after it
    #: by seat: the cards in hand; missing where hands are not counted
    hands: tuple[tuple[Card, ...], ...] | None = None


@dataclass(frozen=True)
class LegOver:
    """The first leg is over; the seat begins the second."""

    kind: ClassVar = "leg_over"
    leg: int  #: the leg that is over
    points: tuple[int, ...]  #: by seat: the points in this leg
    to: tuple[Seat, ...]  #: the seats that have most of them


FORMATS = (
    *(Dealt, Turn, Drew, Played, Enacted, Numbered, Shifted, SwappedNumbers, Stole, Discarded),
    *(Swapped, TookDiscard, Rolled, Triggered, Fizzled, Declined, Called, Voted, VotesOpened),
    *(Decided, SuitRolled, Exhausted, Counted),
)
SECOND_FORMATS = (*FORMATS, LegOver)
