"""How does the whole table look? Both players at the left, White above, with the draw pile and what
the table waits for between them; the board at the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality import board_svg, captions, card_svg, player_svg
from games.engines.duality.cards import BLACK, WHITE
from games.engines.duality.player_svg import CREAM, MUTED
from games.engines.duality.view import View

MARGIN: Final = 22.0
MIDDLE: Final = 176.0  # the least height between both players
WOOD: Final = "#3a2a1d"
SLATE: Final = ("#2f4149", "#22313a")
PILE: Final = 0.62


def draw(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.prefix_of(description)
    laid_out = board_svg.plan(view)
    width, height = laid_out.size
    inner = max(height, 2 * player_svg.HEIGHT + MIDDLE)
    left = 2 * MARGIN + player_svg.WIDTH
    size = (left + width + MARGIN, inner + 2 * MARGIN)
    lower = MARGIN + inner - player_svg.HEIGHT
    return svg.document(
        size,
        prefix,
        captions.title(view),
        description,
        svg.element("defs", svg.gradient(f"{prefix}-slate", *SLATE)),
        _table(size, prefix),
        player_svg.panel(view, int(WHITE), MARGIN, MARGIN),
        player_svg.panel(view, int(BLACK), MARGIN, lower),
        svg.at(MARGIN + 4, (MARGIN + player_svg.HEIGHT + lower) / 2, *_middle(view)),
        svg.at(left, MARGIN + (inner - height) / 2, board_svg.draw(view, laid_out)),
    )


def _table(size: tuple[float, float], prefix: str) -> Markup:
    """The table top: slate in a wooden frame."""
    width, height = size
    wood = svg.rect(0, 0, width, height, 18, fill=WOOD)
    slate = svg.rect(7, 7, width - 14, height - 14, 13, fill=svg.paint(f"{prefix}-slate"))
    return svg.group(wood, slate)


def _middle(view: View) -> Iterator[Markup]:
    """The pile, as thick as it is; beside it what the table waits for, around y = 0."""
    thick = (view.draw_pile + 7) // 8
    for layer in range(thick):
        yield svg.at(2 * layer, -24 - 2.5 * layer, card_svg.back(), scale=PILE)
    if not thick:
        hollow = svg.rect(0, -24, card_svg.WIDTH * PILE, card_svg.HEIGHT * PILE, 5, fill="none")
        yield svg.group(hollow, stroke=MUTED, stroke_dasharray="4 4")
    yield svg.text(0, 34, f"{view.draw_pile} to draw", 13, fill=MUTED)
    yield _message(view, 92, player_svg.WIDTH - 96)


def _message(view: View, x: float, width: float) -> Markup:
    """What the table waits for; under it what else is to be known, and the variant."""
    written = [
        (captions.headline(view), 16, {"fill": CREAM, "font_weight": "bold"}),
        (" ".join(captions.remarks(view)), 13, {"fill": CREAM}),
        (captions.variant(view), 12, {"fill": MUTED, "font_style": "italic"}),
    ]
    broken = [(svg.lines_of(content, size, width), size, look) for content, size, look in written]
    height = sum(svg.LEADING * size * len(lines) + 3 for lines, size, _ in broken)
    y = 12 - height / 2
    parts = []
    for lines, size, look in broken:
        parts.append(svg.paragraph(x, y, lines, size, **look))
        y += svg.LEADING * size * len(lines) + 3
    return svg.group(*parts)
