"""The tether of a process to its parent, so that it dies with the parent even if that is killed.

On Linux the kernel sends the signal; elsewhere a thread waits for the end of a pipe that the
supervisor holds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from threading import Thread
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PIPE_VARIABLE: Final = "TABULARIUM_TETHER"  # the descriptor to read from

_tied_process = 0  # the process tied here, not its forked children


def tie_to_parent(parent: int) -> None:
    """Make this process die when `parent`, which started it, dies."""
    global _tied_process  # noqa: PLW0603  a process has one parent
    if sys.platform == "linux":
        request_death_signal()
        if os.getppid() != parent:  # the parent died before the request
            kill_self()
    elif PIPE_VARIABLE in os.environ:
        die_with_pipe(int(os.environ[PIPE_VARIABLE]))
    _tied_process = os.getpid()


def tie_forked_process() -> None:
    """Tie a process forked from a tied one, as ties are not inherited."""
    if _tied_process not in (0, os.getpid()):
        tie_to_parent(_tied_process)


def request_death_signal() -> None:
    """Let the kernel kill this process when the thread that forked it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def die_with_pipe(pipe: int) -> None:
    """Die when the write end of a pipe is closed, as the kernel does for a dying process."""

    def wait() -> None:
        while os.read(pipe, 1):
            pass
        kill_self()

    Thread(target=wait, name="tether", daemon=True).start()


def kill_self() -> None:
    """Die at once, as the parent did."""
    os.kill(os.getpid(), signal.SIGKILL)
