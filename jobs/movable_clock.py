"""The test clock of `serve --test-clock`: the machine's time of day plus an offset, in a file that
all processes of the server share. It goes forward only, and all that is due by then is done."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from struct import Struct
from typing import Any, Final

from django.utils import timezone

from games import ids
from jobs import sweeper

FILE_NAME: Final = "test_clock"  # in the data folder
OFFSET: Final = Struct("=q")  # microseconds, read and written in one piece
MICROSECOND: Final = timedelta(microseconds=1)


class MovableClock:
    """The clock in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def start(self) -> None:
        """Create the file: the clock shows the machine's time."""
        self._path.write_bytes(OFFSET.pack(0))

    def now(self) -> datetime:
        """As Django's timezone.now."""
        return datetime.now(UTC) + self._offset() * MICROSECOND

    def time_ns(self) -> int:
        """As time.time_ns."""
        return time.time_ns() + self._offset() * 1000

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """While no other thread or process moves it."""
        with self._path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def move(self, duration: timedelta) -> None:
        """Move it forward, and do all the work that has become due."""
        assert duration >= timedelta()
        descriptor = os.open(self._path, os.O_WRONLY)
        os.pwrite(descriptor, OFFSET.pack(self._offset() + duration // MICROSECOND), 0)
        os.close(descriptor)
        sweeper.sweep()
        sweeper.clean_up()

    def _offset(self) -> int:
        (microseconds,) = OFFSET.unpack(self._path.read_bytes())
        return int(microseconds)


def install(path: Path) -> None:
    """Let this process read the time of day from the clock."""
    clock: Any = MovableClock(path)
    timezone.now = clock.now
    ids.time = clock  # type: ignore[attr-defined]  # in place of the module
