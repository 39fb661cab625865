"""Imports moved to another package: the syntax tree finds each name that a source imports, and only
these characters change."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

PROJECT_PACKAGES: Final = frozenset(
    {"games", "ai", "jobs", "record", "api", "config", "library", "examples"}
)


class CannotMove(ValueError):
    """A source imports a module of the project that is not part of the library."""


class Edit(NamedTuple):
    """A piece of a source, as offsets in its UTF-8 bytes, and its replacement."""

    start: int
    end: int
    text: str


def move_imports(source: str, new_names: Mapping[str, str]) -> str:
    """The source with every import of an old package replaced by one of its new name."""
    encoded = source.encode()
    starts = [0]
    for line in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for edit in sorted(_edits(encoded, starts, new_names), reverse=True):
        encoded = encoded[: edit.start] + edit.text.encode() + encoded[edit.end :]
    return encoded.decode()


def _edits(encoded: bytes, starts: list[int], new_names: Mapping[str, str]) -> Iterator[Edit]:
    for node in ast.walk(ast.parse(encoded)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from _edit_of_import(node, node.module, encoded, starts, new_names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                _refuse_unmoved(alias.name, alias.name, node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            new = new_name(node.value, new_names)
            if new != node.value and re.fullmatch(r"[\w.]+", node.value):
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                yield Edit(start, end, f'"{new}"')


def _edit_of_import(
    node: ast.ImportFrom,
    module: str,
    encoded: bytes,
    starts: list[int],
    new_names: Mapping[str, str],
) -> Iterator[Edit]:
    new = new_name(module, new_names)
    _refuse_unmoved(new, module, node.lineno)
    if new != module:
        statement = starts[node.lineno - 1] + node.col_offset
        start = encoded.index(module.encode(), statement + len("from"))
        yield Edit(start, start + len(module.encode()), new)


def _refuse_unmoved(new: str, old: str, line: int) -> None:
    if new.partition(".")[0] in PROJECT_PACKAGES:
        raise CannotMove(f"line {line} imports {old}, which the library does not contain")


def new_name(module: str, new_names: Mapping[str, str]) -> str:
    """The new name of a module; the same one if its package stays."""
    for old, new in new_names.items():
        if module == old or module.startswith(f"{old}."):
            return new + module[len(old) :]
    return module
