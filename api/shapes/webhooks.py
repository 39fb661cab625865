"""Shapes of webhooks, their deliveries, and the notices delivered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from api.shapes.forms import DeliveryId, Link, Url, WebAddress, WebhookId, WebhookSecret
from tabularium_log.forms import Count, GameId, SeatIndex, Seq, Time
from tabularium_log.projection.endings import Ending
from tabularium_log.projection.table_actions import Agreement

EventKind = Literal[
    "game.challenge",
    "game.declined",
    "game.started",
    "game.entry",
    "game.your_turn",
    "game.proposal",
    "game.over",
]


@dataclass(frozen=True)
class NewWebhook:
    """An address to be notified of events in your games from now on."""

    url: WebAddress  #: The address to which events are sent.
    #: The kinds of events.
    kinds: tuple[EventKind, ...] = ("game.started", "game.your_turn", "game.over")


@dataclass(frozen=True)
class WebhookChange:
    """Changes to a webhook. A member that is null stays as it is."""

    url: WebAddress | None = None  #: The address to which events are sent.
    kinds: tuple[EventKind, ...] | None = None  #: The kinds of events.
    is_enabled: bool | None = None  #: Whether it is delivered to.


@dataclass(frozen=True)
class WebhookView:
    """A webhook. `reason` says why it is disabled."""

    id: WebhookId  #: The id of the webhook.
    url: Url  #: The address to which events are sent.
    kinds: tuple[str, ...]  #: The kinds of events.
    is_enabled: bool  #: Whether it is delivered to.
    reason: str  #: Why it is disabled, in a sentence; empty if it is not.
    created: Time  #: The time of creation.
    old_secret_until: Time | None  #: The time until which the old secret signs, too; null if none.


@dataclass(frozen=True)
class MadeWebhook:
    """A webhook with its new `secret`, which is returned only this once. It is null if you had the
    webhook already: rotate it for another secret."""

    secret: WebhookSecret | None  #: The secret that signs; null if you had it.
    webhook: WebhookView  #: The webhook.


@dataclass(frozen=True)
class WebhookList:
    """All webhooks of an account."""

    items: tuple[WebhookView, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


@dataclass(frozen=True)
class DeliveryView:
    """A delivery: its body as it is sent, and the outcome of the last attempt. `id` is its
    `webhook-id`."""

    id: DeliveryId  #: The id of the delivery, also its `webhook-id`.
    kind: str  #: The kind of the event.
    body: str  #: The body as it is sent.
    state: Literal["waiting", "delivered", "failed"]  #: The state.
    attempts: Count  #: The number of attempts so far.
    created: Time  #: The time of creation.
    next_attempt: Time | None  #: The time of the next attempt; null if there is none.
    last_attempt: Time | None  #: The time of the last attempt; null before the first.
    status: int | None  #: The HTTP status of your server's answer; null if none.
    duration_ms: Count | None  #: The duration of the last attempt, in milliseconds.
    answer: str  #: The start of the body of your server's answer.
    error: str  #: The error of the last attempt; empty if there was none.


@dataclass(frozen=True)
class DeliveryList:
    """A page of deliveries, newest first."""

    items: tuple[DeliveryView, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


# -- notices --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NoticeLinks:
    """Links to the details, on this server."""

    game: Link  #: The game.
    log: Link  #: The log.
    choice: Link  #: The choice that is open for you.


@dataclass(frozen=True)
class GameFacts:
    """A game, and the entry of the event."""

    game: GameId
    seq: Seq
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class EntryFacts:
    """A game, its last entry, and the entry after which the new ones begin."""

    game: GameId
    seq: Seq
    after: Count  #: The entry after which the new ones begin.
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class TurnFacts:
    """A game that waits for one of your seats, and the entry since which it waits."""

    game: GameId
    seq: Seq
    seat: SeatIndex
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class ProposalFacts:
    """A game with an open proposal, one of your seats that it asks, and the entry that made it."""

    game: GameId
    seq: Seq
    seat: SeatIndex
    of: Agreement  #: The matter of the proposal.
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class OverFacts:
    """A game that is over, its last entry, and how it came to its end."""

    game: GameId
    seq: Seq
    ending: Ending  #: How the game came to its end: see `docs/tables.md`; null before.
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class PingFacts:
    """The webhook that was pinged."""

    webhook: WebhookId  #: The id of the webhook.


@dataclass(frozen=True)
class ChallengeFacts:
    """A game with a seat that waits for you, and its last entry."""

    game: GameId
    seq: Seq
    seat: SeatIndex
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class GameChallenge:
    """You are challenged: a seat of a new game waits for you."""

    timestamp: Time  #: The time of the event.
    data: ChallengeFacts  #: The facts of the event.
    type: Literal["game.challenge"] = "game.challenge"


@dataclass(frozen=True)
class DeclinedFacts:
    """A game with a seat that is at your disposal, and its last entry."""

    game: GameId
    seq: Seq
    seat: SeatIndex
    links: NoticeLinks  #: Its links.


@dataclass(frozen=True)
class GameDeclined:
    """A challenge of yours was declined: its seat is at your disposal."""

    timestamp: Time  #: The time of the event.
    data: DeclinedFacts  #: The facts of the event.
    type: Literal["game.declined"] = "game.declined"


@dataclass(frozen=True)
class GameStarted:
    """A game of yours has started."""

    timestamp: Time  #: The time of the event.
    data: GameFacts  #: The facts of the event.
    type: Literal["game.started"] = "game.started"


@dataclass(frozen=True)
class GameEntry:
    """A game of yours has new entries."""

    timestamp: Time  #: The time of the event.
    data: EntryFacts  #: The facts of the event.
    type: Literal["game.entry"] = "game.entry"


@dataclass(frozen=True)
class GameYourTurn:
    """A game waits for one of your seats."""

    timestamp: Time  #: The time of the event.
    data: TurnFacts  #: The facts of the event.
    type: Literal["game.your_turn"] = "game.your_turn"


@dataclass(frozen=True)
class GameProposal:
    """A player proposes something that needs the consent of one of your seats."""

    timestamp: Time  #: The time of the event.
    data: ProposalFacts  #: The facts of the event.
    type: Literal["game.proposal"] = "game.proposal"


@dataclass(frozen=True)
class GameOver:
    """A game of yours is over."""

    timestamp: Time  #: The time of the event.
    data: OverFacts  #: The facts of the event.
    type: Literal["game.over"] = "game.over"


@dataclass(frozen=True)
class Ping:
    """A ping that you have requested."""

    timestamp: Time  #: The time of the event.
    data: PingFacts  #: The facts of the event.
    type: Literal["ping"] = "ping"
