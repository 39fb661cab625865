"""When is something tried again that keeps failing? After a pause that doubles with each failure,
up to a limit."""

from __future__ import annotations

from time import monotonic
from typing import Final

FIRST_PAUSE_SECONDS: Final = 1.0  # seconds
LONGEST_PAUSE_SECONDS: Final = 600.0
MAX_REMEMBERED_NAMES: Final = 100_000  # names that are remembered


class Backoff:
    """The failures in a row of each name, and when it is due again."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, float]] = {}

    def is_due(self, name: str) -> bool:
        """Is it time to try?"""
        return self._failures.get(name, (0, 0.0))[1] <= monotonic()

    def record_failure(
        self, name: str, longest: float = LONGEST_PAUSE_SECONDS
    ) -> tuple[int, float]:
        """One more failure: how many in a row there were, and the pause in seconds."""
        times = self._failures.get(name, (0, 0.0))[0] + 1
        pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(times - 1, 60), longest)
        if len(self._failures) < MAX_REMEMBERED_NAMES or name in self._failures:
            self._failures[name] = times, monotonic() + pause
        return times, pause

    def record_success(self, name: str) -> None:
        """It works again."""
        self._failures.pop(name, None)

    def clear(self) -> None:
        """Everything may be tried at once."""
        self._failures.clear()
