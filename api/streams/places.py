"""How many may wait at once in this process? So many for each caller, and so many in all."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from django.conf import settings

from api.errors import Refusal


class Places:
    """Where those who wait are counted."""

    def __init__(self) -> None:
        self._taken = Counter[str]()
        self._lock = Lock()

    def take(self, caller: str) -> None:
        """Take a place, which must be left again; refused if there is none."""
        with self._lock:
            if self._taken[caller] >= settings.STREAMS_EACH:
                raise Refusal(
                    "too-many-streams", f"You have {settings.STREAMS_EACH} open: close one."
                )
            if self._taken.total() >= settings.STREAMS_IN_ALL:
                raise Refusal("too-many-streams", "Too many are open here: try again later.")
            self._taken[caller] += 1

    def leave(self, caller: str) -> None:
        """Give the place back."""
        with self._lock:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]

    @property
    def taken(self) -> int:
        """How many there are."""
        with self._lock:
            return self._taken.total()


places = Places()
