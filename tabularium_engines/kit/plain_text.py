"""The view of a small game as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tabularium_engines.kit.fields import StateField

HIDDEN_CARD: Final = "?"
NONE_LEFT: Final = "–"


def page(title: str, view: Any, fields: Sequence[StateField], pieces: Sequence[str]) -> str:
    """The page: the title, the seats that must act, and every field."""
    lines = [title, headline(view), ""]
    for field in fields:
        lines += _field_lines(field, getattr(view, field.name), pieces)
    return "\n".join(line.rstrip() for line in lines)


def headline(view: Any) -> str:
    """Whose view it is, and which seats must act."""
    seen_by = "an onlooker" if view.seat is None else f"seat {view.seat}"
    awaited = [str(seat) for seat in range(view.seats) if view.to_act >> seat & 1]
    turn = f"Seat {' and '.join(awaited)} must act." if awaited else "The game is over."
    return f"Seen by {seen_by}. {turn}"


def field_title(field: StateField) -> str:
    """The name of a field in words."""
    return field.name.replace("_", " ").capitalize()


def _field_lines(field: StateField, value: Any, pieces: Sequence[str]) -> Iterator[str]:
    if field.depth == 0:
        yield f"{field_title(field)}: {value}"
    elif field.depth == 1:
        yield f"{field_title(field)}: {_row_text(value)}"
    elif field.is_cards:
        yield f"{field_title(field)}:"
        yield from (f"  seat {seat}: {_row_text(zone)}" for seat, zone in enumerate(value))
    else:
        yield f"{field_title(field)}:"
        yield from _board_lines(field, value, pieces)


def _board_lines(
    field: StateField, rows: Sequence[Sequence[int]], pieces: Sequence[str]
) -> Iterator[str]:
    """The rows of a board below the names of its columns, each behind its own name."""
    cells = [[piece_name(number, pieces) for number in row] for row in rows]
    names = list(field.rows)
    if field.columns:
        cells.insert(0, list(field.columns))
        names.insert(0, "")
    width = max((len(cell) for row in cells for cell in row), default=0)
    indent = max(map(len, field.rows), default=0)
    for number, row in enumerate(cells):
        name = names[number] if number < len(names) else ""
        yield f"  {name:>{indent}}{' ' * bool(indent)}" + " ".join(f"{c:>{width}}" for c in row)


def _row_text(values: Sequence[Any]) -> str:
    return " ".join(HIDDEN_CARD if value is None else str(value) for value in values) or NONE_LEFT


def piece_name(number: int, pieces: Sequence[str]) -> str:
    """The sign of a number on a board."""
    return pieces[number] if 0 <= number < len(pieces) else str(number)
