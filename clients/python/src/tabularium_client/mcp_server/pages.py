"""The page of a table, without ornaments, and the lines of it that have changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from tabularium_client.mcp_server.replies import fitting

CHANGES_ROOM: Final = 560  # bytes of the lines that have changed
RULE: Final = re.compile("─{8,}")  # a line across the page takes 240 bytes
GAP: Final = "…"


def compact(page: str) -> str:
    """A page whose rules are short, and whose lines end with their last letter."""
    return "\n".join(line.rstrip() for line in RULE.sub("──", page).splitlines())


def changes(before: str, now: str) -> str:
    """The lines of a page that are new, each after the line above it, as far as there is room."""
    lines = now.splitlines()
    shown = list(_changed_lines(before.splitlines(), lines))
    texts = [
        (GAP + "\n" if number and number - 1 not in shown[:place] else "") + lines[number]
        for place, number in enumerate(shown)
    ]
    fit = fitting(texts, CHANGES_ROOM)
    rest = len(texts) - fit
    more = [f"{GAP} and {rest} more lines: look without `since`."] if rest > 0 else []
    return "\n".join([*texts[:fit], *more])


def _changed_lines(before: Sequence[str], now: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines that are new, and of the line above each."""
    last = -1
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for kind, _, _, begin, end in matcher.get_opcodes():
        if kind != "equal" and begin < end:
            for number in range(max(begin - 1, last + 1), end):
                if now[number]:
                    yield number
            last = end - 1
