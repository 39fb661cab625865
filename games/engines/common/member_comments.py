"""The comments on the members of a dataclass, for its JSON Schema: `#:` after a member, or in the
lines above it, as in the documentation of Python code elsewhere."""

from __future__ import annotations

import ast
import inspect
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


# cached: reading sources is slow, and they never change
member_comments: Callable[[Any], dict[str, str]] = cache(_find_comments)


def _own_comments(kind: type[Any]) -> dict[str, str]:
    try:
        source = dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # a built-in class, or a module without its source
        return {}
    (class_node,) = ast.parse(source).body
    assert isinstance(class_node, ast.ClassDef)
    comments = _marked_comments(source)
    found: dict[str, str] = {}
    for node in class_node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            said = _comment_above(node.lineno, comments)
            said += [comments[line] for line in _lines_of(node) if line in comments]
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
