"""How much of an export a server reads for a stranger: bytes of a line and of the file, and JSON
values, which cost far more memory than the bytes that they are written in.

The longest exports known have 3.4 MB, lines of 84 kB, 7,300 values in a line and 160,000 in all
(`python -m tests.games.audit.longest` plays games with all seats taken). What is longer still is
read by docs/verify.py, `manage.py verify --export` and `manage.py import`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final


class OverBudget(Exception):
    """The export is too large for this server to read it, in a sentence."""


@dataclass(frozen=True)
class Budget:
    """What an export may have."""

    total: int  # bytes
    line: int  # bytes
    values: int
    values_in_line: int


BUDGET: Final = Budget(8 << 20, 256 << 10, 1 << 19, 1 << 15)


def values(line: bytes) -> int:
    """At least as many as there are JSON values in a line: each follows a bracket or a comma."""
    return 1 + line.count(b",") + line.count(b"[") + line.count(b"{")


def within(file: IO[bytes], budget: Budget = BUDGET) -> Iterator[bytes]:
    """The lines of a file; OverBudget before the first that costs too much is taken apart."""
    left, values_left, number = budget.total, budget.values, 0
    while line := file.readline(budget.line + 1):
        number += 1
        count = values(line)
        left, values_left = left - len(line), values_left - count
        if len(line) > budget.line:
            raise OverBudget(f"Line {number} is longer than {budget.line >> 10} kB.")
        if count > budget.values_in_line:
            raise OverBudget(f"Line {number} has more than {budget.values_in_line} values.")
        if left < 0:
            raise OverBudget(f"An export may have {budget.total >> 20} MB here.")
        if values_left < 0:
            raise OverBudget(f"An export may have {budget.values} values here.")
        yield line
