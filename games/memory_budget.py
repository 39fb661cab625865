"""The memory that a process may gain: a share of that of the machine or, in a container, of the
container. Caches grow as long as it is not used up."""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

# 1 in so many of the machine's memory, for each core: a server has few processes more than cores
MACHINE_SHARE: Final = 16
CONTAINER_LIMIT_FILES: Final = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
RESIDENT_FILE: Final = Path("/proc/self/statm")
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
CALLS_PER_LOOK: Final = 64  # as looking takes longer than storing


def available_bytes() -> int:
    """The memory of the machine or, if that is less, of the container."""
    machine = os.sysconf("SC_PHYS_PAGES") * PAGE_BYTES
    return min([machine, *container_limits()])


def container_limits() -> list[int]:
    """The limit of the container, if there is one."""
    limits = []
    for file in CONTAINER_LIMIT_FILES:
        with suppress(OSError, ValueError):  # there is no such file, or it says "max"
            limits.append(int(file.read_text()))
    return limits


def resident_bytes() -> int:
    """The memory of this process; where that is not known, the most that it has had."""
    with suppress(OSError):
        return int(RESIDENT_FILE.read_text().split()[1]) * PAGE_BYTES
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class MemoryBudget:
    """Whether this process may grow, since this was first asked or it was forked."""

    def __init__(self, budget_bytes: int | None = None) -> None:
        self._budget_bytes = budget_bytes
        self.reset()
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Begin with the memory that this process has at the next call."""
        self._limit_bytes: int | None = None
        self._calls, self._may_grow = 0, True

    def may_grow(self) -> bool:
        """Whether a cache may keep one thing more."""
        if self._calls % CALLS_PER_LOOK == 0:
            self._look()
        self._calls += 1
        return self._may_grow

    def _look(self) -> None:
        resident = resident_bytes()
        if self._limit_bytes is None:
            budget = self._budget_bytes
            if budget is None:
                budget = available_bytes() // (MACHINE_SHARE * (os.cpu_count() or 1))
            self._limit_bytes = resident + budget
        self._may_grow = resident < self._limit_bytes
