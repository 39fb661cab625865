"""How do the four rows look, and where in them may the viewer's card go?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duel_edged_sword import captions
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.captions import Effect
from games.engines.duel_edged_sword.cards import COMPLETE_CODES
from games.engines.duel_edged_sword.gnomon_svg import GILT, HEIGHT, WIDTH, Cards
from games.engines.duel_edged_sword.player_svg import CREAM, MUTED
from games.engines.duel_edged_sword.view import Laid, View

LANE: Final = 92.0  # the height of a row
BETWEEN: Final = 6.0
ALL: Final = 4 * LANE + 3 * BETWEEN
SCALE: Final = 0.58
CARD: Final = WIDTH * SCALE
MARGIN: Final = 46.0  # at either side of a lane, the number of the row at the left
STEP: Final = CARD + 6  # from card to card, if there is room
SIDES: Final = ("left", "right")


def rows(view: View, cards: Cards, area: Box) -> Markup:
    """Four lanes below each other."""
    lanes = (_lane(view, cards, number, area) for number in range(4))
    return svg.group(*lanes)


def _lane(view: View, cards: Cards, number: int, area: Box) -> Markup:
    y = area.y + number * (LANE + BETWEEN)
    ground = svg.rect(0, 0, area.width, LANE, 10, fill="#0e1430", fill_opacity=0.5)
    name = svg.centred(24, LANE / 2, str(number + 1), 26, fill=MUTED, font_weight="bold")
    row = view.rows[number]
    inside = _row(row, cards, view.card, area.width) if row else _empty(view.card, area.width)
    return svg.at(area.x, y, ground, name, *inside)


def _empty(card: Card | None, width: float) -> Iterator[Markup]:
    """A row without cards is one place."""
    yield _slot((width - CARD) / 2, Effect(), is_open=card is not None)
    yield svg.centred(width / 2, LANE / 2, "empty", 13, fill=MUTED)


def _row(row: tuple[Laid, ...], cards: Cards, card: Card | None, width: float) -> Iterator[Markup]:
    """The cards in the middle of the lane; a slot at either end where the viewer's may lie."""
    room = width - 2 * MARGIN - CARD
    step = min(STEP, room / (len(row) + 1))
    start = (width - CARD - step * (len(row) - 1)) / 2
    for place, laid in enumerate(row):
        drawn = cards.face(laid.card) if laid.is_up else cards.turned(laid.card)
        yield svg.at(start + place * step, _top(), drawn, scale=SCALE)
    if card is None:
        return
    for side, x in zip(SIDES, (start - STEP, start + step * (len(row) - 1) + STEP), strict=True):
        if captions.may_lie(row, side, card):
            yield _slot(x, captions.effect(row, side, card), is_open=True)


def _top() -> float:
    return (LANE - HEIGHT * SCALE) / 2


def _slot(x: float, follows: Effect, is_open: bool) -> Markup:
    """Where a card may be laid, with what comes of it."""
    look = {"stroke": GILT if is_open else MUTED, "stroke_dasharray": "5 4", "stroke_width": 1.5}
    frame = svg.rect(x + 1, _top() + 1, CARD - 2, HEIGHT * SCALE - 2, 6, fill="none", **look)
    words = _told(follows)
    middle = LANE / 2 - 8 * (len(words) - 1)
    lines = (
        svg.centred(x + CARD / 2, middle + 16 * place, word, size, fill=fill, font_weight="bold")
        for place, (word, size, fill) in enumerate(words)
    )
    return svg.group(frame, *lines)


def _told(follows: Effect) -> list[tuple[str, float, str]]:
    """What a slot promises, line by line: points first, then cards, or how many are turned."""
    if follows.collected:
        scored = sum(card in COMPLETE_CODES for card in follows.collected)
        return [(f"+{scored}", 18, GILT), (f"{len(follows.collected)} cards", 11, CREAM)]
    if follows.turned:
        return [("turns", 12, CREAM), (str(len(follows.turned)), 14, CREAM)]
    return []
