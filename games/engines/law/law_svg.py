"""A Law as SVG: a small card and its text, marked if the Law binds one player only, and dimmed if
it is an event that has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import playing_card_svg, svg
from games.engines.common.playing_card_svg import GOLD_COLOUR, PAPER_COLOUR, CardPainter
from games.engines.common.svg import Markup

PLATE_HEIGHT: Final = 62.0
PLATE_GAP: Final = 6.0
THUMB_SCALE: Final = 0.36
PADDING: Final = 5.0
FONT_SIZES: Final = (13.0, 12.0, 11.0, 10.0)  # of the text; the largest that fits is used
SEAL_LINE_HEIGHT: Final = 16.0
INK_COLOUR: Final = "#2a2115"
STONE_COLOUR: Final = "#e9dfc6"
SPENT_COLOUR: Final = "#b9b4a2"
SEAL_COLOUR: Final = "#8c1d2f"


def law_plate(cards: CardPainter, card: str, text: str, width: float, bound: str = "") -> Markup:
    """A Law that is in force; `bound` names the only player it binds, if there is one."""
    return svg.group(
        svg.rect(0, 0, width, PLATE_HEIGHT, 7, fill=STONE_COLOUR, stroke=GOLD_COLOUR),
        *_content(cards, card, text, width, bound),
    )


def spent_event_plate(cards: CardPainter, card: str, text: str, width: float) -> Markup:
    """An event that has happened: it counts as a Law, and does nothing more."""
    stone = svg.rect(0, 0, width, PLATE_HEIGHT, 7, fill=SPENT_COLOUR, stroke="#8d8875")
    return svg.group(stone, *_content(cards, card, text, width, ""), opacity=0.85)


def _content(
    cards: CardPainter, card: str, text: str, width: float, bound: str
) -> Iterator[Markup]:
    yield svg.transform(
        PADDING,
        (PLATE_HEIGHT - playing_card_svg.CARD_HEIGHT * THUMB_SCALE) / 2,
        cards.thumb(card),
        scale=THUMB_SCALE,
    )
    left = PADDING + playing_card_svg.CARD_WIDTH * THUMB_SCALE + 8
    room = PLATE_HEIGHT - 2 * PADDING + 4 - (SEAL_LINE_HEIGHT if bound else 0)
    lines, size = fit_text(text, width - left - PADDING, room)
    height = svg.LINE_SPACING * size * len(lines) + (SEAL_LINE_HEIGHT if bound else 0)
    first = (PLATE_HEIGHT - height) / 2 + size * 0.95
    yield svg.paragraph(left, first, lines, size, fill=INK_COLOUR)
    if bound:
        yield _seal(
            left, first + svg.LINE_SPACING * size * (len(lines) - 1) + SEAL_LINE_HEIGHT, bound
        )


def fit_text(text: str, width: float, height: float) -> tuple[list[str], float]:
    """The text of a Law broken into lines, as large as fits, and its font size."""
    for size in FONT_SIZES:
        lines = svg.wrap_text(text, size, width)
        if svg.LINE_SPACING * size * len(lines) <= height:
            break
    return lines, size


def _seal(x: float, baseline: float, bound: str) -> Markup:
    """The mark of a Law that binds one player."""
    width = svg.text_width(bound, 12) + 14
    shape = svg.rect(x - 2, baseline - 11, width, 16, 8, fill=SEAL_COLOUR)
    words = svg.text(x + 5, baseline + 1, bound, 12, fill=PAPER_COLOUR, font_weight="bold")
    return svg.group(shape, words)


def grid_size(count: int, width: float) -> tuple[int, float, float]:
    """The grid for `count` Laws in a strip: Laws per row, width of each, height of all."""
    in_row = max(1, int((width + PLATE_GAP) // (250 + PLATE_GAP)))
    rows = max(1, -(-count // in_row))
    return (
        in_row,
        (width + PLATE_GAP) / in_row - PLATE_GAP,
        rows * (PLATE_HEIGHT + PLATE_GAP) - PLATE_GAP,
    )
