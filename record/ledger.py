"""The ledger of a verification: the games that it found good, from which rows and by which code.
The next verification verifies games that are new or have changed since.

A ledger is a signed note. Its text has a header and a line for each range of leaves of the record,
and each line a cell for each ruleset of that range's games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from tabularium_log.record.errors import MalformedError

FORMAT: Final = "ledger/1"


@dataclass(frozen=True)
class Cell:
    """The games of one ruleset in a range, as they were found."""

    rules: str
    version: int
    games: int
    entries: int
    rows: str  # SHA-256 of all their rows, in hex
    sources: str  # the digest of the ruleset's source; empty if it was not installed
    since: int  # the ledger for which they were verified
    bad: tuple[str, ...] = ()  # ids of games
    unchecked: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether each of its games was verified and is good."""
        return not self.bad and not self.unchecked

    def has_same_games(self, other: Cell) -> bool:
        """Whether these are the same rows under the same rules: if one is good, so is the other."""
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("rules", "version", "games", "entries", "rows", "sources")
        )


@dataclass(frozen=True)
class Range:
    """A range of leaves, with the cells of the games that these leaves are about."""

    first: int
    last: int
    cells: tuple[Cell, ...]

    @property
    def width(self) -> int:
        """The number of its leaves."""
        return self.last + 1 - self.first

    @property
    def is_good(self) -> bool:
        """Whether each game was verified and is good."""
        return all(cell.is_good for cell in self.cells)

    @property
    def line(self) -> str:
        """Its line in a ledger."""
        return _line(asdict(self))


@dataclass(frozen=True)
class Header:
    """The first line of a ledger."""

    number: int  # from 1
    at: str  # when the verification began
    verifier: str  # the digest of the code that verified, besides that of the rules

    @property
    def line(self) -> str:
        """Its line in a ledger."""
        return _line({"format": FORMAT, **asdict(self)})


@dataclass(frozen=True)
class Ledger:
    """A header and its ranges."""

    header: Header
    ranges: tuple[Range, ...]

    @property
    def text(self) -> str:
        """The text that is signed."""
        return "".join([self.header.line, *(each.line for each in self.ranges)])


def _line(members: Mapping[str, Any]) -> str:
    return json.dumps(members, sort_keys=True, separators=(",", ":")) + "\n"


# -- reading --------------------------------------------------------------------------------------


def parse_ledger(text: str) -> Ledger:
    """Read the text of a ledger."""
    first, *others = text.splitlines() or [""]
    members = _members(first, {"format": _text, "number": _number, "at": _text, "verifier": _text})
    if members.pop("format") != FORMAT:
        raise MalformedError(f"The ledger is not in the format {FORMAT}.")
    return Ledger(Header(**members), tuple(parse_ranges(others)))


def parse_ranges(lines: Iterable[str]) -> list[Range]:
    """Read the lines of ranges, which follow each other."""
    ranges, end = list[Range](), 0
    for line in lines:
        members = _members(line, {"first": _number, "last": _number, "cells": _cells})
        ranges.append(Range(**members))
        if not end <= ranges[-1].first <= ranges[-1].last:
            raise MalformedError(f"The range {line[:100]!r} does not follow the one before.")
        end = ranges[-1].last + 1
    return ranges


def _members(line: str, readers: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    try:
        return _read(json.loads(line), readers)
    except (ValueError, TypeError) as problem:
        raise MalformedError(f"{line[:100]!r} is no line of a ledger.") from problem


def _read(document: Any, readers: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    """The members of an object, each by its reader; TypeError if one is wrong."""
    if type(document) is not dict or document.keys() != readers.keys():
        raise TypeError
    return {name: read(document[name]) for name, read in readers.items()}


def _cells(value: Any) -> tuple[Cell, ...]:
    return tuple(Cell(**_read(cell, CELL_READERS)) for cell in _list(value))


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_text, _list(value)))


CELL_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "rules": _text,
    "version": _number,
    "games": _number,
    "entries": _number,
    "rows": _text,
    "sources": _text,
    "since": _number,
    "bad": _texts,
    "unchecked": _texts,
}
