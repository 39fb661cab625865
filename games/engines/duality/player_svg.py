"""A player's panel as SVG: name, longest path and hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duality import card_svg, status_text
from games.engines.duality.news_text import PLAYER_NAMES
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
    """A stone in the player's colour, the name, a badge and the longest path."""
    colour, edge = card_svg.LINE_COLOURS[seat], card_svg.STRIPE_COLOURS[seat]
    yield svg.circle(PADDING + 9, 22, 9, fill=colour, stroke=edge, stroke_width=2.5)
    name = f"{PLAYER_NAMES[seat]}{' (you)' if seat == view.seat else ''}"
    yield svg.text(PADDING + 26, 28, name, 17, fill=TEXT_COLOUR, font_weight="bold")
    right = PANEL_WIDTH - PADDING
    if badge := _badge(view, seat):
        width = svg.text_width(badge, 12) + 16
        right -= width
        yield svg.rect(right, 11, width, 21, 10.5, fill=card_svg.GOLD_COLOUR)
        look = {"fill": "#1c1607", "font_weight": "bold"}
        yield svg.centred_text(right + width / 2, 21.5, badge, 12, **look)
    longest = f"path {view.longest[seat]}"
    yield svg.text(right - 8, 27, longest, 13, fill=MUTED_TEXT_COLOUR, text_anchor="end")


def _badge(view: View, seat: int) -> str:
    if seat in view.to_act:
        return "to act"
    if seat in view.winners:
        return "wins" if len(view.winners) == 1 else "level"
    return ""


def _hand(view: View, seat: int) -> Iterator[Markup]:
    """The cards that the viewer knows, framed in hands of others; then backs."""
    seen = status_text.visible_hand(view, seat)
    for number in range(view.hand_sizes[seat]):
        is_seen = number < len(seen)
        drawn = [card_svg.face(seen[number], False) if is_seen else card_svg.back()]
        if is_seen and seat != view.seat and view.to_act:  # all players saw it going into the hand
            look = {"fill": "none", "stroke": card_svg.GOLD_COLOUR}
            drawn.append(card_svg.frame(0, 0, 1.5, **look, stroke_width=3))
        x = PADDING + number * (card_svg.CARD_WIDTH + CARD_GAP - 1)
        yield svg.transform(x, 46, *drawn)
    if not view.hand_sizes[seat]:
        yield svg.text(PADDING, 84, "no cards", 14, fill=MUTED_TEXT_COLOUR, font_style="italic")
