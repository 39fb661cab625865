"""The four rows of cards as SVG, with the places where the viewer's card may go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duel_edged_sword import status_text
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.card_svg import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GILT_COLOUR,
    CardPainter,
)
from games.engines.duel_edged_sword.cards import COMPLETE_CODES
from games.engines.duel_edged_sword.player_svg import MUTED_TEXT_COLOUR, TEXT_COLOUR
from games.engines.duel_edged_sword.status_text import Effect
from games.engines.duel_edged_sword.view import Laid, View

LANE_HEIGHT: Final = 92.0  # of a row
LANE_GAP: Final = 6.0
ROWS_HEIGHT: Final = 4 * LANE_HEIGHT + 3 * LANE_GAP
CARD_SCALE: Final = 0.58
SCALED_CARD_WIDTH: Final = CARD_WIDTH * CARD_SCALE
LANE_MARGIN: Final = 46.0  # at either side of a lane; the left one shows the row's number
CARD_STEP: Final = SCALED_CARD_WIDTH + 6  # from card to card, if there is room
SIDES: Final = ("left", "right")


def draw_rows(view: View, cards: CardPainter, area: Box) -> Markup:
    """Four lanes, stacked."""
    lanes = (_lane(view, cards, number, area) for number in range(4))
    return svg.group(*lanes)


def _lane(view: View, cards: CardPainter, number: int, area: Box) -> Markup:
    y = area.y + number * (LANE_HEIGHT + LANE_GAP)
    ground = svg.rect(0, 0, area.width, LANE_HEIGHT, 10, fill="#0e1430", fill_opacity=0.5)
    name = svg.centred_text(
        24, LANE_HEIGHT / 2, str(number + 1), 26, fill=MUTED_TEXT_COLOUR, font_weight="bold"
    )
    row = view.rows[number]
    inside = (
        _row_parts(row, cards, view.card, area.width) if row else _empty_row(view.card, area.width)
    )
    return svg.transform(area.x, y, ground, name, *inside)


def _empty_row(card: Card | None, width: float) -> Iterator[Markup]:
    """A row without cards, which is one slot."""
    yield _slot((width - SCALED_CARD_WIDTH) / 2, Effect(), is_open=card is not None)
    yield svg.centred_text(width / 2, LANE_HEIGHT / 2, "empty", 13, fill=MUTED_TEXT_COLOUR)


def _row_parts(
    row: tuple[Laid, ...], cards: CardPainter, card: Card | None, width: float
) -> Iterator[Markup]:
    """The cards in the middle of the lane, and a slot at each end where the viewer's may go."""
    room = width - 2 * LANE_MARGIN - SCALED_CARD_WIDTH
    step = min(CARD_STEP, room / (len(row) + 1))
    start = (width - SCALED_CARD_WIDTH - step * (len(row) - 1)) / 2
    for place, laid in enumerate(row):
        drawn = cards.face(laid.card) if laid.is_up else cards.face_down(laid.card)
        yield svg.transform(start + place * step, _card_y(), drawn, scale=CARD_SCALE)
    if card is None:
        return
    for side, x in zip(
        SIDES, (start - CARD_STEP, start + step * (len(row) - 1) + CARD_STEP), strict=True
    ):
        if status_text.can_lay_at(row, side, card):
            yield _slot(x, status_text.effect_of(row, side, card), is_open=True)


def _card_y() -> float:
    return (LANE_HEIGHT - CARD_HEIGHT * CARD_SCALE) / 2


def _slot(x: float, follows: Effect, is_open: bool) -> Markup:
    """A slot where a card may be laid, with the effect."""
    look = {
        "stroke": GILT_COLOUR if is_open else MUTED_TEXT_COLOUR,
        "stroke_dasharray": "5 4",
        "stroke_width": 1.5,
    }
    frame = svg.rect(
        x + 1,
        _card_y() + 1,
        SCALED_CARD_WIDTH - 2,
        CARD_HEIGHT * CARD_SCALE - 2,
        6,
        fill="none",
        **look,
    )
    words = _effect_lines(follows)
    middle = LANE_HEIGHT / 2 - 8 * (len(words) - 1)
    lines = (
        svg.centred_text(
            x + SCALED_CARD_WIDTH / 2,
            middle + 16 * place,
            word,
            size,
            fill=fill,
            font_weight="bold",
        )
        for place, (word, size, fill) in enumerate(words)
    )
    return svg.group(frame, *lines)


def _effect_lines(follows: Effect) -> list[tuple[str, float, str]]:
    """The effect in a slot, line by line: Completes and cards collected, or cards turned."""
    if follows.collected:
        scored = sum(card in COMPLETE_CODES for card in follows.collected)
        return [
            (f"+{scored}", 18, GILT_COLOUR),
            (f"{len(follows.collected)} cards", 11, TEXT_COLOUR),
        ]
    if follows.turned:
        return [("turns", 12, TEXT_COLOUR), (str(len(follows.turned)), 14, TEXT_COLOUR)]
    return []
