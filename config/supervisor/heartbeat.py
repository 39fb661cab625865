"""How does the supervisor know that a part works, and does not only run?

Each part is given a pipe, and writes a byte to it for what it does. The supervisor measures the
silence on its own monotonic clock, so that no change of the time of day hides or fakes a death.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final

PIPE: Final = "TABULARIUM_HEARTBEAT"  # the descriptor to write to
ALIVE: Final = b"a"  # the part does its work: a turn of its loop, a message that arrived
IDLE: Final = b"i"  # a canary was published; no task runs, so that it must arrive soon
BUSY: Final = b"b"  # a canary was published; it may have to wait for a task to end
EXCUSED: Final = b"x"  # the broker takes no canary: that is not the part's fault
LONGEST: Final = 4096


def tell(sign: bytes) -> None:
    """Let the supervisor know, if there is one; a full pipe says enough."""
    if PIPE in os.environ:
        with suppress(OSError):
            os.write(int(os.environ[PIPE]), sign)


@dataclass(frozen=True)
class Patience:
    """For how many seconds a part may be silent, and may let canaries wait."""

    start: float = 120.0  # until its first sign
    silence: float = 30.0  # between two signs of any kind
    idle: float = 20.0  # until a canary arrives while no task runs
    busy: float = 75.0  # … while tasks run: above the time limit of any task


class Heartbeat:
    """The supervisor's end of a part's pipe, and what it has heard."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        os.set_blocking(self.writing, False)  # for the part, too: it must not wait for us
        self.reset()

    def reset(self) -> None:
        """The part has just been started."""
        with suppress(BlockingIOError):
            while os.read(self.reading, LONGEST):
                pass
        self.heard_at = self.worked_at = monotonic()
        self.is_heard = self.is_busy = False

    def hear(self) -> None:
        """Take in what the part has told."""
        signs = set()
        with suppress(BlockingIOError):
            while told := os.read(self.reading, LONGEST):
                signs |= {bytes([byte]) for byte in told}
                self.is_busy = self._last_is_busy(told)
        if signs & {ALIVE, EXCUSED} or (signs and not self.is_heard):  # to start is no idleness
            self.worked_at = monotonic()
        if signs:
            self.heard_at, self.is_heard = monotonic(), True

    def _last_is_busy(self, told: bytes) -> bool:
        idle, busy = told.rfind(IDLE), told.rfind(BUSY)
        return self.is_busy if idle == busy else busy > idle

    def forgive(self, seconds: float) -> None:
        """The supervisor itself stood still for so long: nothing could be heard meanwhile."""
        self.heard_at += seconds
        self.worked_at += seconds

    def complaint(self) -> str:
        """Why the part has to be replaced; nothing if it is well."""
        now, patience = monotonic(), self.patience
        silent, idle = now - self.heard_at, now - self.worked_at
        if silent > (patience.silence if self.is_heard else patience.start):
            return f"no sign of life for {silent:.0f} s"
        if self.is_heard and idle > (patience.busy if self.is_busy else patience.idle):
            return f"takes no work for {idle:.0f} s"
        return ""

    def close(self) -> None:
        """The part is not started again."""
        os.close(self.reading)
        os.close(self.writing)
