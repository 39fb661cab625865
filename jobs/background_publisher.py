"""Background outboxes, in memory: each holds messages of one kind after a commit, and publishes
them in batches in a background thread, so that no caller waits for it. The sweeper asks every
registered outbox for the messages that were lost, and sends them again."""

from __future__ import annotations

import atexit
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, Generic, TypeAlias, TypeVar

from games import process_metrics, request_trace
from games.request_trace import Trace

logger = logging.getLogger(__name__)

T = TypeVar("T")
TracedMessage: TypeAlias = tuple[T, Trace | None]  # a message, and the trace that led to it

MAX_BATCH_SIZE: Final = 100
# messages queued while the broker hangs; further ones are dropped
MAX_WAITING_MESSAGES: Final = 10_000
LOSS_LOG_INTERVAL_SECONDS: Final = 5.0  # between two log lines about dropped messages
EXIT_GRACE_SECONDS: Final = 2.0  # how long an ending process waits for its last messages


class Outbox(ABC, Generic[T]):
    """Messages of one kind: the thread of this process that publishes them, and their recovery."""

    name: str  # for the sweeper's log lines
    loss_message: str  # log template for lost messages: their number, and the reason

    def __init__(self) -> None:
        self._messages: SimpleQueue[TracedMessage[T] | None] = SimpleQueue()
        self._traces: dict[T, Trace | None] = {}  # of the current batch
        self._thread: Thread | None = None
        self._process = 0
        self._lock = Lock()
        self.lost_count = 0  # messages that were not published, since the process began
        self._unreported_losses, self._reported_at = 0, -LOSS_LOG_INTERVAL_SECONDS
        atexit.register(self.flush_and_stop)

    @abstractmethod
    def publish(self, batch: list[T]) -> None:
        """Send these messages."""

    def find_lost(self) -> Iterable[T]:
        """The messages that were lost and are now to be sent again. None, unless the database shows
        an outbox which they are."""
        return ()

    def enqueue(self, message: T) -> None:
        """Queue a message to be published soon."""
        trace = request_trace.current_trace()
        item = message, None if trace is None else dict(trace)
        with self._lock:
            if self._process != os.getpid():  # also after a fork: threads are not inherited
                self._messages, self._process = SimpleQueue(), os.getpid()
                self._thread = Thread(target=self._run, args=(self._messages,), daemon=True)
                self._thread.start()
            if self._messages.qsize() < MAX_WAITING_MESSAGES:
                self._messages.put(item)
            else:
                self._drop_one()

    def use_trace_of(self, message: T) -> AbstractContextManager[None]:
        """Within the block, use the trace that led to this message of the batch."""
        return request_trace.use_trace(self._traces.get(message))

    def flush_and_stop(self) -> None:
        """Publish the queued messages, and stop."""
        with self._lock:
            if self._thread is not None and self._process == os.getpid():
                self._messages.put(None)
                self._thread.join(EXIT_GRACE_SECONDS)
            self._process = 0

    def _drop_one(self) -> None:
        """Drop a message for lack of room, without waiting and without filling memory."""
        self._count_lost(1)
        self._unreported_losses += 1
        if (now := monotonic()) - self._reported_at >= LOSS_LOG_INTERVAL_SECONDS:
            logger.warning(self.loss_message, self._unreported_losses, "the broker is too slow")
            self._unreported_losses, self._reported_at = 0, now

    def _count_lost(self, number: int) -> None:
        self.lost_count += number
        process_metrics.metrics.increment(process_metrics.PUBLISH_FAILURES, number)

    def _run(self, messages: SimpleQueue[TracedMessage[T] | None]) -> None:
        while (message := messages.get()) is not None:
            batch = [message]
            while (
                len(batch) < MAX_BATCH_SIZE
                and (next_message := _next_message(messages)) is not None
            ):
                batch.append(next_message)
            self._publish_batch(batch)

    def _publish_batch(self, batch: Iterable[TracedMessage[T]]) -> None:
        messages = [message for message, _ in batch]
        self._traces = dict(batch)
        try:
            self.publish(messages)
        except Exception as problem:  # noqa: BLE001  # there is no caller to raise to
            self._count_lost(len(messages))
            logger.warning(self.loss_message, len(messages), problem)


def _next_message(messages: SimpleQueue[TracedMessage[T] | None]) -> TracedMessage[T] | None:
    try:
        message = messages.get_nowait()
    except Empty:
        return None
    if message is None:
        messages.put(None)  # the stop marker, put back for the loop
    return message


# -- the outboxes that the sweeper asks -----------------------------------------------------------

OutboxType = TypeVar("OutboxType", bound=Outbox[Any])
_outboxes_by_name: Final[dict[str, Outbox[Any]]] = {}


def register(outbox: OutboxType) -> OutboxType:
    """Register an outbox, so that the sweeper sends its lost messages again."""
    assert outbox.name not in _outboxes_by_name
    _outboxes_by_name[outbox.name] = outbox
    return outbox


def registered_outboxes() -> list[Outbox[Any]]:
    """All registered outboxes, in the order of their registration."""
    return list(_outboxes_by_name.values())
