"""The terminal's screen: output and input, a page redrawn in colours on a terminal, else plain
lines."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from textwrap import wrap
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ai.terminal.small_page import break_lines

TABLE_WIDTH: Final = 80  # of a table's text
COLUMN_GAP: Final = 3
MARGIN_LINES: Final = 3  # two between the blocks of a page, and the input line
MIN_NEWS_WIDTH: Final = 34  # a narrower column shows no news next to the table
MIN_NEWS_LINES: Final = 2  # shown even if the page then scrolls
LESS_OPTIONS: Final = "-R -PSpace goes on, q goes back to the game"

NEEDED_SIGNS: Final = "♠♥♦♣─▶"
MISSING_SIGNS_HINT: Final = (
    "Some characters cannot be displayed and appear as “?”; PYTHONIOENCODING=utf-8 may help."
)

SEAT_COLOURS: Final = ("cyan", "magenta", "yellow", "green", "blue", "bright_cyan")

# In order of precedence: where two match, the later one wins.
TEXT_STYLES: Final = tuple(
    (re.compile(pattern), style)
    for pattern, style in (
        (r"\b\d+\b", "bold"),
        (r"\bd\d+\b", "bold bright_blue"),
        (r"[─…·–]", "dim"),
        (r"▒", "blue"),
        (r"[●○]", "yellow"),
        (r"(?:\b10|\b[2-9AJQK])?[♥♦]|\b(?:hearts|diamonds)\b", "bold red"),
        (r"(?:\b10|\b[2-9AJQK])?[♠♣]|\b(?:spades|clubs)\b", "bold"),
        (r"(?i)\byou(?:rs?)?\b", "bold"),
    )
)
SEAT_PATTERN: Final = re.compile(r"\b[Ss]eat (\d+)")
AWAITED_PATTERN: Final = re.compile(r"(?m)^(?:▶|>) ?\S+(?: \S+)*")


class PlayerLeft(Exception):
    """The person quits, or the input has ended."""


class Screen:
    """The only place that writes output and reads input."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # an unknown character must not end the game
        self._is_plain = bool(os.environ.get("NO_COLOR")) or not sys.stdout.isatty()
        self.console = self._new_console()
        self.is_live = not self._is_plain and not self.console.is_dumb_terminal
        self._is_interactive = sys.stdin.isatty()
        if not _can_show(NEEDED_SIGNS, self.console.encoding):
            self.say(MISSING_SIGNS_HINT)

    def _new_console(self) -> Console:
        return Console(
            color_system=None if self._is_plain else "auto", highlight=False, legacy_windows=False
        )

    @property
    def width(self) -> int:
        """The characters that fit into a line; plain output puts one item on each line."""
        return self.console.width if self.is_live else 1

    @property
    def height(self) -> int:
        """The lines of the terminal."""
        return self.console.height

    def break_lines(self, lines: Iterable[str]) -> list[str]:
        """The lines as they fit into the width, broken between words; plain output keeps them."""
        return break_lines(lines, self.console.width) if self.is_live else [*lines]

    def has_room(self, table: str, news: Sequence[str], footer: Sequence[str]) -> bool:
        """Whether all of them fit on one page, the news at least in part."""
        has_news_below = news and self._news_width < MIN_NEWS_WIDTH
        news_lines = 1 + min(len(news), MIN_NEWS_LINES) if has_news_below else 0
        lines = len(table.splitlines()) + news_lines + len(footer) + MARGIN_LINES - 1
        return not self.is_live or lines <= self.console.height

    @property
    def _news_width(self) -> int:
        """The width of the news next to the table."""
        return self.console.width - TABLE_WIDTH - COLUMN_GAP - 1

    # -- writing ----------------------------------------------------------------------------------

    def say(self, *sentences: str) -> None:
        """Print sentences, each from a line of its own."""
        for line in self.break_lines(sentences):
            self.console.print(colour_text(line), soft_wrap=True)

    def say_after_interrupt(self, *sentences: str) -> None:
        """Print sentences on a new console: one that was interrupted while it wrote may keep
        whatever comes next in its buffer. Commands among them can be copied: no line is broken."""
        self.console = self._new_console()
        for sentence in sentences:
            self.console.print(colour_text(sentence), soft_wrap=True)

    def show_page(
        self, table: str, news: Sequence[str], footer: Sequence[str] = (), is_tight: bool = False
    ) -> None:
        """Redraw the table, the latest news and the footer, with blank lines between them unless
        the page is tight."""
        if not self.is_live:
            self.say("", table, *_with_blank_line(footer))
            return
        self.console.clear()
        if is_tight:
            latest = _latest_news(news, self.console.width - 1, MIN_NEWS_LINES)
            lines = [colour_text(line) for line in (table, *footer)]
            self.console.print(lines[0], *latest, *lines[1:], sep="\n", soft_wrap=True)
            return
        free_lines = self.console.height - len(footer) - MARGIN_LINES
        if self._news_width >= MIN_NEWS_WIDTH:
            height = max(free_lines, len(table.splitlines()))
            latest = _latest_news(news, self._news_width, height)
            self._print_side_by_side(table, latest, self._news_width)
        else:
            self.console.print(colour_table(table))
            room = max(free_lines - len(table.splitlines()), min(MIN_NEWS_LINES, len(news)))
            self._print_block(_latest_news(news, self.console.width - 1, room))
        self._print_block([colour_text(line) for line in footer])

    def _print_side_by_side(self, table: str, news: Sequence[Text], news_width: int) -> None:
        grid = Table.grid(padding=(0, COLUMN_GAP, 0, 0))
        grid.add_column(width=TABLE_WIDTH, no_wrap=True)
        grid.add_column(width=news_width)
        grid.add_row(colour_table(table), Text("\n").join(news))
        self.console.print(grid)

    def _print_block(self, lines: Sequence[Text]) -> None:
        """Lines after an empty one; nothing if there are none."""
        if lines:
            self.console.print("", *lines, sep="\n", soft_wrap=True)

    def show_in_pager(self, *texts: RenderableType) -> None:
        """Print long text, in a pager if the terminal is interactive."""
        if not (self.is_live and self._is_interactive):
            self.console.print(*texts, sep="\n")
            return
        os.environ.setdefault("LESS", LESS_OPTIONS)
        with self.console.pager(styles=True):
            self.console.print(*texts, sep="\n")

    @contextmanager
    def show_spinner(self, label: str) -> Iterator[None]:
        """Show a spinner during a long operation."""
        if not self.is_live:
            yield
            return
        with self.console.status(colour_text(label)):
            yield

    # -- reading ----------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """The typed line, stripped; raises PlayerLeft at the end of the input."""
        lines = "\n".join(self.break_lines([prompt]))
        self.console.print(colour_text(lines), end=" ", soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            raise PlayerLeft
        text = "".join(character for character in line if character.isprintable()).strip()
        if not self._is_interactive:
            self.console.print(Text(text))
        return text


def _can_show(signs: str, encoding: str) -> bool:
    return signs.encode(encoding, errors="ignore").decode(encoding) == signs


def _with_blank_line(lines: Sequence[str]) -> Sequence[str]:
    return ["", *lines] if lines else []


def _latest_news(news: Sequence[str], width: int, room: int) -> list[Text]:
    """As much of the news as fits, the latest last."""
    lines = [line for item in news for line in wrap(f"· {item}", width, subsequent_indent="  ")]
    if len(lines) > room:
        head = ["…"] if room > MIN_NEWS_LINES else []
        lines = [*head, *lines[len(lines) - room + len(head) :]]
    return [colour_text(line) for line in lines]


# -- colours, for any game ------------------------------------------------------------------------


def colour_text(plain: str) -> Text:
    """The text with suits, seats, numbers and awaited seats in colour."""
    text = Text(plain)
    for pattern, style in TEXT_STYLES:
        text.highlight_regex(pattern, style)
    for seat in SEAT_PATTERN.finditer(plain):
        text.stylize(f"bold {seat_colour(int(seat[1]))}", *seat.span())
    text.highlight_regex(AWAITED_PATTERN, "reverse")
    return text


def seat_colour(seat: int) -> str:
    """The colour of a seat's name."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def colour_table(plain: str) -> Text:
    """A page of the table: its first line is a heading."""
    text = colour_text(plain)
    text.stylize("bold underline", 0, len(plain.partition("\n")[0]))
    return text
