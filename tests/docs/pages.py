"""The fenced blocks of a documentation page: commands to run, and the output they should have."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.docs.verifier import DOCS

OPERATORS: Final = {
    "append-only.md",
    "architecture.md",
    "benchmarks.md",
    "operating.md",
    "strength.md",
}  # pages whose commands are for operators
ELSEWHERE: Final = {"fairness.md", "webhooks.md"}  # each with a test of its own
PAGES: Final = sorted(page for page in DOCS.glob("*.md") if page.name not in OPERATORS | ELSEWHERE)
BLOCK: Final = re.compile(r"(?:^<!-- (.*?) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING: Final = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block and its language; `note` is the comment above it."""

    note: str
    language: str
    text: str

    @property
    def excerpted(self) -> str:
        """The file that the block is an excerpt of, or ""."""
        return self.note.removeprefix("from ") if self.note.startswith("from ") else ""

    @property
    def differing(self) -> set[str]:
        """The members of which only the type is promised."""
        return set(re.findall(r"\w+", self.note.removeprefix("may differ:")))


def blocks(page: Path) -> list[Block]:
    """All blocks of a page."""
    return [Block(*found) for found in BLOCK.findall(page.read_text(encoding="utf-8"))]


def difference(block: Block, said: str) -> str:
    """How the output differs from the block; "" if it fits."""
    if block.language == "json":
        return json_difference(json.loads(block.text), json.loads(said), block.differing)
    texts = (block.text, said)
    if block.language == "http":  # where the case of header names does not matter
        texts = (block.text.lower(), said.lower())
    lines = iter(texts[1].splitlines())
    for line in texts[0].splitlines():
        if line != ANYTHING and not any(fits(line, other) for other in lines):
            return f"there is no line {line!r} (any more)"
    return ""


def json_difference(shown: Any, said: Any, differing: set[str], place: str = "") -> str:
    """The first member that differs; in the page, `…` matches any text or further items."""
    if isinstance(shown, dict) and isinstance(said, dict):
        return _objects(shown, said, differing, place)
    if isinstance(shown, list) and isinstance(said, list):
        return _lists(shown, said, differing, place)
    if isinstance(shown, str) and isinstance(said, str):
        return "" if fits(shown, said) else f"{place} is {said!r}, not {shown!r}"
    is_free = differing.intersection(place.split("/"))
    is_same = type(shown) is type(said) and (bool(is_free) or shown == said)
    return "" if is_same else f"{place} is {said!r}, not {shown!r}"


def _objects(shown: Any, said: Any, differing: set[str], place: str) -> str:
    names = set(shown) - {ANYTHING}
    others = set(said) - names if ANYTHING not in shown else set()
    if others or names - set(said):
        return f"{place} has {sorted(others)} more and {sorted(names - set(said))} less"
    found = (json_difference(shown[n], said[n], differing, f"{place}/{n}") for n in sorted(names))
    return next(filter(None, found), "")


def _lists(shown: Any, said: Any, differing: set[str], place: str) -> str:
    is_open = shown[-1:] == [ANYTHING]
    items = shown[:-1] if is_open else shown
    if len(said) < len(items) or (not is_open and len(said) != len(items)):
        return f"{place} has {len(said)} items"
    pairs = zip(items, said, strict=False)
    found = (json_difference(a, b, differing, f"{place}/{n}") for n, (a, b) in enumerate(pairs))
    return next(filter(None, found), "")


def fits(shown: str, said: str) -> bool:
    """Whether it is the same text, where `…` matches any text."""
    return bool(re.fullmatch(".*".join(map(re.escape, shown.split(ANYTHING))), said, re.DOTALL))
