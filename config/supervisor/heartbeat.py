"""Heartbeats of child processes, by which the supervisor knows that a process works and does not
merely run.

Each process is given a pipe and writes bytes to it as it works. The supervisor measures the silence
on its own monotonic clock, so no change of the time of day hides or fakes a death.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final

PIPE_VARIABLE: Final = "TABULARIUM_HEARTBEAT"  # the descriptor to write to
ALIVE: Final = b"a"  # the process works: a turn of its loop, a message that arrived
IDLE: Final = b"i"  # a canary was published; no task runs, so it must arrive soon
BUSY: Final = b"b"  # a canary was published; it may have to wait for a task to end
EXCUSED: Final = b"x"  # the broker takes no canary, which is not the process's fault
MAX_READ_BYTES: Final = 4096


def send_sign(sign: bytes) -> None:
    """Send a sign to the supervisor, if there is one; a full pipe is sign enough."""
    if PIPE_VARIABLE in os.environ:
        with suppress(OSError):
            os.write(int(os.environ[PIPE_VARIABLE]), sign)


@dataclass(frozen=True)
class HeartbeatTimeouts:
    """The seconds for which a process may be silent, and for which canaries may wait."""

    start_seconds: float = 120.0  # until its first sign
    silence_seconds: float = 30.0  # between two signs of any kind
    idle_seconds: float = 20.0  # until a canary arrives while no task runs
    busy_seconds: float = 75.0  # … while tasks run: above the time limit of any task


class Heartbeat:
    """The supervisor's end of a process's pipe, and the signs received."""

    def __init__(self, timeouts: HeartbeatTimeouts) -> None:
        self.timeouts = timeouts
        self.read_descriptor, self.write_descriptor = os.pipe()
        os.set_blocking(self.read_descriptor, False)
        os.set_blocking(self.write_descriptor, False)  # the process must not block, either
        self.reset()

    def reset(self) -> None:
        """Reset for a process that has just been started."""
        with suppress(BlockingIOError):
            while os.read(self.read_descriptor, MAX_READ_BYTES):
                pass
        self.last_sign_at = self.last_work_at = monotonic()
        self.has_been_heard = self.is_busy = False

    def read_signs(self) -> None:
        """Read the signs sent since the last call."""
        signs = set()
        with suppress(BlockingIOError):
            while data := os.read(self.read_descriptor, MAX_READ_BYTES):
                signs |= {bytes([byte]) for byte in data}
                self.is_busy = self._is_last_sign_busy(data)
        if signs & {ALIVE, EXCUSED} or (
            signs and not self.has_been_heard
        ):  # starting does not count as idling
            self.last_work_at = monotonic()
        if signs:
            self.last_sign_at, self.has_been_heard = monotonic(), True

    def _is_last_sign_busy(self, data: bytes) -> bool:
        last_idle, last_busy = data.rfind(IDLE), data.rfind(BUSY)
        return self.is_busy if last_idle == last_busy else last_busy > last_idle

    def discount_stall(self, seconds: float) -> None:
        """Discount a time in which the supervisor itself stood still and could read no signs."""
        self.last_sign_at += seconds
        self.last_work_at += seconds

    def complaint(self) -> str:
        """The reason to replace the process; empty if there is none."""
        now, timeouts = monotonic(), self.timeouts
        silence, idle_time = now - self.last_sign_at, now - self.last_work_at
        if silence > (timeouts.silence_seconds if self.has_been_heard else timeouts.start_seconds):
            return f"no heartbeat for {silence:.0f} s"
        if self.has_been_heard and idle_time > (
            timeouts.busy_seconds if self.is_busy else timeouts.idle_seconds
        ):
            return f"no work accepted for {idle_time:.0f} s"
        return ""

    def close(self) -> None:
        """Close the pipe: the process is not restarted."""
        os.close(self.read_descriptor)
        os.close(self.write_descriptor)
