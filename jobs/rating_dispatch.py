"""The dispatch of rating tasks: when a rated game has finished, an outbox asks a worker to rate it.
The sweeper finds games whose message was lost in the logs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Min
from django.dispatch import receiver
from django.utils import timezone

from games import process_metrics
from games.ratings import finished_games
from games.signals import entries_appended
from jobs.background_publisher import register
from jobs.celery_task_publisher import TaskCall, TaskOutbox
from jobs.sweeper_hooks import cleanup_due
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.projection.projection import Projection

RATE_TASK_NAME: Final = "jobs.tasks.rate"  # stays: messages may be queued during an upgrade
RESEND_AFTER: Final = timedelta(seconds=5)  # a game not counted by then was forgotten
SCAN_OVERLAP: Final = timedelta(minutes=1)


class RatingMessage(NamedTuple):
    """The rules of a finished rated game."""

    rules: str
    thoroughly: bool


class RatingOutbox(TaskOutbox[RatingMessage]):
    """Asks workers to count finished games."""

    name = "ratings"
    loss_message = (
        "The rating tasks of %d games were not published: %s"  # the sweeper will find them
    )

    def __init__(self) -> None:
        super().__init__()
        # the end of the search for uncounted games; None: search all of them
        self.scanned_until: datetime | None = None

    def task_call(self, message: RatingMessage) -> TaskCall:
        """A task for the rules of a game."""
        return TaskCall(RATE_TASK_NAME, message)

    def find_lost(self) -> Iterator[RatingMessage]:
        """The rules that have uncounted games."""
        cutoff = timezone.now() - RESEND_AFTER
        if self.scanned_until is not None and self.scanned_until > cutoff:
            self.scanned_until = None  # the clock was set back
        games = finished_games.uncounted_games(*ENGINES, since=self.scanned_until)
        oldest_by_rules = dict(
            games.filter(at__lte=cutoff).order_by().values_list("rules").annotate(Min("at"))
        )
        if not oldest_by_rules:
            self.scanned_until = cutoff - SCAN_OVERLAP
        at = min((at.timestamp() for at in oldest_by_rules.values()), default=0.0)
        process_metrics.metrics.set_gauge(process_metrics.OLDEST_UNRATED, at)
        return (RatingMessage(rules, True) for rules in sorted(oldest_by_rules))


outbox: Final = register(RatingOutbox())


@receiver(entries_appended)
def enqueue_count(table: Projection, **_: Any) -> None:
    """Let a worker count a rated game that is over."""
    if table.creation.rated and table.outcome is not None:
        outbox.enqueue(RatingMessage(table.creation.rules, False))


@receiver(cleanup_due)
def restart_scan(**_: Any) -> None:
    """Search all games again, regardless of when they ended."""
    outbox.scanned_until = None
