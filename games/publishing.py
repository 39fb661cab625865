"""How is something told behind the back of whoever acted? By a thread that publishes in batches:
nobody waits for it, and what is lost with it is found again by whoever looks at the logs."""

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
from typing import Final, Generic, TypeAlias, TypeVar

from games import figures, tracing
from games.tracing import Trace

logger = logging.getLogger(__name__)

T = TypeVar("T")
Traced: TypeAlias = tuple[T, Trace | None]  # a message, and what led to it

BATCH: Final = 100
MOST: Final = 10_000  # messages that wait for a broker that hangs; further ones are lost
QUIET: Final = 5.0  # seconds between two lines of what is lost for want of room
GRACE: Final = 2.0  # seconds that a process which ends waits for its last messages


class Publisher(ABC, Generic[T]):
    """A thread that publishes, one in each process that has something to tell."""

    lost: str  # what to say of messages that nobody took: their number, and why

    def __init__(self) -> None:
        self._messages: SimpleQueue[Traced[T] | None] = SimpleQueue()
        self._traces: dict[T, Trace | None] = {}  # of the batch at hand
        self._thread: Thread | None = None
        self._process = 0
        self._lock = Lock()
        self.losses = 0  # messages that were not published, since the process began
        self._untold, self._told_at = 0, -QUIET
        atexit.register(self.finish)

    @abstractmethod
    def publish(self, batch: list[T]) -> None:
        """Send these messages."""

    def put(self, message: T) -> None:
        """Publish soon."""
        trace = tracing.current()
        traced = message, None if trace is None else dict(trace)
        with self._lock:
            if self._process != os.getpid():  # also after a fork: threads are not inherited
                self._messages, self._process = SimpleQueue(), os.getpid()
                self._thread = Thread(target=self._run, args=(self._messages,), daemon=True)
                self._thread.start()
            if self._messages.qsize() < MOST:
                self._messages.put(traced)
            else:
                self._lose_one()

    def following(self, message: T) -> AbstractContextManager[None]:
        """Let what is sent meanwhile belong to whatever led to this message of the batch."""
        return tracing.following(self._traces.get(message))

    def finish(self) -> None:
        """Publish what is left, and stop."""
        with self._lock:
            if self._thread is not None and self._process == os.getpid():
                self._messages.put(None)
                self._thread.join(GRACE)
            self._process = 0

    def _lose_one(self) -> None:
        """There is no room: nobody waits for it, and no memory is filled."""
        self._lose(1)
        self._untold += 1
        if (now := monotonic()) - self._told_at >= QUIET:
            logger.warning(self.lost, self._untold, "the broker is too slow")
            self._untold, self._told_at = 0, now

    def _lose(self, number: int) -> None:
        self.losses += number
        figures.counts.add(figures.PUBLISH_FAILURES, number)

    def _run(self, messages: SimpleQueue[Traced[T] | None]) -> None:
        while (message := messages.get()) is not None:
            batch = [message]
            while len(batch) < BATCH and (more := _next(messages)) is not None:
                batch.append(more)
            self._publish(batch)

    def _publish(self, batch: Iterable[Traced[T]]) -> None:
        messages = [message for message, _ in batch]
        self._traces = dict(batch)
        try:
            self.publish(messages)
        except Exception as problem:  # noqa: BLE001  # nobody is there to hear it
            self._lose(len(messages))
            logger.warning(self.lost, len(messages), problem)


def _next(messages: SimpleQueue[Traced[T] | None]) -> Traced[T] | None:
    try:
        message = messages.get_nowait()
    except Empty:
        return None
    if message is None:
        messages.put(None)  # the end, to be met again
    return message
