"""Counts of what happens in this process. They add up to the figures of the whole server once they
are carried into the database."""

from __future__ import annotations

import os
from threading import Lock
from typing import Final

APPENDS: Final = "appends"
ENTRIES: Final = "entries"
LOST_RACES: Final = "lost_races"
PUBLISH_FAILURES: Final = "publish_failures"
LINES_DROPPED: Final = "log_lines_dropped"
ROUNDS: Final = "sweeper_rounds"
ROUND_SECONDS: Final = "sweeper_round_seconds"
COUNTED: Final = (
    APPENDS,
    ENTRIES,
    LOST_RACES,
    PUBLISH_FAILURES,
    LINES_DROPPED,
    ROUNDS,
    ROUND_SECONDS,
)


class Counts:
    """What has happened since the counts were last taken."""

    def __init__(self) -> None:
        self._counts: dict[str, float] = {}
        self._process = os.getpid()
        self._lock = Lock()

    def add(self, name: str, number: float = 1) -> None:
        """Count something."""
        with self._lock:
            self._drop_inherited()
            self._counts[name] = self._counts.get(name, 0) + number

    def take(self) -> dict[str, float]:
        """All counts; from now on they begin again at zero."""
        with self._lock:
            self._drop_inherited()
            counts, self._counts = self._counts, {}
            return counts

    def give_back(self, counts: dict[str, float]) -> None:
        """Counts that could not be carried on."""
        for name, number in counts.items():
            self.add(name, number)

    def _drop_inherited(self) -> None:
        """What was counted before a fork, the parent process tells."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._counts.clear()


counts = Counts()
