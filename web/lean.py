"""Scripts and styles without comments, and without space between tokens. No token changes, so that
a script means the same as its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_SPACE: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)  # and comments
_SIGNS: Final = re.compile(r"[^\s\"'`/]+")  # names, numbers and signs without space between them
_TEXT: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_PATTERN: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE_TEXT: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
_BEFORE_PATTERN: Final = re.compile(
    r"(?:^|[^\w$])(?:return|typeof|case|in|of|await|yield)$|[^\w$)\]}\"'`/]$|^$"
)
_JOINED: Final = frozenset("{}()[],;:=<>?&|!*%.")  # signs that need no space beside them
_UNFINISHED: Final = _JOINED - frozenset(")]}")  # no statement ends with these
_CONTINUING: Final = frozenset(")}],;:.?&|")  # and none begins with these
_STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE_SPACE: Final = re.compile(
    r"\s*(?:;\s*(?=\})|([{};,])\s*)|(?<=:) | +(?=>)|(?<=>) |^\s+|\s*\n\s*"
)


def lean_script(source: str) -> str:
    """A module without comments. Line breaks stay where a statement may end, so that the rules for
    missing semicolons neither add nor lose one."""
    written: list[str] = []
    last, gap = "", ""
    for token, is_space in _tokens(source):
        if is_space:
            gap = "\n" if "\n" in token else " "
            continue
        if gap and last:
            written.append(_kept_space(last[-1], token[0], gap))
        written.append(token)
        last, gap = token, ""
    return "".join(written) + "\n"


def lean_style(source: str) -> str:
    """A style sheet without comments; no text within has space beside a sign."""
    return _STYLE_SPACE.sub(lambda found: found[1] or "", _STYLE_COMMENT.sub("", source)) + "\n"


def _kept_space(before: str, after: str, gap: str) -> str:
    """The space between two signs, as far as it has to stay."""
    if gap == "\n":
        return "" if before in _UNFINISHED or after in _CONTINUING else "\n"
    return "" if before in _JOINED or after in _JOINED else " "


def _tokens(source: str) -> Iterator[tuple[str, bool]]:
    """The tokens of a script, those without space between them as one, and whether they are space
    and comments."""
    place, last = 0, ""
    while place < len(source):
        end, is_space = _token_end(source, place, last)
        token = source[place:end]
        yield token, is_space
        place, last = end, last if is_space else token


def _token_end(source: str, place: int, last: str) -> tuple[int, bool]:
    """Where the token at a place ends, and whether it is space and comments."""
    if found := _SIGNS.match(source, place):
        return found.end(), False
    if found := _SPACE.match(source, place):
        return found.end(), True
    if source[place] == "`":
        return _template_end(source, place + 1), False
    if found := _TEXT.match(source, place):
        return found.end(), False
    found = _PATTERN.match(source, place) if _BEFORE_PATTERN.search(last) else None
    return (found.end() if found else place + 1), False


def _template_end(source: str, place: int) -> int:
    """Where the template ends whose text begins here, past the expressions within it."""
    while True:
        found = _TEMPLATE_TEXT.match(source, place)
        place = found.end() if found else place
        if source[place] == "`":
            return place + 1
        place, depth, last = place + 2, 1, "{"
        while depth:
            end, is_space = _expression_token_end(source, place, last)
            token = source[place:end]
            depth += (token == "{") - (token == "}")
            place, last = end, last if is_space else token


def _expression_token_end(source: str, place: int, last: str) -> tuple[int, bool]:
    """Where a token within a template ends; a brace is a token of its own."""
    end, is_space = _token_end(source, place, last)
    if source[place] in "{}":
        return place + 1, False
    if _SIGNS.match(source, place):
        found = re.compile(r"[^\s\"'`/{}]+").match(source, place)
        return (found.end() if found else end), False
    return end, is_space
