"""Is another process still there, and does something become true soon?"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 120.0  # seconds, on a machine that does many other things


def is_gone(pid: int) -> bool:
    """Whether a process has ended, even if nobody has asked for its exit code yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.exists() and status.read_text().rpartition(") ")[2].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return True


def soon(is_so: Callable[[], object]) -> bool:
    """Wait until something is so."""
    end = monotonic() + PATIENCE
    while not is_so():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True
