"""The numbered menu of legal actions, grouped by kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from games.engines.base import Engine, State

COLUMN_GAP: Final = 2
MAX_COLUMNS: Final = 4  # more are hard to read


@dataclass(frozen=True)
class MenuLine:
    """One legal action."""

    number: int
    action: Any
    label: str

    def __str__(self) -> str:
        return f"{self.number:>3}  {self.label}"


def build_menu(engine: Engine[Any, Any], state: State, seat: int) -> list[MenuLine]:
    """The legal actions of a seat, grouped by kind."""
    legal = [(engine.decode(state, seat, code), code) for code in state.legal_actions(seat)]
    legal.sort(key=lambda pair: engine.about.actions.index(type(pair[0])))
    return [
        MenuLine(number, action, engine.label(state, seat, code))
        for number, (action, code) in enumerate(legal, start=1)
    ]


def render_menu(lines: Sequence[MenuLine], width: int, is_cramped: bool = False) -> Iterator[str]:
    """The menu as text: each kind of action in as many columns as fit into `width`."""
    kinds = [list(alike) for _, alike in groupby(lines, key=lambda line: type(line.action))]
    for alike in kinds:
        yield from _render_columns(
            _fold_cells(alike) if is_cramped else [str(line) for line in alike], width
        )


def _render_columns(cells: list[str], width: int) -> Iterator[str]:
    """The cells in rows, each column as wide as its widest cell."""
    for count in range(min(MAX_COLUMNS, len(cells)), 0, -1):
        widths = [max(map(len, cells[column::count])) + COLUMN_GAP for column in range(count)]
        if sum(widths) - COLUMN_GAP <= width:
            break
    for first in range(0, len(cells), count):
        row = zip(cells[first : first + count], widths, strict=False)
        yield "".join(cell.ljust(wide) for cell, wide in row).rstrip()


# -- cramped: "7–9  Make 2♠ law 1/2/3, on 20" -----------------------------------------------------


def _fold_cells(lines: list[MenuLine]) -> list[str]:
    """Neighbours whose labels differ in the same single word, folded into one cell."""
    cells = []
    while lines:
        count = next(
            (n for n in range(len(lines), 1, -1) if _differing_word(lines[:n]) is not None), 1
        )
        cells.append(_folded_cell(lines[:count]))
        lines = lines[count:]
    return cells


def _differing_word(lines: Sequence[MenuLine]) -> int | None:
    """The index of the one word in which the labels differ; None if they differ in more."""
    labels = [line.label.split(" ") for line in lines]
    if len({len(words) for words in labels}) > 1:
        return None
    columns = zip(*labels, strict=True)
    differing = [place for place, words in enumerate(columns) if len(set(words)) > 1]
    return differing[0] if len(differing) == 1 else None


def _folded_cell(lines: Sequence[MenuLine]) -> str:
    place = _differing_word(lines)
    words = lines[0].label.split(" ")
    if place is None:
        return f"{lines[0].number:>6}  {lines[0].label}"
    stop = words[place][-1] if words[place][-1:] in (",", ":", ";") else ""
    several = [line.label.split(" ")[place].removesuffix(stop) for line in lines]
    words[place] = "/".join(several) + stop
    return f"{f'{lines[0].number}–{lines[-1].number}':>6}  {' '.join(words)}"
