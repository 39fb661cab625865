"""The formats of the news of Law: the facts of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.common.playing_cards import RANK_SIGNS, SUIT_NAMES
from tabularium_engines.law.actions import Card, Pile, Seat, Suit
from tabularium_engines.law.view import Shape

AnyPile = Annotated[int, Between(-1, 4)]
RankOrSuit = Annotated[str, OneOf((*RANK_SIGNS, *SUIT_NAMES))]
Ending = Literal["laws", "straight_flush", "impossible", "stalemate", "too_long"]


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
    card: Card | None = None  #: the card; only those who see it read it


@dataclass(frozen=True)
class Took:
    """The seat takes a card from a discard pile."""

    kind: ClassVar = "took"
    pile: Pile  #: the pile
    card: Card | None = None  #: the card; only those who see it read it


@dataclass(frozen=True)
class Discarded:
    """The seat discards a card."""

    kind: ClassVar = "discarded"
    card: Card  #: the card
    pile: Pile  #: the pile: 0 is the draw pile


@dataclass(frozen=True)
class Topped:
    """The seat plays a card on top of a pile."""

    kind: ClassVar = "topped"
    card: Card  #: the card
    pile: Pile  #: the pile: 0 is the draw pile


@dataclass(frozen=True)
class Passed:
    """The seat passes a card to another player."""

    kind: ClassVar = "passed"
    to: Seat  #: the other player
    card: Card | None = None  #: the card; only those who see it read it


@dataclass(frozen=True)
class Stole:
    """The seat steals a card."""

    kind: ClassVar = "stole"
    from_: Seat  #: whose card it was
    card: Card | None = None  #: the card; only those who see it read it


@dataclass(frozen=True)
class Swapped:
    """The seat swaps cards with another player."""

    kind: ClassVar = "swapped"
    with_: Seat  #: the other player
    count: int  #: the number of cards that each gives
    gave: tuple[Card, ...] | None = None  #: the cards that the seat gives; only those who see them
    got: tuple[Card, ...] | None = None  #: the cards that the seat gets; only those who see them


@dataclass(frozen=True)
class Contributed:
    """The seat puts cards into the empty draw pile."""

    kind: ClassVar = "contributed"
    count: int  #: the number of cards
    cards: tuple[Card, ...] | None = None  #: these cards; only those who see them read them


@dataclass(frozen=True)
class Returned:
    """The seat gives Laws back to the deck."""

    kind: ClassVar = "returned"
    laws: tuple[Card, ...]  #: these Laws


@dataclass(frozen=True)
class HandsPassed:
    """The seat makes all hands go one seat to the left."""

    kind: ClassVar = "hands_passed"


@dataclass(frozen=True)
class HandsSwapped:
    """The seat makes two players swap hands."""

    kind: ClassVar = "hands_swapped"
    seats: tuple[Seat, Seat]  #: the two players


@dataclass(frozen=True)
class Revealed:
    """The seat looks at a hand."""

    kind: ClassVar = "revealed"
    of: Seat  #: whose hand it is
    cards: tuple[Card, ...] | None = None  #: its cards; only these two seats read them


@dataclass(frozen=True)
class Asked:
    """The seat asks another player for a card."""

    kind: ClassVar = "asked"
    of: Seat  #: the other player
    card: Card  #: the card
    found: bool  #: whether the other player has it, and gives it


@dataclass(frozen=True)
class Billed:
    """The seat proposes a Bill."""

    kind: ClassVar = "billed"
    shape: Shape  #: the kind of Bill
    of: RankOrSuit  #: its rank, or the lowest one; of a flush, its suit
    suit: Suit | None = None  #: the suit of a straight flush; missing of other Bills


@dataclass(frozen=True)
class Laid:
    """The seat lays cards of its Bill into the trash."""

    kind: ClassVar = "laid"
    cards: tuple[Card, ...]  #: the cards


@dataclass(frozen=True)
class Traded:
    """The seat discards some cards to draw fewer."""

    kind: ClassVar = "traded"
    discards: int  #: the number of cards to be discarded
    draws: int  #: the number of cards to be drawn


@dataclass(frozen=True)
class Collected:
    """The seat collects a card as a Law."""

    kind: ClassVar = "collected"
    card: Card  #: the card
    pile: AnyPile  #: the pile: 0 is the draw pile; -1: the seat's hand
    doubled: bool | None = None  #: true: the numbers of the Law count twice; else missing


@dataclass(frozen=True)
class Granted:
    """The seat gets the top card of the draw pile as a Law."""

    kind: ClassVar = "granted"
    card: Card  #: the card
    doubled: bool | None = None  #: true: the numbers of the Law count twice; else missing


@dataclass(frozen=True)
class Event:
    """The seat resolves an event."""

    kind: ClassVar = "event"
    card: Card  #: the card of the event


@dataclass(frozen=True)
class Applied:
    """A card of the seat sets off a Law."""

    kind: ClassVar = "applied"
    card: Card  #: the card
    law: Card  #: the Law
    doubled: bool | None = None  #: true: the numbers of the Law count twice; else missing


@dataclass(frozen=True)
class Aimed:
    """The seat chooses a player to discard."""

    kind: ClassVar = "aimed"
    at: Seat  #: who has to discard
    count: int  #: the number of cards


@dataclass(frozen=True)
class Raised:
    """All players need more Laws to win."""

    kind: ClassVar = "raised"
    by: int  #: how many more


@dataclass(frozen=True)
class Removed:
    """Threes and fours leave the game."""

    kind: ClassVar = "removed"
    cards: tuple[Card, ...]  #: these cards


@dataclass(frozen=True)
class ReplacedAll:
    """All Laws go to the trash, to be replaced."""

    kind: ClassVar = "replaced_all"


@dataclass(frozen=True)
class Replaced:
    """The seat sends a Law to the trash, to be replaced."""

    kind: ClassVar = "replaced"
    card: Card  #: the Law
    of: Seat  #: whose Law it was


@dataclass(frozen=True)
class Bound:
    """The seat binds a Law to one player."""

    kind: ClassVar = "bound"
    card: Card  #: the Law
    to: Seat  #: the only player that it binds from now on
    doubled: bool | None = None  #: true: the numbers of the Law count twice; else missing


@dataclass(frozen=True)
class Recycled:
    """A Law of the seat is shuffled into the draw pile."""

    kind: ClassVar = "recycled"
    card: Card  #: the Law


@dataclass(frozen=True)
class Replenished:
    """An empty discard pile begins with the top card of the draw pile."""

    kind: ClassVar = "replenished"
    pile: Pile  #: the discard pile
    card: Card | None = None  #: the card; only those who see it read it


@dataclass(frozen=True)
class Reshuffled:
    """The discards and the trash become the new draw pile."""

    kind: ClassVar = "reshuffled"
    count: int  #: the number of its cards


@dataclass(frozen=True)
class Nothing:
    """The seat cannot apply the effect of a card."""

    kind: ClassVar = "nothing"


@dataclass(frozen=True)
class Summary:
    """Many things have happened: how often each, before they are told one by one."""

    kind: ClassVar = "summary"
    #: by seat: how many cards it draws, discards and collects
    counts: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Over:
    """The game is over."""

    kind: ClassVar = "over"
    ending: Ending  #: how it ended
    winners: tuple[Seat, ...]  #: the seats that win


FORMATS = (
    *(Dealt, Turn, Drew, Took, Discarded, Topped, Passed, Stole, Swapped, Contributed, Returned),
    *(HandsPassed, HandsSwapped, Revealed, Asked, Billed, Laid, Traded, Collected, Granted, Event),
    *(Applied, Aimed, Raised, Removed, ReplacedAll, Replaced, Bound, Recycled, Replenished),
    *(Reshuffled, Nothing, Summary, Over),
)
