"""The picture of the whole table as SVG: both players at the left, White above, with the draw pile
and the status between them; the board at the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality import board_svg, card_svg, player_svg, status_text
from games.engines.duality.cards import BLACK, WHITE
from games.engines.duality.player_svg import MUTED_TEXT_COLOUR, TEXT_COLOUR
from games.engines.duality.view import View

MARGIN: Final = 22.0
MIN_MIDDLE_HEIGHT: Final = 176.0  # between both players
WOOD_COLOUR: Final = "#3a2a1d"
SLATE_COLOURS: Final = ("#2f4149", "#22313a")
PILE_SCALE: Final = 0.62


def draw_table(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.id_prefix(description)
    laid_out = board_svg.BoardLayout(view)
    width, height = laid_out.width * laid_out.scale, laid_out.height * laid_out.scale
    inner = max(height, 2 * player_svg.PANEL_HEIGHT + MIN_MIDDLE_HEIGHT)
    left = 2 * MARGIN + player_svg.PANEL_WIDTH
    size = (left + width + MARGIN, inner + 2 * MARGIN)
    lower = MARGIN + inner - player_svg.PANEL_HEIGHT
    return svg.document(
        size,
        prefix,
        status_text.title(view),
        description,
        svg.element("defs", svg.gradient(f"{prefix}-slate", *SLATE_COLOURS)),
        _table_top(size, prefix),
        player_svg.panel(view, int(WHITE), MARGIN, MARGIN),
        player_svg.panel(view, int(BLACK), MARGIN, lower),
        svg.transform(MARGIN + 4, (MARGIN + player_svg.PANEL_HEIGHT + lower) / 2, *_middle(view)),
        svg.transform(left, MARGIN + (inner - height) / 2, board_svg.draw(view, laid_out)),
    )


def _table_top(size: tuple[float, float], prefix: str) -> Markup:
    """The table top: slate in a wooden frame."""
    width, height = size
    wood = svg.rect(0, 0, width, height, 18, fill=WOOD_COLOUR)
    slate = svg.rect(7, 7, width - 14, height - 14, 13, fill=svg.gradient_fill(f"{prefix}-slate"))
    return svg.group(wood, slate)


def _middle(view: View) -> Iterator[Markup]:
    """The draw pile, drawn to its thickness, and the status at its right, around y = 0."""
    thick = (view.draw_pile + 7) // 8
    for layer in range(thick):
        yield svg.transform(2 * layer, -24 - 2.5 * layer, card_svg.back(), scale=PILE_SCALE)
    if not thick:
        width, height = card_svg.CARD_WIDTH * PILE_SCALE, card_svg.CARD_HEIGHT * PILE_SCALE
        hollow = svg.rect(0, -24, width, height, 5, fill="none")
        yield svg.group(hollow, stroke=MUTED_TEXT_COLOUR, stroke_dasharray="4 4")
    yield svg.text(0, 34, f"{view.draw_pile} to draw", 13, fill=MUTED_TEXT_COLOUR)
    yield _message(view, 92, player_svg.PANEL_WIDTH - 96)


def _message(view: View, x: float, width: float) -> Markup:
    """The headline, with the remarks and the variant below."""
    written = [
        (status_text.headline(view), 16, {"fill": TEXT_COLOUR, "font_weight": "bold"}),
        (" ".join(status_text.remarks(view)), 13, {"fill": TEXT_COLOUR}),
        (status_text.variant_text(view), 12, {"fill": MUTED_TEXT_COLOUR, "font_style": "italic"}),
    ]
    broken = [(svg.wrap_text(content, size, width), size, look) for content, size, look in written]
    height = sum(svg.LINE_SPACING * size * len(lines) + 3 for lines, size, _ in broken)
    y = 12 - height / 2
    parts = []
    for lines, size, look in broken:
        parts.append(svg.paragraph(x, y, lines, size, **look))
        y += svg.LINE_SPACING * size * len(lines) + 3
    return svg.group(*parts)
