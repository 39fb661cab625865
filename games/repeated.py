"""A logging filter: a message passes once a second, and then tells how many were left out.

What fails in a loop, or because a client wants it to, must not fill a disk with lines.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

SECOND: Final = 1.0
MOST: Final = 1000  # templates that are remembered


class OncePerSecond(logging.Filter):
    """So many records of one template and level a second (one, unless told otherwise)."""

    def __init__(self, burst: int = 1, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.burst = burst
        self.clock = clock
        self.lock = Lock()
        self.seen: dict[tuple[str, int, str], _Seen] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Is the record written?"""
        key = (record.name, record.levelno, str(record.msg))
        with self.lock:
            if len(self.seen) > MOST:
                self.seen.clear()
            seen = self.seen.setdefault(key, _Seen())
            is_due, left_out = seen.count(self.clock(), self.burst)
        if is_due and left_out:
            record.msg = f"{record.msg} ({left_out} more like this were left out)"
        return is_due


class _Seen:
    """How often a message came in the present second."""

    def __init__(self) -> None:
        self.since = float("-inf")
        self.told = 0
        self.left_out = 0

    def count(self, now: float, burst: int) -> tuple[bool, int]:
        """Whether this one is written, and how many before it were not."""
        if now - self.since >= SECOND:
            self.since, self.told = now, 0
        if self.told >= burst:
            self.left_out += 1
            return False, 0
        self.told += 1
        left_out, self.left_out = self.left_out, 0
        return True, left_out
