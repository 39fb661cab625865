"""Scheduling the rating of finished games: a message to the workers, published asynchronously. The
sweeper finds games whose message was lost in the logs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from celery import current_app
from django.db.models import Min
from django.dispatch import receiver
from django.utils import timezone

from games import process_metrics
from games.projection.projection import Projection
from games.ratings import finished_games
from games.registry import ENGINES
from games.signals import entries_appended
from jobs.outbox import Outbox
from jobs.sweeper_signals import cleanup_due, sweep_finished

RATE_TASK_NAME: Final = "jobs.tasks.rate"
RESEND_AFTER: Final = timedelta(seconds=5)  # a game not counted by then was forgotten
SCAN_OVERLAP: Final = timedelta(minutes=1)


class RatingMessage(NamedTuple):
    """The rules of a finished rated game."""

    rules: str
    thoroughly: bool


class RatingOutbox(Outbox[RatingMessage]):
    """Asks workers to count finished games."""

    loss_message = (
        "The rating tasks of %d games were not published: %s"  # the sweeper will find them
    )

    def publish(self, batch: list[RatingMessage]) -> None:
        """Send each distinct message once."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in dict.fromkeys(batch):
                with self.use_trace_of(message):
                    current_app.send_task(RATE_TASK_NAME, args=list(message), producer=producer)


class UnratedScan:
    """How far the sweeper has searched for uncounted games."""

    def __init__(self) -> None:
        self.since: datetime | None = None  # None: search all of them

    def rules_with_unrated_games(self) -> list[str]:
        """The rules that have uncounted games."""
        before = timezone.now() - RESEND_AFTER
        if self.since is not None and self.since > before:
            self.since = None  # the clock was set back
        games = finished_games.uncounted_games(*ENGINES, since=self.since).filter(at__lte=before)
        oldest = dict(games.order_by().values_list("rules").annotate(Min("at")))
        if not oldest:
            self.since = before - SCAN_OVERLAP
        at = min((at.timestamp() for at in oldest.values()), default=0.0)
        process_metrics.metrics.set_gauge(process_metrics.OLDEST_UNRATED, at)
        return sorted(oldest)


outbox = RatingOutbox()
unrated_scan = UnratedScan()


@receiver(entries_appended)
def enqueue_count(table: Projection, **_: Any) -> None:
    """Let a worker count a rated game that is over."""
    if table.creation.rated and table.outcome is not None:
        outbox.enqueue(RatingMessage(table.creation.rules, False))


@receiver(sweep_finished)
def enqueue_forgotten(**_: Any) -> None:
    """Let workers count forgotten games."""
    for rules in unrated_scan.rules_with_unrated_games():
        outbox.enqueue(RatingMessage(rules, True))


@receiver(cleanup_due)
def reset_scan_start(**_: Any) -> None:
    """Search all games again, regardless of when they ended."""
    unrated_scan.since = None
