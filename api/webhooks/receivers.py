"""When a log has grown, or the sweeper comes by: is there anything to tell? Workers are told so
behind the back of whoever acted; what is lost on the way, the sweeper finds in the logs again."""

from __future__ import annotations

import logging
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any, Final

from celery import current_app
from django.dispatch import receiver
from django.utils import timezone

from ai.signals import cleared, swept
from api.webhooks import announcing, delivering
from games.signals import entries_appended
from games.table.table import Table

logger = logging.getLogger(__name__)

ANNOUNCE: Final = "api.tasks.announce"
DELIVER: Final = "api.tasks.deliver"
HEARING: Final = 2.0  # seconds after which a process asks again whether anybody listens
PATIENCE: Final = timedelta(seconds=5)  # in which a log's growth is announced, or was forgotten
LOOK_BACK: Final = timedelta(days=1)  # for what a stopped server forgot
OVERLAP: Final = timedelta(minutes=1)
BATCH: Final = 200
KEPT: Final = timedelta(days=30)


class Herald:
    """Publishes tasks in a thread of its own, each process with one of its own."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, str]] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._process = 0
        self._lock = Lock()

    def tell(self, task: str, name: str) -> None:
        """Publish soon; what already waits to be published, once."""
        with self._lock:
            if self._process != os.getpid():  # also after a fork: threads are not inherited
                self._waiting.clear()
                self._thread, self._process = ThreadPoolExecutor(1), os.getpid()
            if (task, name) not in self._waiting and self._thread is not None:
                self._waiting.append((task, name))
                self._thread.submit(self._publish)

    def _publish(self) -> None:
        if not self._waiting:
            return
        try:
            with current_app.producer_pool.acquire(block=True) as producer:
                while self._waiting:
                    task, name = self._waiting.popleft()
                    current_app.send_task(task, args=[name], producer=producer)
        except Exception as problem:  # noqa: BLE001  # the broker is down: the sweeper comes
            logger.warning("No worker was told: %s", problem)
            self._waiting.clear()


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
        herald.tell(ANNOUNCE, table.game)


@receiver(swept)
def tell_again(**_: Any) -> None:
    """Let workers announce what was forgotten, and deliver what is due."""
    if not audience.is_there():
        return
    for game in rounds.untold():
        herald.tell(ANNOUNCE, game)
    for name in delivering.overdue(BATCH):
        herald.tell(DELIVER, name)


@receiver(cleared)
def forget(**_: Any) -> None:
    """Drop what is only kept for a while."""
    announcing.forget(KEPT)
