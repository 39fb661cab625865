"""Does this worker still take work? It sends canaries to itself, on the way of all work.

They pass the broker, its connection, the prefetch window and the pool; what counts is that they
arrive. Their queue is read by the same consumer as the others, in turn with them: a canary waits
for a free process, but not for all that was there before it. A worker that loses its slots, its
connection, its loop or its pool takes no canary, and its supervisor replaces it.
"""

from __future__ import annotations

import logging
from threading import Thread
from time import monotonic, sleep
from typing import Final

from celery import Celery
from celery.worker import state
from django.conf import settings
from kombu import Queue

from ai import pulses
from ai.tasks import CANARY
from config.supervisor import heartbeat, parts

logger = logging.getLogger(__name__)

KINDS: Final = {parts.BOTS: pulses.WORKER, parts.ANALYSES: pulses.ANALYSTS}  # by queue
PATIENCE: Final = 3  # intervals; then a canary is taken for lost, and another is sent


def queue(node: str) -> Queue:
    """Where the canaries of a worker wait. Redis needs no declaration, and so remembers nothing of
    a worker that has gone; in the spool it makes the folder."""
    name = f"canaries.{node}"
    return Queue(name, routing_key=name, no_declare=bool(settings.REDIS_URL))


def kind(app: Celery) -> str:
    """Whose sign of life it is that this worker takes work."""
    queues = app.amqp.queues.consume_from
    return next((name for work, name in KINDS.items() if work in queues), pulses.ERRANDS)


class Canaries:
    """The canaries of one worker; this is its main process."""

    def __init__(self, app: Celery, node: str, interval: float) -> None:
        self.app = app
        self.node = node
        self.kind = kind(app)
        self.interval = interval
        self.sent_at = -PATIENCE * interval
        self.is_waiting = False
        self.is_away = False

    def start(self) -> None:
        """Send them, until the process ends."""
        Thread(target=self._run, daemon=True, name="canaries").start()

    def arrived(self) -> None:
        """One of them was taken."""
        self.is_waiting = False

    def _run(self) -> None:
        while True:
            heartbeat.tell(self.sign())
            sleep(self.interval)

    def sign(self) -> bytes:
        """Send one, if it is time; what the supervisor is to know."""
        if not self.is_waiting or monotonic() - self.sent_at > PATIENCE * self.interval:
            try:
                self._send()
            except Exception as problem:  # noqa: BLE001  # of whichever broker it is
                self._tell_once(f"The broker takes no canary: {problem}")
                return heartbeat.EXCUSED
        self.is_away = False
        return heartbeat.BUSY if state.active_requests else heartbeat.IDLE

    def _send(self) -> None:
        self.app.send_task(
            CANARY,
            args=[self.kind, self.node],
            queue=queue(self.node),
            retry=False,
            soft_time_limit=30,
            time_limit=40,
        )
        self.sent_at, self.is_waiting = monotonic(), True

    def _tell_once(self, line: str) -> None:
        if not self.is_away:
            logger.warning(line)
        self.is_away = True
