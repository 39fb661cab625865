"""The kernel's word that messages have moved into the queues of the spool (inotify, on Linux).

A worker that hears of messages need not look for them a hundred times a second, which costs an idle
server a tenth of a processor.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

IN_MOVED_TO: Final = 0x80
IN_IGNORED: Final = 0x8000  # the last event of a watch: its folder is gone, or it was removed
IN_ONLYDIR: Final = 0x0100_0000
EVENT_HEAD: Final = struct.Struct("iIII")  # watch, mask, cookie, bytes of the name behind it
READ_BYTES: Final = 65536


class Arrivals:
    """A descriptor that is readable when messages have arrived in one of the watched queues."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        self._watches: dict[Path, int] = {}

    @classmethod
    def if_supported(cls) -> Arrivals | None:
        """None on another system than Linux, or if the user has as many as are allowed."""
        if sys.platform == "linux":
            with suppress(OSError):
                return cls()
        return None

    def watch(self, queue: Path) -> None:
        """Hear of the messages of this queue from now on. A folder that does not exist is tried
        again by the next call."""
        if queue not in self._watches:
            watch = self._libc.inotify_add_watch(
                self.descriptor, os.fsencode(queue), IN_MOVED_TO | IN_ONLYDIR
            )
            if watch >= 0:
                self._watches[queue] = watch

    def announce_more(self) -> None:
        """Make the descriptor readable: the end of a watch is an event, too."""
        for watch in self._watches.values():
            self._libc.inotify_rm_watch(self.descriptor, watch)

    def hear(self) -> None:
        """Read all events, so that the next one is heard; watches that have ended are forgotten."""
        with suppress(BlockingIOError):
            while events := os.read(self.descriptor, READ_BYTES):
                ended = set(ended_watches(events))
                self._watches = {
                    queue: watch for queue, watch in self._watches.items() if watch not in ended
                }

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)


def ended_watches(events: bytes) -> list[int]:
    """The watches that end with these events."""
    ended, position = [], 0
    while position < len(events):
        watch, mask, _, name_bytes = EVENT_HEAD.unpack_from(events, position)
        position += EVENT_HEAD.size + name_bytes
        if mask & IN_IGNORED:
            ended.append(watch)
    return ended
