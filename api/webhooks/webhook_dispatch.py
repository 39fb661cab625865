"""The dispatch of webhook tasks to workers: an outbox sends them when a log has grown. The sweeper
finds lost ones again in the logs and among the deliveries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from api.process_board import Topic, board
from api.webhooks import delivery_attempts, delivery_builder
from games.signals import entries_appended
from jobs.background_publisher import register
from jobs.celery_task_publisher import TaskCall, TaskOutbox
from jobs.sweeper_hooks import cleanup_due
from tabularium_log.projection.projection import Projection

ANNOUNCE_TASK: Final = "api.tasks.announce"
DELIVER_TASK: Final = "api.tasks.deliver"
# seconds for which a process caches whether there are webhooks
WEBHOOK_CHECK_SECONDS: Final = 2.0
# after which entries that are still unannounced count as lost
ANNOUNCE_GRACE_PERIOD: Final = timedelta(seconds=5)
RECOVERY_LOOK_BACK: Final = timedelta(days=1)  # for entries that a stopped server did not announce
RECOVERY_OVERLAP: Final = timedelta(minutes=1)
RECOVERY_BATCH_SIZE: Final = 200
DELIVERIES_KEPT_FOR: Final = timedelta(days=30)


class WebhookMessage(NamedTuple):
    """A task, and the game or the delivery that it concerns."""

    task: str
    subject: str


class WebhookPresence:
    """Whether any webhook is enabled, cached for a short time."""

    def __init__(self) -> None:
        self._has_any = False
        self._valid_until = 0.0
        self._seen_news = b""

    def has_any(self) -> bool:
        """Whether there is an enabled webhook."""
        news = board().news(Topic.WEBHOOKS)
        if monotonic() >= self._valid_until or news != self._seen_news:
            self._has_any = delivery_attempts.has_enabled_webhooks()
            self._valid_until = monotonic() + WEBHOOK_CHECK_SECONDS
            self._seen_news = news
        return self._has_any

    def invalidate(self) -> None:
        """Query again on the next call, in all web processes of this machine: a webhook was
        created, changed or deleted."""
        self._valid_until = 0.0
        board().announce(Topic.WEBHOOKS)


class WebhookOutbox(TaskOutbox[WebhookMessage]):
    """Lets workers announce entries and attempt deliveries."""

    name = "webhooks"
    loss_message = "%d tasks could not be published: %s"  # the sweeper recovers them

    def __init__(self) -> None:
        super().__init__()
        self.scanned_until: datetime | None = None  # the end of the search for unannounced entries

    def task_call(self, message: WebhookMessage) -> TaskCall:
        """The task of the message."""
        return TaskCall(message.task, [message.subject])

    def find_lost(self) -> Iterator[WebhookMessage]:
        """Entries that were not announced, and deliveries that are due."""
        if not webhook_presence.has_any():
            return
        for game in self._next_unannounced_games():
            yield WebhookMessage(ANNOUNCE_TASK, game)
        for delivery in delivery_attempts.take_overdue(RECOVERY_BATCH_SIZE):
            yield WebhookMessage(DELIVER_TASK, delivery)

    def _next_unannounced_games(self) -> list[str]:
        now = timezone.now()
        since, before = self.scanned_until or now - RECOVERY_LOOK_BACK, now - ANNOUNCE_GRACE_PERIOD
        games = list(
            delivery_builder.unannounced_games(since, before).values_list("pk", flat=True)[
                :RECOVERY_BATCH_SIZE
            ]
        )
        if len(games) < RECOVERY_BATCH_SIZE:
            self.scanned_until = before - RECOVERY_OVERLAP
        return games


outbox: Final = register(WebhookOutbox())
webhook_presence: Final = WebhookPresence()


def enqueue_delivery(delivery: str) -> None:
    """Let a worker attempt a delivery."""
    outbox.enqueue(WebhookMessage(DELIVER_TASK, delivery))


def announce_decline(game: str, seat: int) -> None:
    """Let workers inform the game's creator, after the commit, of a challenge that is declined in
    this transaction. The log has no entry of it."""
    for name in delivery_builder.insert_decline_deliveries(game, seat):
        transaction.on_commit(partial(enqueue_delivery, name), robust=True)


@receiver(entries_appended)
def announce_entries(table: Projection, **_: Any) -> None:
    """Let a worker announce the new entries, if the game has webhooks."""
    if webhook_presence.has_any() and delivery_builder.has_webhooks(table):
        outbox.enqueue(WebhookMessage(ANNOUNCE_TASK, table.game))


@receiver(cleanup_due)
def clean_up_deliveries(**_: Any) -> None:
    """Delete old deliveries."""
    delivery_builder.delete_old_deliveries(DELIVERIES_KEPT_FOR)
