"""The rows of a benchmark run as a text table."""

from __future__ import annotations

from collections.abc import Sequence

from bench.race import Row

HEADINGS = ("what", "value", "unit", "peer", "its value", "ratio", "target", "")


def render_table(rows: Sequence[Row]) -> str:
    """One line per row, in aligned columns."""
    lines = [HEADINGS, *(row_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def row_cells(row: Row) -> tuple[str, ...]:
    """The texts of a row's columns."""
    verdict = {None: "", True: "met", False: "NOT MET"}[row.met]
    bound = "≤" if row.is_limit else "≥"
    target = "" if row.target is None else f"{bound} {row.target:.3g}"
    ratio = "" if row.ratio is None else f"{format_number(row.ratio)} ×"
    peer_value = "" if row.peer_value is None else format_number(row.peer_value)
    return (
        row.name,
        format_number(row.value),
        row.unit,
        row.peer,
        peer_value,
        ratio,
        target,
        verdict,
    )


def format_number(value: float) -> str:
    """Three significant digits, large numbers in thousands or millions."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"
