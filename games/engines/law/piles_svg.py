"""The piles as SVG: side by side, each as thick as its size, with its top card face up if the
viewer sees it; the trash is a heap."""

from __future__ import annotations

from typing import Final

from games.engines.common import playing_card_svg, svg
from games.engines.common.playing_card_svg import PAPER_COLOUR, CardPainter
from games.engines.common.svg import Markup

CARD_SCALE: Final = 0.72
CARD_WIDTH: Final = playing_card_svg.CARD_WIDTH * CARD_SCALE
CARD_HEIGHT: Final = playing_card_svg.CARD_HEIGHT * CARD_SCALE
CARD_SIZE: Final = (CARD_WIDTH, CARD_HEIGHT)
PILE_STEP: Final = CARD_WIDTH + 26  # from pile to pile
PILES_HEIGHT: Final = 158.0
PILE_BASE_Y: Final = 34.0  # where the lowest card of a pile begins
GILT_COLOUR: Final = "#f2c14e"
MUTED_TEXT_COLOUR: Final = "#b9c6d2"
MAX_LAYERS: Final = 8
HEAP_OFFSETS: Final = ((2.0, 8.0, -9.0), (18.0, -6.0, 11.0), (4.0, 0.0, 0.0))


def card_pile(
    cards: CardPainter, x: float, count: int, top: Markup | None, names: tuple[str, str]
) -> Markup:
    """A pile of `count` cards with its top card, or a back, between two captions."""
    thick = min(MAX_LAYERS, (count + 6) // 7)
    layers = [_card_edge(layer) for layer in range(thick)]
    rise = 2 * max(thick - 1, 0)
    lid = svg.transform(rise, PILE_BASE_Y - rise, top or cards.back(), scale=CARD_SCALE)
    return svg.transform(
        x, 0, *layers[:-1], lid if count else _empty_outline(), *_pile_captions(*names)
    )


def seen_card(face: Markup) -> Markup:
    """A hidden card that the viewer has seen, marked with an eye."""
    frame = svg.rect(2, 2, 96, 136, 8, fill="none", stroke=GILT_COLOUR, stroke_width=6)
    lid = svg.path("M-11 0Q0-14 11 0Q0 14-11 0Z", fill="#fff", stroke="#1c1607", stroke_width=2.5)
    eye = svg.circle(0, 0, 15, fill=GILT_COLOUR), lid, svg.circle(0, 0, 4, fill="#1c1607")
    return svg.group(face, frame, svg.transform(24, 112, *eye))


def card_heap(
    cards: CardPainter, x: float, thrown: tuple[str, ...], names: tuple[str, str]
) -> Markup:
    """Open cards, thrown on each other; only a few are visible."""
    lying = [
        svg.transform(dx, PILE_BASE_Y + dy, cards.face(card), scale=CARD_SCALE, turn=turn)
        for card, (dx, dy, turn) in zip(thrown[-len(HEAP_OFFSETS) :], HEAP_OFFSETS, strict=False)
    ]
    return svg.transform(x, 0, *(lying or [_empty_outline()]), *_pile_captions(*names))


def _pile_captions(name: str, number: str) -> tuple[Markup, Markup]:
    """The name of a pile, above it, and its number of cards, below."""
    below = PILE_BASE_Y + CARD_HEIGHT + 18
    return (
        svg.text(0, 8, name, 14, fill="#fff", font_weight="bold"),
        svg.text(0, below, number, 13, fill=MUTED_TEXT_COLOUR),
    )


def _card_edge(layer: int) -> Markup:
    """A card within a pile, of which only the edge is visible."""
    x, y = 2 * layer, PILE_BASE_Y - 2 * layer
    return svg.rect(x, y, *CARD_SIZE, 6, fill=PAPER_COLOUR, stroke="#000", stroke_opacity=0.4)


def _empty_outline() -> Markup:
    return svg.rect(
        0,
        PILE_BASE_Y,
        CARD_WIDTH,
        CARD_HEIGHT,
        6,
        fill="none",
        stroke=MUTED_TEXT_COLOUR,
        stroke_dasharray="4 4",
    )
