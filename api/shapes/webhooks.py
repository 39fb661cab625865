"""Webhooks, their deliveries, and what is delivered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EventKind = Literal["game.started", "game.entry", "game.your_turn", "game.over"]


@dataclass(frozen=True)
class NewWebhook:
    """An address to be told what happens in your games from now on."""

    url: str
    kinds: tuple[EventKind, ...] = ("game.started", "game.your_turn", "game.over")


@dataclass(frozen=True)
class WebhookChange:
    """What of a webhook is to be different; null leaves it as it is."""

    url: str | None = None
    kinds: tuple[EventKind, ...] | None = None
    is_enabled: bool | None = None


@dataclass(frozen=True)
class WebhookView:
    """A webhook; `reason` says why it is not enabled."""

    id: str
    url: str
    kinds: tuple[str, ...]
    is_enabled: bool
    reason: str
    created: str
    old_secret_until: str | None


@dataclass(frozen=True)
class MadeWebhook:
    """A webhook with its (new) secret, which is told only this once; null if you had the webhook
    already. Rotate it for another."""

    secret: str | None
    webhook: WebhookView


@dataclass(frozen=True)
class WebhookList:
    """All webhooks of an account."""

    items: tuple[WebhookView, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class DeliveryView:
    """A delivery: its body as it is sent, and how the last attempt went. `id` is its
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
    """Deliveries, the newest first."""

    items: tuple[DeliveryView, ...]
    next_cursor: str | None


# -- what is delivered ----------------------------------------------------------------------------


@dataclass(frozen=True)
class NoticeLinks:
    """Where to read more, on this server."""

    game: str
    log: str
    choice: str


@dataclass(frozen=True)
class GameFacts:
    """A game, and the entry that says it."""

    game: str
    seq: int
    links: NoticeLinks


@dataclass(frozen=True)
class EntryFacts:
    """A game, its last entry, and the entry after which they are new."""

    game: str
    seq: int
    after: int
    links: NoticeLinks


@dataclass(frozen=True)
class TurnFacts:
    """A game that waits for a seat of yours, and the entry since which it does."""

    game: str
    seq: int
    seat: int
    links: NoticeLinks


@dataclass(frozen=True)
class PingFacts:
    """The webhook itself."""

    webhook: str


@dataclass(frozen=True)
class GameStarted:
    """A game of yours has started."""

    timestamp: str
    data: GameFacts
    type: Literal["game.started"] = "game.started"


@dataclass(frozen=True)
class GameEntry:
    """The log of a game of yours has grown."""

    timestamp: str
    data: EntryFacts
    type: Literal["game.entry"] = "game.entry"


@dataclass(frozen=True)
class GameYourTurn:
    """A game waits for you."""

    timestamp: str
    data: TurnFacts
    type: Literal["game.your_turn"] = "game.your_turn"


@dataclass(frozen=True)
class GameOver:
    """A game of yours is over."""

    timestamp: str
    data: GameFacts
    type: Literal["game.over"] = "game.over"


@dataclass(frozen=True)
class Ping:
    """You asked for it."""

    timestamp: str
    data: PingFacts
    type: Literal["ping"] = "ping"
