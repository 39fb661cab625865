"""A limit on a process's output in lines per second, so that it does not fill a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Final

MAX_LINES_PER_SECOND: Final = 1000
WINDOW_SECONDS: Final = 1.0


class OutputThrottle:
    """Passes lines up to the limit, and counts the dropped ones."""

    def __init__(
        self, most: int = MAX_LINES_PER_SECOND, clock: Callable[[], float] = monotonic
    ) -> None:
        self.max_lines = most
        self.clock = clock
        self.window_start = float("-inf")
        self.passed_lines = 0
        self.dropped_lines = 0

    def filter_lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines to relay now."""
        if self.clock() - self.window_start >= WINDOW_SECONDS:
            yield from self.report_dropped()
            self.window_start, self.passed_lines = self.clock(), 0
        for line in lines:
            if self.passed_lines < self.max_lines:
                self.passed_lines += 1
                yield line
            else:
                self.dropped_lines += 1

    def report_dropped(self) -> Iterator[bytes]:
        """A line with the number of lines dropped since the last report, if any."""
        if self.dropped_lines:
            yield b"(%d lines were left out)" % self.dropped_lines
            self.dropped_lines = 0
