"""When a rated game is over: who counts it? A worker, told behind the back of whoever acted; what
is lost on the way, the sweeper finds in the logs again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from celery import current_app
from django.db.models import Min
from django.dispatch import receiver
from django.utils import timezone

from ai.signals import cleared, swept
from games import figures, publishing
from games.ratings import finished
from games.registry import ENGINES
from games.signals import entries_appended
from games.table.table import Table

RATE: Final = "ai.tasks.rate"
PATIENCE: Final = timedelta(seconds=5)  # in which a game is counted, or was forgotten
OVERLAP: Final = timedelta(minutes=1)


class Message(NamedTuple):
    """Rules of which a rated game is over."""

    rules: str
    thoroughly: bool


class Publisher(publishing.Publisher[Message]):
    """What tells workers to count."""

    lost = "Nobody was told to rate %d games: %s"  # the sweeper comes

    def publish(self, batch: list[Message]) -> None:
        """What is asked for twice, once."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for message in dict.fromkeys(batch):
                with self.following(message):
                    current_app.send_task(RATE, args=list(message), producer=producer)


class Rounds:
    """How far the sweeper has looked for games that nobody counted."""

    def __init__(self) -> None:
        self.since: datetime | None = None  # None: it looks at all of them

    def uncounted(self) -> list[str]:
        """Rules of which some game was not."""
        before = timezone.now() - PATIENCE
        if self.since is not None and self.since > before:
            self.since = None  # the clock was set back
        games = finished.uncounted(*ENGINES, since=self.since).filter(at__lte=before)
        oldest = dict(games.order_by().values_list("rules").annotate(Min("at")))
        if not oldest:
            self.since = before - OVERLAP
        at = min((at.timestamp() for at in oldest.values()), default=0.0)
        figures.counts.find(figures.OLDEST_UNRATED, at)
        return sorted(oldest)


publisher = Publisher()
rounds = Rounds()


@receiver(entries_appended)
def count(table: Table, **_: Any) -> None:
    """Let a worker count a rated game that is over."""
    if table.create.rated and table.outcome is not None:
        publisher.put(Message(table.create.rules, False))


@receiver(swept)
def count_again(**_: Any) -> None:
    """Let workers count what was forgotten."""
    for rules in rounds.uncounted():
        publisher.put(Message(rules, True))


@receiver(cleared)
def look_at_all(**_: Any) -> None:
    """Look at all games once more, whenever they may have ended."""
    rounds.since = None
