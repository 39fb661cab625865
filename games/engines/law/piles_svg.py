"""How do the piles look? Side by side, each as thick as it is, with its top card open if the viewer
sees it; the trash is a heap."""

from __future__ import annotations

from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Markup

SCALE: Final = 0.72
CARD: Final = french_svg.WIDTH * SCALE
STEP: Final = CARD + 26  # from pile to pile
HEIGHT: Final = 158.0
BASE: Final = 34.0  # where the lowest card of a pile begins
GILT: Final = "#f2c14e"
MUTED: Final = "#b9c6d2"
LAYERS: Final = 8
THROWN: Final = ((2.0, 8.0, -9.0), (18.0, -6.0, 11.0), (4.0, 0.0, 0.0))


def pile(cards: Cards, x: float, count: int, top: Markup | None, names: tuple[str, str]) -> Markup:
    """A pile of `count` cards with its top card, or a back, between two lines of words."""
    thick = min(LAYERS, (count + 6) // 7)
    layers = [_edge(layer) for layer in range(thick)]
    last = top or cards.back()
    height = BASE - 2 * max(thick - 1, 0)
    lid = svg.at(2 * max(thick - 1, 0), height, last, scale=SCALE) if count else _hollow()
    return svg.at(x, 0, *layers[:-1], lid, *_words(*names))


def peeked(face: Markup) -> Markup:
    """A card that lies hidden, but not from the viewer, who has seen it."""
    frame = svg.rect(2, 2, 96, 136, 8, fill="none", stroke=GILT, stroke_width=6)
    lid = svg.path("M-11 0Q0-14 11 0Q0 14-11 0Z", fill="#fff", stroke="#1c1607", stroke_width=2.5)
    eye = svg.circle(0, 0, 15, fill=GILT), lid, svg.circle(0, 0, 4, fill="#1c1607")
    return svg.group(face, frame, svg.at(24, 112, *eye))


def heap(cards: Cards, x: float, thrown: tuple[str, ...], names: tuple[str, str]) -> Markup:
    """Open cards, thrown on each other: a few of them are seen."""
    lying = [
        svg.at(dx, BASE + dy, cards.face(card), scale=SCALE, turn=turn)
        for card, (dx, dy, turn) in zip(thrown[-len(THROWN) :], THROWN, strict=False)
    ]
    return svg.at(x, 0, *(lying or [_hollow()]), *_words(*names))


def _words(name: str, number: str) -> tuple[Markup, Markup]:
    """What a pile is called, above it, and how many cards it has, below."""
    below = BASE + french_svg.HEIGHT * SCALE + 18
    return (
        svg.text(0, 8, name, 14, fill="#fff", font_weight="bold"),
        svg.text(0, below, number, 13, fill=MUTED),
    )


def _edge(layer: int) -> Markup:
    """A card within a pile, of which only the edge is seen."""
    size = french_svg.WIDTH * SCALE, french_svg.HEIGHT * SCALE
    x, y = 2 * layer, BASE - 2 * layer
    return svg.rect(x, y, *size, 6, fill=french_svg.PAPER, stroke="#000", stroke_opacity=0.4)


def _hollow() -> Markup:
    size = french_svg.WIDTH * SCALE, french_svg.HEIGHT * SCALE
    return svg.rect(0, BASE, *size, 6, fill="none", stroke=MUTED, stroke_dasharray="4 4")
