"""The names of players below a picture: a plate for each seat, with a disc of its hue, its title in
the game, and the player's name, cut and without signs that would disturb other text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol, runtime_checkable
from unicodedata import category, east_asian_width
from xml.sax.saxutils import escape

from tabularium_engines.common import svg
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.svg import TEXT_COLOUR, Markup

# of seats in games whose seats have none of their own; they differ for colour-blind viewers, too
HUES: Final = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7", "#d55e00")
MAX_NAME_WIDTH: Final = 24  # columns of text; a wide letter takes two
CUT_SIGN: Final = "…"
JOINERS: Final = "\u200c\u200d"  # within letters and emoji
UNSEEN_CATEGORIES: Final = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
PLATE_WIDTH: Final = 376.0
PLATE_HEIGHT: Final = 34.0
BAND_PADDING: Final = 10.0
NAME_SIZE: Final = 15.0
BAND_COLOUR: Final = "#1b1e24"
MUTED_TEXT_COLOUR: Final = "#b9c2c9"
COLUMN_WIDTH: Final = 0.7  # of a column, of the size of letters
NAME_SLOT: Final = re.compile(
    r'<text x="[^"]*" y="[^"]*" font-size="(?P<size>[\d.]+)" data-room="(?P<room>[\d.]+)"'
    r' fill="[^"]*" data-name="(?P<seat>\d+)"/>'
)
VIEW_BOX: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


@runtime_checkable
class NamesSeats(Protocol):
    """An engine whose seats have names and hues of their own."""

    seat_titles: Sequence[str]
    seat_hues: Sequence[str]


def add_names(engine: Any, picture: str, names: Sequence[str]) -> str:
    """The picture with the names of the players, by seat, below it."""
    match = VIEW_BOX.search(picture)
    assert match is not None, "a picture has a view box"
    width, height = float(match[1]), float(match[2])
    across = max(1, int((width - 2 * BAND_PADDING) / PLATE_WIDTH))
    rows = -(-len(names) // across)
    band = rows * PLATE_HEIGHT + 2 * BAND_PADDING
    plates = [
        svg.transform(
            BAND_PADDING + seat % across * PLATE_WIDTH,
            height + BAND_PADDING + seat // across * PLATE_HEIGHT,
            *_plate(engine, seat, name),
        )
        for seat, name in enumerate(names)
    ]
    ground = svg.rect(0, height, width, band, fill=BAND_COLOUR)
    view_box = f'viewBox="0 0 {match[1]} {svg.format_number(height + band)}"'
    whole = picture.replace(match[0], view_box, 1).removesuffix("</svg>")
    whole = NAME_SLOT.sub(lambda slot: _filled(slot, names), whole)
    return f"{whole}{svg.group(ground, *plates, data_names=str(len(names)))}</svg>"


def _filled(slot: re.Match[str], names: Sequence[str]) -> str:
    """The place of a name in a panel, with the name as far as there is room."""
    size, room = float(slot["size"]), float(slot["room"])
    shown = readable_name(names[int(slot["seat"])], int(room / (size * COLUMN_WIDTH)))
    return f"{slot[0].removesuffix('/>')}>{escape(shown)}</text>"


def seat_look(engine: Any, seat: int) -> tuple[str, str]:
    """The title of a seat in the game, and its hue."""
    if isinstance(engine, NamesSeats):
        return engine.seat_titles[seat], engine.seat_hues[seat]
    return player_name(seat), HUES[seat % len(HUES)]


def _plate(engine: Any, seat: int, name: str) -> Iterator[Markup]:
    title, hue = seat_look(engine, seat)
    middle = PLATE_HEIGHT / 2
    yield svg.circle(14, middle, 9, fill=hue, stroke="#ffffff", stroke_width=1.5)
    yield svg.text(32, middle + 5, title, NAME_SIZE, fill=MUTED_TEXT_COLOUR)
    left = 32 + svg.text_width(title, NAME_SIZE) + 14
    shown = readable_name(name)
    yield svg.text(left, middle + 5, shown, NAME_SIZE, fill=TEXT_COLOUR, font_weight="bold")


def readable_name(name: str, most: int = MAX_NAME_WIDTH) -> str:
    """The name without unseen signs, which could turn other text round, and cut to so many columns
    of text."""
    seen = "".join(
        letter if letter in JOINERS or category(letter) not in UNSEEN_CATEGORIES else " "
        for letter in name
    )
    seen = " ".join(seen.split())
    if sum(map(_columns, seen)) <= most:
        return seen
    kept, left = "", most - 1
    for letter in seen:
        left -= _columns(letter)
        if left < 0:
            break
        kept += letter
    return kept.rstrip(f" {JOINERS}") + CUT_SIGN


def _columns(letter: str) -> int:
    """The columns that a letter takes: none for a mark on another one."""
    if letter in JOINERS or category(letter) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
