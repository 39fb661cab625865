"""Colouring plain text about a table, for any game."""

from __future__ import annotations

import re
from typing import Final

from rich.text import Text

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
