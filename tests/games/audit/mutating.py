"""Mutations: every small change to the lines of an exported game, one at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any

from tabularium_log.fairness.canonical_json import decode_canonical, encode_canonical

FLIPS = 6  # flipped bytes per line
Line = bytes


@dataclass(frozen=True)
class Mutation:
    """Some lines replaced by others. There are many more than a test tries, so the new lines are
    written only on demand."""

    name: str
    first: int  # index of the first line that changes
    old: int  # number of lines replaced
    write_lines: Callable[[], tuple[Line, ...]]

    @cached_property
    def new(self) -> tuple[Line, ...]:
        """The lines that replace the old ones."""
        return self.write_lines()

    def applied(self, lines: Sequence[Line]) -> list[Line]:
        """The mutated file."""
        return [*lines[: self.first], *self.new, *lines[self.first + self.old :]]

    def is_named(self, lines: Sequence[Line], line: int | None, seq: int | None) -> bool:
        """Whether a verdict points to where the change first shows: the line, or the next one if
        only its `prev` reveals the change; for the reveal, the entry. A change to the header or
        trailer may be named anywhere."""
        line_number = self.first + 1
        document = (
            decode_canonical(lines[self.first].decode()[:-1]) if self.first < len(lines) else {}
        )
        if line in (line_number, line_number + 1):
            return True
        if self.first == 0 or "trailer" in document:
            return True
        if "reveal" in document:
            return seq in entries_of(document, self.new)
        return seq is not None and line_number <= seq + 1 <= line_number + 1


def entries_of(reveal: Any, new: Sequence[Line]) -> set[int]:
    """The entries whose revealed fields differ from the original line."""
    try:
        other = json.loads(new[0])["reveal"]["fields"]
    except (ValueError, LookupError, TypeError):
        return set()
    fields = reveal["reveal"]["fields"]
    return {int(seq) for seq in {*fields, *other} if fields.get(seq) != other.get(seq)}


def mutations(
    lines: Sequence[Line], other_lines: Sequence[Line], chance: Random
) -> Iterator[Mutation]:
    """All mutations; `other_lines` are those of another game."""
    for index, line in enumerate(lines):
        yield from of_document(index, line)
        yield from of_bytes(index, line, chance)
        yield from of_lines(index, lines, other_lines)


def of_document(index: int, line: Line) -> Iterator[Mutation]:
    """Drop each key and item, alter each value, add one to each object and list."""
    text = line.decode()[:-1]
    for name, change in changes(decode_canonical(text), ()):
        yield Mutation(f"line {index + 1}: {name}", index, 1, partial(changed_line, text, change))


def changed_line(text: str, change: Callable[[Any], None]) -> tuple[Line]:
    """The line of a changed document."""
    document = decode_canonical(text)
    change(document)
    return (encode_canonical(document).encode() + b"\n",)


def changes(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """All changes to the parts of a document, with their names."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        item_path = (*path, key)
        yield f"drop {item_path}", partial(delete_value, path=item_path)
        if isinstance(item, (dict, list)):
            yield f"empty {item_path}", partial(set_value, path=item_path, value=None)
            yield from changes(item, item_path)
        else:
            yield f"alter {item_path}", partial(set_value, path=item_path, value=alter_value(item))
    if isinstance(value, dict):
        yield f"add to {path}", partial(set_value, path=(*path, "more"), value=1)


def alter_value(value: Any) -> Any:
    """Another value of the same type, as similar as possible."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value[:-1] + ("1" if value.endswith("0") else "0")


def at(document: Any, path: tuple[Any, ...]) -> Any:
    """The part of a document at a path."""
    for key in path:
        document = document[key]
    return document


def set_value(document: Any, path: tuple[Any, ...], value: Any) -> None:
    """Set the value at a path."""
    at(document, path[:-1])[path[-1]] = value


def delete_value(document: Any, path: tuple[Any, ...]) -> None:
    """Delete the value at a path."""
    del at(document, path[:-1])[path[-1]]


def of_bytes(index: int, line: Line, chance: Random) -> Iterator[Mutation]:
    """Flip bits, insert a blank."""
    for _ in range(FLIPS):
        place = chance.randrange(len(line))
        flipped = line[place] ^ 1 << chance.randrange(8)
        edited = line[:place] + bytes([flipped]) + line[place + 1 :]
        parts = tuple(edited.splitlines(keepends=True) if flipped == ord("\n") else [edited])
        yield fixed_mutation(f"line {index + 1}: byte {place} is {flipped}", index, 1, *parts)
    place = line.index(b":")
    yield fixed_mutation(f"line {index + 1}: blank", index, 1, line[:place] + b" " + line[place:])


def of_lines(index: int, lines: Sequence[Line], other_lines: Sequence[Line]) -> Iterator[Mutation]:
    """Drop, duplicate, swap and replace lines; truncate the file."""
    line, number, remaining = lines[index], index + 1, len(lines) - index
    yield fixed_mutation(f"line {number} dropped", index, 1)
    yield fixed_mutation(f"line {number} doubled", index + 1, 0, line)
    yield fixed_mutation(f"cut off before line {number}", index, remaining)
    yield fixed_mutation(f"cut off within line {number}", index, remaining, line[: len(line) // 2])
    if index + 1 < len(lines):
        yield fixed_mutation(
            f"line {number} swapped with the next", index, 2, lines[index + 1], line
        )
    if index < len(other_lines):
        yield fixed_mutation(f"line {number} of another game", index, 1, other_lines[index])


def fixed_mutation(name: str, first: int, old: int, *new: Line) -> Mutation:
    """A mutation whose lines are known."""
    return Mutation(name, first, old, lambda: new)
