"""How do the piles look? The draw pile, the discard piles and the trash, side by side, each as thick
as it is, with its top card open if the viewer sees it."""

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
MUTED: Final = "#b9c6d2"
LAYERS: Final = 8


def pile(cards: Cards, x: float, count: int, top: str | None, names: tuple[str, str]) -> Markup:
    """A pile of `count` cards with its top card, or its back, under two lines of words."""
    thick = min(LAYERS, (count + 6) // 7)
    layers = [_edge(layer) for layer in range(thick)]
    last = cards.back() if top is None else cards.face(top)
    height = BASE - 2 * max(thick - 1, 0)
    lid = svg.at(2 * max(thick - 1, 0), height, last, scale=SCALE) if count else _hollow()
    name, number = names
    below = BASE + french_svg.HEIGHT * SCALE + 18
    words = (
        svg.text(0, 8, name, 14, fill="#fff", font_weight="bold"),
        svg.text(0, below, number, 13, fill=MUTED),
    )
    return svg.at(x, 0, *layers[:-1], lid, *words)


def _edge(layer: int) -> Markup:
    """A card within a pile, of which only the edge is seen."""
    size = french_svg.WIDTH * SCALE, french_svg.HEIGHT * SCALE
    x, y = 2 * layer, BASE - 2 * layer
    return svg.rect(x, y, *size, 6, fill=french_svg.PAPER, stroke="#000", stroke_opacity=0.4)


def _hollow() -> Markup:
    size = french_svg.WIDTH * SCALE, french_svg.HEIGHT * SCALE
    return svg.rect(0, BASE, *size, 6, fill="none", stroke=MUTED, stroke_dasharray="4 4")
