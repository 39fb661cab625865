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
    "balance.md",
    "benchmarks.md",
    "desk.md",
    "operating.md",
    "scale.md",
    "strength.md",
}  # pages whose commands are for operators
CONTRIBUTORS: Final = {
    "change-the-api.md",
    "compiled-code.md",
    "dependencies.md",
    "glossary.md",
    "releasing.md",
}  # pages whose commands are for contributors
ELSEWHERE: Final = {
    "add-a-game.md",
    "agents.md",
    "clients-typescript.md",
    "fairness.md",
    "monitor.md",
    "peers.md",
    "small-game.md",
    "test-clock.md",
    "webhooks.md",
}  # each with a test of its own
NOT_ALIKE: Final = OPERATORS | CONTRIBUTORS | ELSEWHERE
RECORDED: Final = DOCS / "monitor.md"  # run against a server that signs its record
CLOCKED: Final = DOCS / "test-clock.md"  # run against a server with a test clock
PAGES: Final = [
    *sorted(page for page in DOCS.glob("*.md") if page.name not in NOT_ALIKE),
    DOCS.parent / "README.md",
    DOCS.parent / "clients" / "python" / "README.md",
]
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
    return [Block(*fields) for fields in BLOCK.findall(page.read_text(encoding="utf-8"))]


def difference(block: Block, output: str) -> str:
    """How the output differs from the block; "" if it fits."""
    if block.language == "json":
        return json_difference(json.loads(block.text), json.loads(output), block.differing)
    texts = (block.text, output)
    if block.language == "http":  # where the case of header names does not matter
        texts = (block.text.lower(), output.lower())
    lines = iter(texts[1].splitlines())
    for line in texts[0].splitlines():
        if line != ANYTHING and not any(fits(line, other) for other in lines):
            return f"there is no line {line!r} (any more)"
    return ""


def json_difference(expected: Any, output: Any, differing: set[str], place: str = "") -> str:
    """The first member that differs; in the page, `…` matches any text or further items."""
    if isinstance(expected, dict) and isinstance(output, dict):
        return _objects(expected, output, differing, place)
    if isinstance(expected, list) and isinstance(output, list):
        return _lists(expected, output, differing, place)
    if isinstance(expected, str) and isinstance(output, str):
        return "" if fits(expected, output) else f"{place} is {output!r}, not {expected!r}"
    is_free = differing.intersection(place.split("/"))
    is_same = type(expected) is type(output) and (bool(is_free) or expected == output)
    return "" if is_same else f"{place} is {output!r}, not {expected!r}"


def _objects(expected: Any, output: Any, differing: set[str], place: str) -> str:
    expected_names = set(expected) - {ANYTHING}
    extra = set(output) - expected_names if ANYTHING not in expected else set()
    if extra or expected_names - set(output):
        return f"{place} has {sorted(extra)} more and {sorted(expected_names - set(output))} less"
    differences = (
        json_difference(expected[n], output[n], differing, f"{place}/{n}")
        for n in sorted(expected_names)
    )
    return next(filter(None, differences), "")


def _lists(expected: Any, output: Any, differing: set[str], place: str) -> str:
    is_open = expected[-1:] == [ANYTHING]
    items = expected[:-1] if is_open else expected
    if len(output) < len(items) or (not is_open and len(output) != len(items)):
        return f"{place} has {len(output)} items"
    pairs = zip(items, output, strict=False)
    differences = (
        json_difference(a, b, differing, f"{place}/{n}") for n, (a, b) in enumerate(pairs)
    )
    return next(filter(None, differences), "")


def fits(expected: str, output: str) -> bool:
    """Whether it is the same text, where `…` matches any text."""
    return bool(
        re.fullmatch(".*".join(map(re.escape, expected.split(ANYTHING))), output, re.DOTALL)
    )
