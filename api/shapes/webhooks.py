"""Shapes of webhooks, their deliveries, and the notices delivered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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

    url: str
    kinds: tuple[EventKind, ...] = ("game.started", "game.your_turn", "game.over")


@dataclass(frozen=True)
class WebhookChange:
    """Changes to a webhook. A member that is null stays as it is."""

    url: str | None = None
    kinds: tuple[EventKind, ...] | None = None
    is_enabled: bool | None = None


@dataclass(frozen=True)
class WebhookView:
    """A webhook. `reason` says why it is disabled."""

    id: str
    url: str
    kinds: tuple[str, ...]
    is_enabled: bool
    reason: str
    created: str
    old_secret_until: str | None


@dataclass(frozen=True)
class MadeWebhook:
    """A webhook with its new `secret`, which is returned only this once. It is null if you had the
    webhook already: rotate it for another secret."""

    secret: str | None
    webhook: WebhookView


@dataclass(frozen=True)
class WebhookList:
    """All webhooks of an account."""

    items: tuple[WebhookView, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class DeliveryView:
    """A delivery: its body as it is sent, and the outcome of the last attempt. `id` is its
    `webhook-id`."""

    id: str
    kind: str
    body: str
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    created: str
    next_attempt: str | None
    last_attempt: str | None
    status: int | None
    duration_ms: int | None
    answer: str
    error: str


@dataclass(frozen=True)
class DeliveryList:
    """A page of deliveries, newest first."""

    items: tuple[DeliveryView, ...]
    next_cursor: str | None


# -- notices --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NoticeLinks:
    """Links to the details, on this server."""

    game: str
    log: str
    choice: str


@dataclass(frozen=True)
class GameFacts:
    """A game, and the entry of the event."""

    game: str
    seq: int
    links: NoticeLinks


@dataclass(frozen=True)
class EntryFacts:
    """A game, its last entry, and the entry after which the new ones begin."""

    game: str
    seq: int
    after: int
    links: NoticeLinks


@dataclass(frozen=True)
class TurnFacts:
    """A game that waits for one of your seats, and the entry since which it waits."""

    game: str
    seq: int
    seat: int
    links: NoticeLinks


@dataclass(frozen=True)
class ProposalFacts:
    """A game with an open proposal, one of your seats that it asks, and the entry that made it."""

    game: str
    seq: int
    seat: int
    of: Agreement
    links: NoticeLinks


@dataclass(frozen=True)
class OverFacts:
    """A game that is over, its last entry, and how it came to its end."""

    game: str
    seq: int
    ending: Ending
    links: NoticeLinks


@dataclass(frozen=True)
class PingFacts:
    """The webhook that was pinged."""

    webhook: str


@dataclass(frozen=True)
class ChallengeFacts:
    """A game with a seat that waits for you, and its last entry."""

    game: str
    seq: int
    seat: int
    links: NoticeLinks


@dataclass(frozen=True)
class GameChallenge:
    """You are challenged: a seat of a new game waits for you."""

    timestamp: str
    data: ChallengeFacts
    type: Literal["game.challenge"] = "game.challenge"


@dataclass(frozen=True)
class DeclinedFacts:
    """A game with a seat that is at your disposal, and its last entry."""

    game: str
    seq: int
    seat: int
    links: NoticeLinks


@dataclass(frozen=True)
class GameDeclined:
    """A challenge of yours was declined: its seat is at your disposal."""

    timestamp: str
    data: DeclinedFacts
    type: Literal["game.declined"] = "game.declined"


@dataclass(frozen=True)
class GameStarted:
    """A game of yours has started."""

    timestamp: str
    data: GameFacts
    type: Literal["game.started"] = "game.started"


@dataclass(frozen=True)
class GameEntry:
    """A game of yours has new entries."""

    timestamp: str
    data: EntryFacts
    type: Literal["game.entry"] = "game.entry"


@dataclass(frozen=True)
class GameYourTurn:
    """A game waits for one of your seats."""

    timestamp: str
    data: TurnFacts
    type: Literal["game.your_turn"] = "game.your_turn"


@dataclass(frozen=True)
class GameProposal:
    """A player proposes something that needs the consent of one of your seats."""

    timestamp: str
    data: ProposalFacts
    type: Literal["game.proposal"] = "game.proposal"


@dataclass(frozen=True)
class GameOver:
    """A game of yours is over."""

    timestamp: str
    data: OverFacts
    type: Literal["game.over"] = "game.over"


@dataclass(frozen=True)
class Ping:
    """A ping that you have requested."""

    timestamp: str
    data: PingFacts
    type: Literal["ping"] = "ping"
