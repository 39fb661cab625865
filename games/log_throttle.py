"""A logging filter: a message passes once a second, and then tells how many were left out.

What fails in a loop, or because a client wants it to, must not fill a disk with lines.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

WINDOW_SECONDS: Final = 1.0
MAX_TRACKED_TEMPLATES: Final = 1000  # templates that are remembered


class OncePerSecondFilter(logging.Filter):
    """So many records of one template and level a second (one, unless told otherwise)."""

    def __init__(self, burst: int = 1, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.burst = burst
        self.clock = clock
        self.lock = Lock()
        self.counts_by_template: dict[tuple[str, int, str], _TemplateCount] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Is the record written?"""
        key = (record.name, record.levelno, str(record.msg))
        with self.lock:
            if len(self.counts_by_template) > MAX_TRACKED_TEMPLATES:
                self.counts_by_template.clear()
            seen = self.counts_by_template.setdefault(key, _TemplateCount())
            is_due, left_out = seen.count(self.clock(), self.burst)
        if is_due and left_out:
            record.msg = f"{record.msg} ({left_out} more like this were left out)"
        return is_due


class _TemplateCount:
    """How often a message came in the present second."""

    def __init__(self) -> None:
        self.window_start = float("-inf")
        self.passed_records = 0
        self.dropped_records = 0

    def count(self, now: float, burst: int) -> tuple[bool, int]:
        """Whether this one is written, and how many before it were not."""
        if now - self.window_start >= WINDOW_SECONDS:
            self.window_start, self.passed_records = now, 0
        if self.passed_records >= burst:
            self.dropped_records += 1
            return False, 0
        self.passed_records += 1
        left_out, self.dropped_records = self.dropped_records, 0
        return True, left_out
