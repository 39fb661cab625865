"""What may I do? All that is legal, numbered, alike beside alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from games.engines.base import Engine, State

GAP: Final = 2
COLUMNS: Final = 4  # more than that, and the eye gets lost


@dataclass(frozen=True)
class Line:
    """One legal action."""

    number: int
    action: Any
    label: str

    def __str__(self) -> str:
        return f"{self.number:>3}  {self.label}"


def menu(engine: Engine[Any, Any], state: State, seat: int) -> list[Line]:
    """The legal actions of a seat, those of a kind together."""
    legal = [(engine.decode(state, seat, code), code) for code in state.legal_actions(seat)]
    legal.sort(key=lambda pair: engine.about.actions.index(type(pair[0])))
    return [
        Line(number, action, engine.label(state, seat, code))
        for number, (action, code) in enumerate(legal, start=1)
    ]


def rows(lines: Sequence[Line], width: int, is_cramped: bool = False) -> Iterator[str]:
    """The menu as text: each kind of action in as many columns as `width` has room for."""
    kinds = [list(alike) for _, alike in groupby(lines, key=lambda line: type(line.action))]
    for alike in kinds:
        yield from _columns(_folded(alike) if is_cramped else [str(line) for line in alike], width)


def _columns(cells: list[str], width: int) -> Iterator[str]:
    """The cells in rows, in columns of which each is as wide as its widest cell."""
    for count in range(min(COLUMNS, len(cells)), 0, -1):
        widths = [max(map(len, cells[column::count])) + GAP for column in range(count)]
        if sum(widths) - GAP <= width:
            break
    for first in range(0, len(cells), count):
        row = zip(cells[first : first + count], widths, strict=False)
        yield "".join(cell.ljust(wide) for cell, wide in row).rstrip()


# -- cramped: "7–9  Make 2♠ law 1/2/3, on 20" -----------------------------------------------------


def _folded(lines: list[Line]) -> list[str]:
    """Neighbours whose labels differ in one and the same word, in one cell."""
    cells = []
    while lines:
        count = next((n for n in range(len(lines), 1, -1) if _place(lines[:n]) is not None), 1)
        cells.append(_cell(lines[:count]))
        lines = lines[count:]
    return cells


def _place(lines: Sequence[Line]) -> int | None:
    """Which is the one word in which the labels differ? None if it is not just one."""
    labels = [line.label.split(" ") for line in lines]
    if len({len(words) for words in labels}) > 1:
        return None
    columns = zip(*labels, strict=True)
    differing = [place for place, words in enumerate(columns) if len(set(words)) > 1]
    return differing[0] if len(differing) == 1 else None


def _cell(lines: Sequence[Line]) -> str:
    place = _place(lines)
    words = lines[0].label.split(" ")
    if place is None:
        return f"{lines[0].number:>6}  {lines[0].label}"
    stop = words[place][-1] if words[place][-1:] in (",", ":", ";") else ""
    several = [line.label.split(" ")[place].removesuffix(stop) for line in lines]
    words[place] = "/".join(several) + stop
    return f"{f'{lines[0].number}–{lines[-1].number}':>6}  {' '.join(words)}"
