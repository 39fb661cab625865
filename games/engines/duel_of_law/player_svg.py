"""A player's panel as SVG: token, name, branches and cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.english_text import pluralize
from games.engines.common.svg import Box, Markup
from games.engines.duel_of_law import tableau_svg
from games.engines.duel_of_law.card_svg import GOLD_COLOUR
from games.engines.duel_of_law.news_text import player_name
from games.engines.duel_of_law.status_text import branches_text
from games.engines.duel_of_law.view import View

PANEL_HEIGHT: Final = 46.0
PADDING: Final = 12.0
TEXT_COLOUR: Final = "#f7f0dd"
MUTED_TEXT_COLOUR: Final = "#b9c7bf"
PANEL_COLOUR: Final = "#1a2621"


def panel(view: View, seat: int, x: float, y: float, width: float) -> Markup:
    """A player's panel, whose edge shines if the player is to act or has won."""
    is_marked = seat in view.to_act or seat in view.winners
    edge, stroke = (GOLD_COLOUR, 3) if is_marked else ("#4a5f55", 1)
    box, look = Box(x, y, width, PANEL_HEIGHT), {"fill": PANEL_COLOUR, "stroke": edge}
    board = svg.panel(box, 9, **look, stroke_width=stroke)
    return svg.group(board, svg.transform(x, y, *_panel_parts(view, seat, width)))


def _panel_parts(view: View, seat: int, width: float) -> Iterator[Markup]:
    """A token with the number of branches, the name, the cards, and a badge."""
    owned = str(view.owned[seat])
    yield svg.transform(PADDING + 14, PANEL_HEIGHT / 2, tableau_svg.token(seat, 14, owned))
    you = " (you)" if seat == view.seat else ""
    name = player_name(seat) + you
    yield svg.text(PADDING + 38, 29, name, 17, fill=TEXT_COLOUR, font_weight="bold")
    badge = "to act" if seat in view.to_act else "wins" if seat in view.winners else ""
    size = svg.text_width(badge, 12) + 16 if badge else 0
    if badge:
        left = width - PADDING - size
        yield svg.rect(left, 12.5, size, 21, 10.5, fill=GOLD_COLOUR)
        yield svg.centred_text(left + size / 2, 23, badge, 12, fill="#1c1607", font_weight="bold")
    has = f"{branches_text(view.owned[seat])}, {pluralize(view.hand_sizes[seat], 'card')}"
    x = width - PADDING - size - 8
    yield svg.text(x, 28, has, 13, fill=MUTED_TEXT_COLOUR, text_anchor="end")
