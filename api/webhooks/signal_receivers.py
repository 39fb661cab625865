"""Signal receivers that hand webhook tasks to workers, asynchronously, when a log has grown or the
sweeper runs. The sweeper finds lost tasks again from the logs."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from celery import current_app
from django.dispatch import receiver
from django.utils import timezone

from api.webhooks import delivery_attempts, delivery_builder
from games.projection.projection import Projection
from games.signals import entries_appended
from jobs.outbox import Outbox
from jobs.sweeper_signals import cleanup_due, sweep_finished

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


class TaskPublisher(Outbox[tuple[str, str]]):
    """Publishes tasks, each as a task name and its argument."""

    loss_message = "%d tasks could not be published: %s"  # the sweeper recovers them

    def publish(self, batch: list[tuple[str, str]]) -> None:
        """Publish each task of the batch once."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for task, name in dict.fromkeys(batch):
                with self.use_trace_of((task, name)):
                    current_app.send_task(task, args=[name], producer=producer)


class WebhookPresence:
    """Whether any webhook is enabled, cached for a short time."""

    def __init__(self) -> None:
        self._has_any = False
        self._valid_until = 0.0

    def has_any(self) -> bool:
        """Whether there is an enabled webhook."""
        if monotonic() >= self._valid_until:
            self._has_any = delivery_attempts.has_enabled_webhooks()
            self._valid_until = monotonic() + WEBHOOK_CHECK_SECONDS
        return self._has_any

    def invalidate(self) -> None:
        """Query again on the next call: a webhook was created, changed or deleted."""
        self._valid_until = 0.0


class UnannouncedScan:
    """The sweeper's progress in its search for unannounced entries."""

    def __init__(self) -> None:
        self.since: datetime | None = None

    def next_games(self) -> list[str]:
        """The next games with unannounced entries."""
        now = timezone.now()
        since, before = self.since or now - RECOVERY_LOOK_BACK, now - ANNOUNCE_GRACE_PERIOD
        games = list(
            delivery_builder.unannounced_games(since, before).values_list("pk", flat=True)[
                :RECOVERY_BATCH_SIZE
            ]
        )
        if len(games) < RECOVERY_BATCH_SIZE:
            self.since = before - RECOVERY_OVERLAP
        return games


task_publisher = TaskPublisher()
webhook_presence = WebhookPresence()
unannounced_scan = UnannouncedScan()


@receiver(entries_appended)
def announce_entries(table: Projection, **_: Any) -> None:
    """Let a worker announce the new entries, if the game has webhooks."""
    if webhook_presence.has_any() and delivery_builder.subscribed_webhooks(table.game).exists():
        task_publisher.enqueue((ANNOUNCE_TASK, table.game))


@receiver(sweep_finished)
def recover_lost(**_: Any) -> None:
    """Let workers announce lost entries and attempt due deliveries."""
    if not webhook_presence.has_any():
        return
    for game in unannounced_scan.next_games():
        task_publisher.enqueue((ANNOUNCE_TASK, game))
    for name in delivery_attempts.take_overdue(RECOVERY_BATCH_SIZE):
        task_publisher.enqueue((DELIVER_TASK, name))


@receiver(cleanup_due)
def clean_up_deliveries(**_: Any) -> None:
    """Delete old deliveries."""
    delivery_builder.delete_old_deliveries(DELIVERIES_KEPT_FOR)
