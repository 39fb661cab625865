"""How much may one part say? So many lines a second: what is more would fill a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Final

MOST: Final = 1000  # lines in a second
SECOND: Final = 1.0


class Valve:
    """Lets lines pass, and tells how many it did not."""

    def __init__(self, most: int = MOST, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.clock = clock
        self.since = float("-inf")
        self.passed = 0
        self.left_out = 0

    def let_pass(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines that are passed on now."""
        if self.clock() - self.since >= SECOND:
            yield from self.rest()
            self.since, self.passed = self.clock(), 0
        for line in lines:
            if self.passed < self.most:
                self.passed += 1
                yield line
            else:
                self.left_out += 1

    def rest(self) -> Iterator[bytes]:
        """How many were left out since it was told last."""
        if self.left_out:
            yield b"(%d lines were left out)" % self.left_out
            self.left_out = 0
