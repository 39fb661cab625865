"""What does a person see and type? A page redrawn in colours on a terminal, else plain lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from textwrap import wrap
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ai.terminal import colours

PAGE: Final = 80  # the width of a table's text
GAP: Final = 3
MARGIN: Final = 3  # two lines between the blocks of a page, and the one that is typed on
ASIDE: Final = 34  # the least width for news beside the table
LEAST_NEWS: Final = 2  # lines that are shown even if the page then scrolls
LESS: Final = "-R -PSpace goes on, q goes back to the game"

SIGNS: Final = "♠♥♦♣─▶"
POOR: Final = "Some signs cannot be shown here and become “?”; PYTHONIOENCODING=utf-8 may help."


class Leave(Exception):
    """The person wants to go, or nothing more can be typed."""


class Screen:
    """The one place that writes and reads."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # and play on
        is_plain = bool(os.environ.get("NO_COLOR")) or not sys.stdout.isatty()
        self.console = Console(
            color_system=None if is_plain else "auto", highlight=False, legacy_windows=False
        )
        self.is_live = not is_plain and not self.console.is_dumb_terminal
        self._is_typed = sys.stdin.isatty()
        if not _can_show(SIGNS, self.console.encoding):
            self.say(POOR)

    @property
    def width(self) -> int:
        """How many letters fit into a line; plain lines have one thing each."""
        return self.console.width if self.is_live else 1

    def has_room(self, table: str, menu: Sequence[str]) -> bool:
        """Would both be seen at once?"""
        lines = len(table.splitlines()) + len(menu) + 1 + MARGIN
        return not self.is_live or lines <= self.console.height

    # -- writing ----------------------------------------------------------------------------------

    def say(self, *sentences: str) -> None:
        """Sentences, each on a line of its own."""
        for sentence in sentences:
            self.console.print(colours.coloured(sentence), soft_wrap=True)

    def page(self, table: str, news: Sequence[str], seen: int, below: Sequence[str] = ()) -> None:
        """The table, the latest news (the first `seen` are old) and what is below, redrawn."""
        if not self.is_live:
            self.say("", table, *_spaced(below))
            return
        self.console.clear()
        left = self.console.height - len(below) - MARGIN
        aside = self.console.width - PAGE - GAP - 1
        if aside >= ASIDE:
            height = max(left, len(table.splitlines()))
            self._side_by_side(table, _latest(news, seen, aside, height), aside)
        else:
            self.console.print(colours.table(table))
            room = max(left - len(table.splitlines()), min(LEAST_NEWS, len(news) - seen))
            self._block(_latest(news, seen, self.console.width - 1, room))
        self._block([colours.coloured(line) for line in below])

    def _side_by_side(self, table: str, news: Sequence[Text], aside: int) -> None:
        grid = Table.grid(padding=(0, GAP, 0, 0))
        grid.add_column(width=PAGE, no_wrap=True)
        grid.add_column(width=aside)
        grid.add_row(colours.table(table), Text("\n").join(news))
        self.console.print(grid)

    def _block(self, lines: Sequence[Text]) -> None:
        """Lines after an empty one; nothing if there are none."""
        if lines:
            self.console.print("", *lines, sep="\n", soft_wrap=True)

    def read_out(self, *texts: RenderableType) -> None:
        """Much text, page by page if somebody sits there."""
        if not (self.is_live and self._is_typed):
            self.console.print(*texts, sep="\n")
            return
        os.environ.setdefault("LESS", LESS)
        with self.console.pager(styles=True):
            self.console.print(*texts, sep="\n")

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Something that takes a while, behind a spinner."""
        if not self.is_live:
            yield
            return
        with self.console.status(colours.coloured(what)):
            yield

    # -- reading ----------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """What was typed, without the space around it; Leave if that was the end."""
        self.console.print(colours.coloured(prompt), end=" ", soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            raise Leave
        said = "".join(letter for letter in line if letter.isprintable()).strip()
        if not self._is_typed:
            self.console.print(Text(said))
        return said


def _can_show(signs: str, encoding: str) -> bool:
    return signs.encode(encoding, errors="ignore").decode(encoding) == signs


def _spaced(lines: Sequence[str]) -> Sequence[str]:
    return ["", *lines] if lines else []


def _latest(news: Sequence[str], seen: int, width: int, room: int) -> list[Text]:
    """As much of the news as there is room for, the latest last, the old ones dim."""
    lines = [
        (line, "dim" if number < seen else "")
        for number, item in enumerate(news)
        for line in wrap(item, width, initial_indent="· ", subsequent_indent="  ")
    ]
    if len(lines) > room:
        head = [("…", "dim")] if room > LEAST_NEWS else []
        lines = [*head, *lines[len(lines) - room + len(head) :]]
    return [_dimmed(line, style) for line, style in lines]


def _dimmed(line: str, style: str) -> Text:
    text = colours.coloured(line)
    text.stylize(style)
    return text
