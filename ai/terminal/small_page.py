"""A page for a small terminal: the table in parts that fit above the menu, and long lines broken
between words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from tabularium_engines.common.page_text import HORIZONTAL_RULE

MIN_ROOM: Final = 4  # lines of a part, on however small a terminal
SECTION_BREAK: Final = f"\n{HORIZONTAL_RULE}\n"
OWN_SECTION: Final = re.compile(r"(?m)\(you\b|^Your ")
ITEM_HEAD: Final = re.compile(r" *\S+  +(?=\S)")  # the key of a choice, or the name of a card


class Piece(NamedTuple):
    """Lines of a section."""

    place: int  # of the section on the page
    lines: list[str]
    is_fragment: bool  # of a section that is too long for one part


def break_lines(lines: Iterable[str], width: int) -> list[str]:
    """The lines, each broken between words; a choice goes on below its label."""
    return [part for line in lines for part in _broken(line, width)]


def _broken(line: str, width: int) -> Sequence[str]:
    if len(line) <= width:
        return (line,)
    head = ITEM_HEAD.match(line)
    indent = " " * (head.end() if head else 0)
    return wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def table_parts(table: str, room: int) -> list[str]:
    """A table without its title, variant and rules, in parts of at most so many lines. The first
    part has the situation and the viewer's own cards, and as much of the rest as fits."""
    _, *sections = table.split(SECTION_BREAK)
    pieces = [*_pieces(sections, max(room, MIN_ROOM))]
    rest = [*pieces[:1], *sorted(pieces[1:], key=lambda piece: not _is_own(piece))]
    parts = []
    while rest:
        part, rest = _fill(rest, max(room, MIN_ROOM))
        parts.append("\n".join(line for piece in sorted(part) for line in piece.lines))
    return parts or [table]


def _pieces(sections: Iterable[str], room: int) -> Iterator[Piece]:
    for place, section in enumerate(sections):
        lines = section.splitlines()
        for start in range(0, len(lines), room):
            yield Piece(place, lines[start : start + room], len(lines) > room)


def _is_own(piece: Piece) -> bool:
    return OWN_SECTION.search("\n".join(piece.lines)) is not None


def _fill(pieces: Iterable[Piece], room: int) -> tuple[list[Piece], list[Piece]]:
    """The pieces that fit into so many lines, and the others; a fragment only begins a part."""
    part: list[Piece] = []
    others: list[Piece] = []
    for piece in pieces:
        if len(piece.lines) <= room and not (part and piece.is_fragment):
            part.append(piece)
            room -= len(piece.lines)
        else:
            others.append(piece)
    return part, others
