"""Limits on open streams and long polls in this process: per caller, and in total."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from django.conf import settings

from api.errors import Refusal


class ConnectionLimiter:
    """Counts open streams and long polls."""

    def __init__(self) -> None:
        self._open_by_caller = Counter[str]()
        self._lock = Lock()

    def acquire(self, caller: str) -> None:
        """Take a slot, which the caller must release; refused if there is none."""
        with self._lock:
            if self._open_by_caller[caller] >= settings.STREAMS_EACH:
                raise Refusal(
                    "too-many-streams", f"You have {settings.STREAMS_EACH} open streams: close one."
                )
            if self._open_by_caller.total() >= settings.STREAMS_IN_ALL:
                raise Refusal(
                    "too-many-streams", "The server has too many open streams: try again later."
                )
            self._open_by_caller[caller] += 1

    def release(self, caller: str) -> None:
        """Give the slot back."""
        with self._lock:
            self._open_by_caller[caller] -= 1
            if not self._open_by_caller[caller]:
                del self._open_by_caller[caller]

    @property
    def open_count(self) -> int:
        """The number of slots in use."""
        with self._lock:
            return self._open_by_caller.total()


connection_limiter = ConnectionLimiter()
