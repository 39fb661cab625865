"""How does a process die with the one that started it, even if that one is killed?

Linux sends the signal itself; elsewhere a thread waits for the end of a pipe that the supervisor
holds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from threading import Thread
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PIPE: Final = "TABULARIUM_TETHER"  # the descriptor to read from

_tied = 0  # the process that is tied already, and not merely forked from one that is


def tie(parent: int) -> None:
    """From now on this process dies when `parent`, which started it, does."""
    global _tied  # noqa: PLW0603  a process has one parent
    if sys.platform == "linux":
        signal_of_death()
        if os.getppid() != parent:  # it died before it was asked
            die()
    elif PIPE in os.environ:
        watch(int(os.environ[PIPE]))
    _tied = os.getpid()


def tie_fork() -> None:
    """A tie is not inherited: tie a process that was forked from one that is tied."""
    if _tied not in (0, os.getpid()):
        tie(_tied)


def signal_of_death() -> None:
    """Let the kernel kill us when the thread that forked us ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def watch(pipe: int) -> None:
    """Die when the writing end of a pipe is closed, as the kernel does for a process that dies."""

    def wait() -> None:
        while os.read(pipe, 1):
            pass
        die()

    Thread(target=wait, name="tether", daemon=True).start()


def die() -> None:
    """At once, as the parent did."""
    os.kill(os.getpid(), signal.SIGKILL)
