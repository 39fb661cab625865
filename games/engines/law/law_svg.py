"""How does a Law look on the table? Its card, small, and beside it what it says; marked if it binds
one player only, dimmed if it is an Event that has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import GOLD, PAPER, Cards
from games.engines.common.svg import Markup

HEIGHT: Final = 62.0
GAP: Final = 6.0
THUMB: Final = 0.36
PAD: Final = 5.0
SIZES: Final = (13.0, 12.0, 11.0, 10.0)  # of the text, the largest that fits
SEAL_LINE: Final = 16.0
INK: Final = "#2a2115"
STONE: Final = "#e9dfc6"
SPENT: Final = "#b9b4a2"
SEAL: Final = "#8c1d2f"


def plate(cards: Cards, card: str, text: str, width: float, bound: str = "") -> Markup:
    """A Law that is in force; `bound` says for whom, if not for everybody."""
    return svg.group(
        svg.rect(0, 0, width, HEIGHT, 7, fill=STONE, stroke=GOLD),
        *_content(cards, card, text, width, bound),
    )


def spent(cards: Cards, card: str, text: str, width: float) -> Markup:
    """An Event that has happened: it counts, and does nothing more."""
    stone = svg.rect(0, 0, width, HEIGHT, 7, fill=SPENT, stroke="#8d8875")
    return svg.group(stone, *_content(cards, card, text, width, ""), opacity=0.85)


def _content(cards: Cards, card: str, text: str, width: float, bound: str) -> Iterator[Markup]:
    yield svg.at(PAD, (HEIGHT - french_svg.HEIGHT * THUMB) / 2, cards.thumb(card), scale=THUMB)
    left = PAD + french_svg.WIDTH * THUMB + 8
    room = HEIGHT - 2 * PAD + 4 - (SEAL_LINE if bound else 0)
    lines, size = fitted(text, width - left - PAD, room)
    height = svg.LEADING * size * len(lines) + (SEAL_LINE if bound else 0)
    first = (HEIGHT - height) / 2 + size * 0.95
    yield svg.paragraph(left, first, lines, size, fill=INK)
    if bound:
        yield _seal(left, first + svg.LEADING * size * (len(lines) - 1) + SEAL_LINE, bound)


def fitted(text: str, width: float, height: float) -> tuple[list[str], float]:
    """The text of a Law broken into lines, as large as there is room for, and how large that is."""
    for size in SIZES:
        lines = svg.lines_of(text, size, width)
        if svg.LEADING * size * len(lines) <= height:
            break
    return lines, size


def _seal(x: float, baseline: float, bound: str) -> Markup:
    """The mark of a Law that binds one player."""
    width = svg.width_of(bound, 12) + 14
    shape = svg.rect(x - 2, baseline - 11, width, 16, 8, fill=SEAL)
    words = svg.text(x + 5, baseline + 1, bound, 12, fill=PAPER, font_weight="bold")
    return svg.group(shape, words)


def size(count: int, width: float) -> tuple[int, float, float]:
    """For so many Laws in a strip: how many a row, how wide each is, how high all are."""
    in_row = max(1, int((width + GAP) // (250 + GAP)))
    rows = max(1, -(-count // in_row))
    return in_row, (width + GAP) / in_row - GAP, rows * (HEIGHT + GAP) - GAP
