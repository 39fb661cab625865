"""Metrics of this process: counters and gauges. Once they are stored in the database, they add up
to the figures of the whole server."""

from __future__ import annotations

import os
from threading import Lock
from typing import Final

APPENDS: Final = "appends"
ENTRIES: Final = "entries"
LOST_RACES: Final = "lost_races"
PUBLISH_FAILURES: Final = "publish_failures"
LINES_DROPPED: Final = "log_lines_dropped"
SWEEPER_ROUNDS: Final = "sweeper_rounds"
SWEEPER_ROUND_SECONDS: Final = "sweeper_round_seconds"
OLDEST_UNRATED: Final = "oldest_unrated"  # a gauge: seconds since 1970; 0: there is none


class MetricRegistry:
    """The counters and gauges since they were last drained."""

    def __init__(self) -> None:
        self.reset()
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Start from zero, also after a fork: the parent reports its own, and may hold its lock."""
        self._counters: dict[str, float] = {}
        self._gauges: dict[str, float] = {}
        self._lock = Lock()

    def increment(self, name: str, number: float = 1) -> None:
        """Add to a counter."""
        with self._lock:
            self._counters[name] = self._counters.get(name, 0) + number

    def set_gauge(self, name: str, value: float) -> None:
        """Set a gauge to its present value."""
        with self._lock:
            self._gauges[name] = value

    def drain(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the counters and the gauges, and empty both."""
        with self._lock:
            values = self._counters, self._gauges
            self._counters, self._gauges = {}, {}
            return values


metrics = MetricRegistry()
