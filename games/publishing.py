"""How is something told behind the back of whoever acted? By a thread that publishes in batches:
nobody waits for it, and what is lost with it is found again by whoever looks at the logs."""

from __future__ import annotations

import atexit
import logging
import os
from abc import ABC, abstractmethod
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final, Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

BATCH: Final = 100
MOST: Final = 10_000  # messages that wait for a broker that hangs; further ones are lost
QUIET: Final = 5.0  # seconds between two lines of what is lost for want of room
GRACE: Final = 2.0  # seconds that a process which ends waits for its last messages


class Publisher(ABC, Generic[T]):
    """A thread that publishes, one in each process that has something to tell."""

    lost: str  # what to say of messages that nobody took: their number, and why

    def __init__(self) -> None:
        self._messages: SimpleQueue[T | None] = SimpleQueue()
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
        with self._lock:
            if self._process != os.getpid():  # also after a fork: threads are not inherited
                self._messages, self._process = SimpleQueue(), os.getpid()
                self._thread = Thread(target=self._run, args=(self._messages,), daemon=True)
                self._thread.start()
            if self._messages.qsize() < MOST:
                self._messages.put(message)
            else:
                self._lose_one()

    def finish(self) -> None:
        """Publish what is left, and stop."""
        with self._lock:
            if self._thread is not None and self._process == os.getpid():
                self._messages.put(None)
                self._thread.join(GRACE)
            self._process = 0

    def _lose_one(self) -> None:
        """There is no room: nobody waits for it, and no memory is filled."""
        self.losses += 1
        self._untold += 1
        if (now := monotonic()) - self._told_at >= QUIET:
            logger.warning(self.lost, self._untold, "the broker is too slow")
            self._untold, self._told_at = 0, now

    def _run(self, messages: SimpleQueue[T | None]) -> None:
        while (message := messages.get()) is not None:
            batch = [message]
            while len(batch) < BATCH and (more := _next(messages)) is not None:
                batch.append(more)
            try:
                self.publish(batch)
            except Exception as problem:  # noqa: BLE001  # nobody is there to hear it
                self.losses += len(batch)
                logger.warning(self.lost, len(batch), problem)


def _next(messages: SimpleQueue[T | None]) -> T | None:
    try:
        message = messages.get_nowait()
    except Empty:
        return None
    if message is None:
        messages.put(None)  # the end, to be met again
    return message
