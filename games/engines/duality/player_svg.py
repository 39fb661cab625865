"""A player's panel as SVG: name, longest path and hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duality import card_svg, status_text
from games.engines.duality.news_text import player_name
from games.engines.duality.view import View

PANEL_WIDTH: Final = 330.0
PANEL_HEIGHT: Final = 122.0
PADDING: Final = 14.0
CARD_GAP: Final = 8.0
TEXT_COLOUR: Final = "#f7f0dd"
MUTED_TEXT_COLOUR: Final = "#b9c2c9"
PANEL_COLOUR: Final = "#1b262d"


def panel(view: View, seat: int, x: float, y: float) -> Markup:
    """A player's panel; its edge is highlighted if the player must act or has won."""
    is_marked = seat in view.to_act or seat in view.winners
    edge, width = (card_svg.GOLD_COLOUR, 3) if is_marked else ("#4b5a64", 1)
    box = Box(x, y, PANEL_WIDTH, PANEL_HEIGHT)
    board = svg.panel(box, 10, fill=PANEL_COLOUR, stroke=edge, stroke_width=width)
    return svg.group(board, svg.transform(x, y, *_header(view, seat), *_hand(view, seat)))


def _header(view: View, seat: int) -> Iterator[Markup]:
    """A stone in the player's colour, the name, the longest path and a badge."""
    stone: dict[str, svg.AttributeValue] = {
        "fill": card_svg.LINE_COLOURS[seat],
        "stroke": card_svg.STRIPE_COLOURS[seat],
        "stroke_width": 2.5,
    }
    yield svg.circle(PADDING + 9, 22, 9, **stone)
    you = " (you)" if seat == view.seat else ""
    yield svg.text(
        PADDING + 26, 28, player_name(seat) + you, 17, fill=TEXT_COLOUR, font_weight="bold"
    )
    badge = _badge(view, seat)
    size = svg.text_width(badge, 12) + 16 if badge else 0
    if badge:
        left = PANEL_WIDTH - PADDING - size
        yield svg.rect(left, 11, size, 21, 10.5, fill=card_svg.GOLD_COLOUR)
        yield svg.centred_text(left + size / 2, 21.5, badge, 12, fill="#1c1607", font_weight="bold")
    longest = f"path {view.longest[seat]}"
    yield svg.text(
        PANEL_WIDTH - PADDING - size - 8, 27, longest, 13, fill=MUTED_TEXT_COLOUR, text_anchor="end"
    )


def _badge(view: View, seat: int) -> str:
    if seat in view.to_act:
        return "to act"
    if seat in view.winners:
        return "wins" if len(view.winners) == 1 else "level"
    return ""


def _hand(view: View, seat: int) -> Iterator[Markup]:
    """The cards that the viewer knows, framed in hands of others; then backs."""
    seen = status_text.visible_hand(view, seat)
    for number, card in enumerate(seen):
        frame = [_known_card_frame()] if seat != view.seat and view.to_act else []
        yield svg.transform(_card_x(number), 46, card_svg.face(card, False), *frame)
    for number in range(len(seen), view.hand_sizes[seat]):
        yield svg.transform(_card_x(number), 46, card_svg.back())
    if not view.hand_sizes[seat]:
        yield svg.text(PADDING, 84, "no cards", 14, fill=MUTED_TEXT_COLOUR, font_style="italic")


def _card_x(number: int) -> float:
    return PADDING + number * (card_svg.CARD_WIDTH + CARD_GAP - 1)


def _known_card_frame() -> Markup:
    """The frame of a card that all players saw going into this hand."""
    size: dict[str, svg.AttributeValue] = {
        "fill": "none",
        "stroke": card_svg.GOLD_COLOUR,
        "stroke_width": 3,
    }
    return svg.rect(1.5, 1.5, card_svg.CARD_WIDTH - 3, card_svg.CARD_HEIGHT - 3, 6, **size)
