"""How many may wait at once in this process? So many for each caller, and so many in all."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from django.conf import settings

from api.errors import Refusal


class ConnectionLimiter:
    """Where those who wait are counted."""

    def __init__(self) -> None:
        self._open_by_caller = Counter[str]()
        self._lock = Lock()

    def acquire(self, caller: str) -> None:
        """Take a place, which must be left again; refused if there is none."""
        with self._lock:
            if self._open_by_caller[caller] >= settings.STREAMS_EACH:
                raise Refusal(
                    "too-many-streams", f"You have {settings.STREAMS_EACH} open: close one."
                )
            if self._open_by_caller.total() >= settings.STREAMS_IN_ALL:
                raise Refusal("too-many-streams", "Too many are open here: try again later.")
            self._open_by_caller[caller] += 1

    def release(self, caller: str) -> None:
        """Give the place back."""
        with self._lock:
            self._open_by_caller[caller] -= 1
            if not self._open_by_caller[caller]:
                del self._open_by_caller[caller]

    @property
    def open_count(self) -> int:
        """How many there are."""
        with self._lock:
            return self._open_by_caller.total()


connection_limiter = ConnectionLimiter()
