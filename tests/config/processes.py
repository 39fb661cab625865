"""Helpers to wait for a condition and for the end of another process."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 120.0  # seconds, on a busy machine
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.2  # seconds between two looks, which cost processor time


def is_gone(pid: int) -> bool:
    """Whether a process has ended, even if its parent has not reaped it yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.exists() and status.read_text().rpartition(") ")[2].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return True


def soon(condition: Callable[[], object]) -> bool:
    """Wait until the condition holds; False if it takes too long."""
    end, pause = monotonic() + PATIENCE, FIRST_PAUSE
    while not condition():
        if monotonic() > end:
            return False
        sleep(pause)
        pause = min(1.2 * pause, LONGEST_PAUSE)
    return True
