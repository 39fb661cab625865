"""When a log has grown, or the sweeper comes by: is there anything to tell? Workers are told so
behind the back of whoever acted; what is lost on the way, the sweeper finds in the logs again."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from celery import current_app
from django.dispatch import receiver
from django.utils import timezone

from ai.signals import cleared, swept
from api.webhooks import announcing, delivering
from games.publishing import Publisher
from games.signals import entries_appended
from games.table.table import Table

ANNOUNCE: Final = "api.tasks.announce"
DELIVER: Final = "api.tasks.deliver"
HEARING: Final = 2.0  # seconds after which a process asks again whether anybody listens
PATIENCE: Final = timedelta(seconds=5)  # in which a log's growth is announced, or was forgotten
LOOK_BACK: Final = timedelta(days=1)  # for what a stopped server forgot
OVERLAP: Final = timedelta(minutes=1)
BATCH: Final = 200
KEPT: Final = timedelta(days=30)


class Herald(Publisher[tuple[str, str]]):
    """Publishes tasks: each a task and the name it is about."""

    lost = "No worker was told of %d tasks: %s"  # the sweeper comes

    def publish(self, batch: list[tuple[str, str]]) -> None:
        """What is asked for twice, once."""
        with current_app.producer_pool.acquire(block=True) as producer:
            for task, name in dict.fromkeys(batch):
                with self.following((task, name)):
                    current_app.send_task(task, args=[name], producer=producer)


class Audience:
    """Whether anybody listens at all, asked of the database now and then."""

    def __init__(self) -> None:
        self._is_there = False
        self._until = 0.0

    def is_there(self) -> bool:
        """Is there any webhook?"""
        if monotonic() >= self._until:
            self._is_there = delivering.is_anybody_listening()
            self._until = monotonic() + HEARING
        return self._is_there

    def ask_again(self) -> None:
        """A webhook has come or gone."""
        self._until = 0.0


class Rounds:
    """How far the sweeper has looked for growth that nobody announced."""

    def __init__(self) -> None:
        self.since: datetime | None = None

    def untold(self) -> list[str]:
        """Games to be announced."""
        now = timezone.now()
        since, before = self.since or now - LOOK_BACK, now - PATIENCE
        games = list(announcing.untold(since, before).values_list("pk", flat=True)[:BATCH])
        if len(games) < BATCH:
            self.since = before - OVERLAP
        return games


herald = Herald()
audience = Audience()
rounds = Rounds()


@receiver(entries_appended)
def tell_of_entries(table: Table, **_: Any) -> None:
    """Let a worker announce what has happened, if anybody of this game wants to hear it."""
    if audience.is_there() and announcing.listening(table.game).exists():
        herald.put((ANNOUNCE, table.game))


@receiver(swept)
def tell_again(**_: Any) -> None:
    """Let workers announce what was forgotten, and deliver what is due."""
    if not audience.is_there():
        return
    for game in rounds.untold():
        herald.put((ANNOUNCE, game))
    for name in delivering.overdue(BATCH):
        herald.put((DELIVER, name))


@receiver(cleared)
def forget(**_: Any) -> None:
    """Drop what is only kept for a while."""
    announcing.forget(KEPT)
