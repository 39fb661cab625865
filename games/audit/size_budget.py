"""The size budget of untrusted exports: limits on the bytes of a line and of the file, and on JSON
values, which take far more memory than the bytes in which they are written.

The longest exports known have 3.4 MB, lines of 84 kB, 7,300 values in a line and 160,000 in all
(`python -m tests.games.audit.longest` plays games with all seats taken). Longer ones can still be
read by docs/verify.py, `manage.py verify --export` and `manage.py import`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final


class BudgetExceeded(Exception):
    """The export is too large for this server to read; the message is a sentence."""


@dataclass(frozen=True)
class ExportBudget:
    """The limits of an export."""

    total_bytes: int
    line_bytes: int
    total_values: int
    line_values: int


EXPORT_BUDGET: Final = ExportBudget(8 << 20, 256 << 10, 1 << 19, 1 << 15)


def count_values(line: bytes) -> int:
    """An upper bound on the number of JSON values in a line: each follows a bracket or a comma."""
    return 1 + line.count(b",") + line.count(b"[") + line.count(b"{")


def lines_within_budget(file: IO[bytes], budget: ExportBudget = EXPORT_BUDGET) -> Iterator[bytes]:
    """The lines of a file; raises BudgetExceeded before an excessive line is parsed."""
    bytes_left, values_left, number = budget.total_bytes, budget.total_values, 0
    while line := file.readline(budget.line_bytes + 1):
        number += 1
        count = count_values(line)
        bytes_left, values_left = bytes_left - len(line), values_left - count
        if len(line) > budget.line_bytes:
            raise BudgetExceeded(f"Line {number} is longer than {budget.line_bytes >> 10} kB.")
        if count > budget.line_values:
            raise BudgetExceeded(f"Line {number} has more than {budget.line_values} values.")
        if bytes_left < 0:
            raise BudgetExceeded(f"An export may have at most {budget.total_bytes >> 20} MB.")
        if values_left < 0:
            raise BudgetExceeded(f"An export may have at most {budget.total_values} values.")
        yield line
