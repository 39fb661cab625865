"""The comments on the members of a dataclass, for its JSON Schema: `#:` after a member, or in the
lines above it, as in the documentation of Python code elsewhere."""

from __future__ import annotations

import ast
import inspect
import linecache
import tokenize
from collections.abc import Callable
from functools import cache
from textwrap import dedent
from typing import Any, Final

MARK: Final = "#:"


def _find_comments(kind: type[Any]) -> dict[str, str]:
    """By member, the comment on it; also on those that the class inherits."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _own_comments(base)
    return found


# cached, as sources never change
member_comments: Callable[[Any], dict[str, str]] = cache(_find_comments)


def _own_comments(kind: type[Any]) -> dict[str, str]:
    try:
        file = inspect.getsourcefile(kind)
    except (OSError, TypeError):  # a built-in class
        return {}
    return _comments_of_file(file).get(kind.__qualname__, {}) if file else {}


def _find_comments_of_file(file: str) -> dict[str, dict[str, str]]:
    """By the qualified name of a class, the comments on its members."""
    lines = linecache.getlines(file)
    found: dict[str, dict[str, str]] = {}
    if any(MARK in line for line in lines):
        _add_classes(ast.parse("".join(lines)).body, "", lines, found)
    return found


# cached: to parse a file again for each of its classes would be most of the server's start
_comments_of_file: Callable[[str], dict[str, dict[str, str]]] = cache(_find_comments_of_file)


def _add_classes(
    nodes: list[ast.stmt], prefix: str, lines: list[str], found: dict[str, dict[str, str]]
) -> None:
    """Add the comments of the classes among these statements, and of those inside them."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            found[prefix + node.name] = _class_comments(node, lines)
            _add_classes(node.body, f"{prefix}{node.name}.", lines, found)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _add_classes(node.body, f"{prefix}{node.name}.<locals>.", lines, found)
        else:
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            _add_classes(inner, prefix, lines, found)


def _class_comments(class_node: ast.ClassDef, lines: list[str]) -> dict[str, str]:
    """By member, the comment on it."""
    first_line = class_node.lineno
    source = "".join(lines[first_line - 1 : class_node.end_lineno])
    found: dict[str, str] = {}
    if MARK not in source:
        return found
    comments = _marked_comments(dedent(source))
    for node in class_node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            member_lines = [line - first_line + 1 for line in _lines_of(node)]
            said = _comment_above(member_lines[0], comments)
            said += [comments[line] for line in member_lines if line in comments]
            if said:
                found[node.target.id] = " ".join(said)
    return found


def _lines_of(node: ast.AnnAssign) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _comment_above(line: int, comments: dict[int, str]) -> list[str]:
    """The lines of a comment that ends right above a line. One after a member belongs to that."""
    found: list[str] = []
    while -(line - 1) in comments:
        line -= 1
        found.insert(0, comments[-line])
    return found


def _marked_comments(source: str) -> dict[int, str]:
    """The marked comments by line: negative where the comment has the line for itself."""
    found: dict[int, str] = {}
    for token in tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__):
        if token.type == tokenize.COMMENT and token.string.startswith(MARK):
            line = token.start[0]
            is_alone = not token.line[: token.start[1]].strip()
            found[-line if is_alone else line] = token.string.removeprefix(MARK).strip()
    return found
