"""Throttling of log messages: a logging filter passes a message once a second, and then reports how
many were dropped.

A failure in a loop, or one that a client can provoke, must not fill a disk with lines.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

WINDOW_SECONDS: Final = 1.0
MAX_TRACKED_TEMPLATES: Final = 1000


class OncePerSecondFilter(logging.Filter):
    """Passes `burst` records of one template and level per second (by default one)."""

    def __init__(self, burst: int = 1, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.burst = burst
        self.clock = clock
        self.lock = Lock()
        self.counts_by_template: dict[tuple[str, int, str], _TemplateCount] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        key = (record.name, record.levelno, str(record.msg))
        with self.lock:
            if len(self.counts_by_template) > MAX_TRACKED_TEMPLATES:
                self.counts_by_template.clear()
            template_count = self.counts_by_template.setdefault(key, _TemplateCount())
            is_due, omitted_count = template_count.count(self.clock(), self.burst)
        if is_due and omitted_count:
            record.msg = f"{record.msg} ({omitted_count} more like this were omitted)"
        return is_due


class _TemplateCount:
    """The number of records of one template in the current second."""

    def __init__(self) -> None:
        self.window_start = float("-inf")
        self.passed_records = 0
        self.dropped_records = 0

    def count(self, now: float, burst: int) -> tuple[bool, int]:
        """Whether this record is written, and how many before it were not."""
        if now - self.window_start >= WINDOW_SECONDS:
            self.window_start, self.passed_records = now, 0
        if self.passed_records >= burst:
            self.dropped_records += 1
            return False, 0
        self.passed_records += 1
        omitted_count, self.dropped_records = self.dropped_records, 0
        return True, omitted_count
