"""How does one player's part of the table look? Name, longest path and hand on a panel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duality import captions, card_svg
from games.engines.duality.news import player
from games.engines.duality.view import View

WIDTH: Final = 330.0
HEIGHT: Final = 122.0
PAD: Final = 14.0
GAP: Final = 8.0
CREAM: Final = "#f7f0dd"
MUTED: Final = "#b9c2c9"
BOARD: Final = "#1b262d"


def panel(view: View, seat: int, x: float, y: float) -> Markup:
    """Everything a player has, on a board whose edge shines if the table waits for them."""
    is_marked = seat in view.to_act or seat in view.winners
    edge, width = (card_svg.GOLD, 3) if is_marked else ("#4b5a64", 1)
    box = Box(x, y, WIDTH, HEIGHT)
    board = svg.panel(box, 10, fill=BOARD, stroke=edge, stroke_width=width)
    return svg.group(board, svg.at(x, y, *_header(view, seat), *_hand(view, seat)))


def _header(view: View, seat: int) -> Iterator[Markup]:
    """A stone in the player's colour, the name, the longest path, what is to be said now."""
    stone: dict[str, svg.Value] = {
        "fill": card_svg.INK[seat],
        "stroke": card_svg.STRIPES[seat],
        "stroke_width": 2.5,
    }
    yield svg.circle(PAD + 9, 22, 9, **stone)
    you = " (you)" if seat == view.seat else ""
    yield svg.text(PAD + 26, 28, player(seat) + you, 17, fill=CREAM, font_weight="bold")
    badge = _badge(view, seat)
    size = svg.width_of(badge, 12) + 16 if badge else 0
    if badge:
        left = WIDTH - PAD - size
        yield svg.rect(left, 11, size, 21, 10.5, fill=card_svg.GOLD)
        yield svg.centred(left + size / 2, 21.5, badge, 12, fill="#1c1607", font_weight="bold")
    longest = f"path {view.longest[seat]}"
    yield svg.text(WIDTH - PAD - size - 8, 27, longest, 13, fill=MUTED, text_anchor="end")


def _badge(view: View, seat: int) -> str:
    if seat in view.to_act:
        return "to act"
    if seat in view.winners:
        return "wins" if len(view.winners) == 1 else "level"
    return ""


def _hand(view: View, seat: int) -> Iterator[Markup]:
    """Cards that the viewer knows, those of others framed; then backs."""
    seen = captions.open_hand(view, seat)
    for number, card in enumerate(seen):
        frame = [_frame()] if seat != view.seat and view.to_act else []
        yield svg.at(_x(number), 46, card_svg.face(card, False), *frame)
    for number in range(len(seen), view.hand_sizes[seat]):
        yield svg.at(_x(number), 46, card_svg.back())
    if not view.hand_sizes[seat]:
        yield svg.text(PAD, 84, "no cards", 14, fill=MUTED, font_style="italic")


def _x(number: int) -> float:
    return PAD + number * (card_svg.WIDTH + GAP - 1)


def _frame() -> Markup:
    """The mark of a card that everybody has seen going to this hand."""
    size: dict[str, svg.Value] = {"fill": "none", "stroke": card_svg.GOLD, "stroke_width": 3}
    return svg.rect(1.5, 1.5, card_svg.WIDTH - 3, card_svg.HEIGHT - 3, 6, **size)
