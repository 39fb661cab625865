"""How does plain text about a table become colourful, whatever the game?"""

from __future__ import annotations

import re
from typing import Final

from rich.text import Text

SEATS: Final = ("cyan", "magenta", "yellow", "green", "blue", "bright_cyan")

# From weak to strong: where two of them meet, the later one wins.
STYLES: Final = tuple(
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
SEAT: Final = re.compile(r"\b[Ss]eat (\d+)")
AWAITED: Final = re.compile(r"(?m)^(?:▶|>) ?\S+(?: \S+)*")


def coloured(plain: str) -> Text:
    """The text with suits, seats, numbers and whoever is awaited in colour."""
    text = Text(plain)
    for pattern, style in STYLES:
        text.highlight_regex(pattern, style)
    for seat in SEAT.finditer(plain):
        text.stylize(f"bold {colour(int(seat[1]))}", *seat.span())
    text.highlight_regex(AWAITED, "reverse")
    return text


def colour(seat: int) -> str:
    """The colour in which a seat is named."""
    return SEATS[seat % len(SEATS)]


def table(plain: str) -> Text:
    """A page of the table: its first line is a heading."""
    text = coloured(plain)
    text.stylize("bold underline", 0, len(plain.partition("\n")[0]))
    return text
