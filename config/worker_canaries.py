"""Canaries of Celery workers: tasks that a worker sends to itself on the normal path to prove that
it still takes work.

A canary passes the broker, its connection, the prefetch window and the pool; only its arrival
counts. The consumer reads the canary queue in turn with the others, so a canary waits for a free
process, but not for all earlier tasks. A worker that loses its slots, its connection, its loop or
its pool takes no canary, and the supervisor replaces it.
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

from config.supervisor import heartbeat, process_specs
from jobs import heartbeats
from jobs.rating_and_canary_tasks import CANARY_TASK_NAME

logger = logging.getLogger(__name__)

# by queue
HEARTBEAT_KINDS_BY_QUEUE: Final = {
    process_specs.BOTS_QUEUE: heartbeats.BOT_WORKER,
    process_specs.ANALYSES_QUEUE: heartbeats.ANALYSIS_WORKER,
    process_specs.WEBHOOKS_QUEUE: heartbeats.ERRAND_WORKER,
    process_specs.RATINGS_QUEUE: heartbeats.RATING_WORKER,
}
LOST_AFTER_INTERVALS: Final = 3  # intervals after which a canary counts as lost and another is sent


def canary_queue(node: str) -> Queue:
    """The canary queue of a worker. On Redis it is not declared, so a worker that is gone leaves no
    trace; on the spool the declaration creates its folder."""
    name = f"canaries.{node}"
    return Queue(name, routing_key=name, no_declare=bool(settings.REDIS_URL))


def heartbeat_kind(app: Celery) -> str:
    """The kind of heartbeat that this worker proves with its canaries."""
    queues = app.amqp.queues.consume_from
    return next(
        (kind for queue, kind in HEARTBEAT_KINDS_BY_QUEUE.items() if queue in queues),
        heartbeats.ERRAND_WORKER,
    )


class CanarySender:
    """Sends the canaries of one worker, from its main process."""

    def __init__(self, app: Celery, node: str, interval: float) -> None:
        self.app = app
        self.node = node
        self.kind = heartbeat_kind(app)
        self.interval = interval
        self.sent_at = -LOST_AFTER_INTERVALS * interval
        self.is_canary_pending = False
        self.is_broker_down = False

    def start(self) -> None:
        """Send canaries until the process ends."""
        Thread(target=self._run, daemon=True, name="canaries").start()

    def mark_arrived(self) -> None:
        """Record that a canary has arrived."""
        self.is_canary_pending = False

    def _run(self) -> None:
        while True:
            heartbeat.send_sign(self.send_if_due())
            sleep(self.interval)

    def send_if_due(self) -> bytes:
        """Send a canary if one is due; returns the sign for the supervisor."""
        if (
            not self.is_canary_pending
            or monotonic() - self.sent_at > LOST_AFTER_INTERVALS * self.interval
        ):
            try:
                self._send()
            except Exception as problem:  # noqa: BLE001  # depends on the broker
                self._warn_once(f"The broker does not accept canaries: {problem}")
                return heartbeat.EXCUSED
        self.is_broker_down = False
        return heartbeat.BUSY if state.active_requests else heartbeat.IDLE

    def _send(self) -> None:
        self.app.send_task(
            CANARY_TASK_NAME,
            args=[self.kind, self.node],
            queue=canary_queue(self.node),
            retry=False,
            soft_time_limit=30,
            time_limit=40,
        )
        self.sent_at, self.is_canary_pending = monotonic(), True

    def _warn_once(self, line: str) -> None:
        if not self.is_broker_down:
            logger.warning(line)
        self.is_broker_down = True
