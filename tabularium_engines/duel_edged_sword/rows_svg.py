"""The four rows of cards as SVG, with the places where the viewer's card may go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tabularium_engines.common import svg
from tabularium_engines.common.svg import GILT_COLOUR, Box, Markup
from tabularium_engines.duel_edged_sword import card_svg, status_text
from tabularium_engines.duel_edged_sword.card_svg import CardPainter
from tabularium_engines.duel_edged_sword.cards import COMPLETE_CODES
from tabularium_engines.duel_edged_sword.player_svg import (
    DANGER_COLOUR,
    MUTED_TEXT_COLOUR,
    TEXT_COLOUR,
)
from tabularium_engines.duel_edged_sword.status_text import Effect
from tabularium_engines.duel_edged_sword.view import Laid, View

LANE_HEIGHT: Final = 92.0  # of a row
LANE_GAP: Final = 6.0
ROWS_HEIGHT: Final = 4 * LANE_HEIGHT + 3 * LANE_GAP
CARD_SCALE: Final = 0.58
SCALED_CARD_WIDTH: Final = card_svg.CARD_WIDTH * CARD_SCALE
SCALED_CARD_HEIGHT: Final = card_svg.CARD_HEIGHT * CARD_SCALE
CARD_TOP: Final = (LANE_HEIGHT - SCALED_CARD_HEIGHT) / 2
LANE_LABEL_WIDTH: Final = 36.0  # before the cards of a wrapped row
LANE_MARGIN: Final = 46.0  # at either side of a lane; the left one shows the row's number
SMALL_SIZE: Final = 12.4  # of the second line in a slot
CARD_STEP: Final = SCALED_CARD_WIDTH + 6  # from card to card, if there is room


def draw_rows(view: View, painter: CardPainter, area: Box) -> Markup:
    """Four lanes, stacked."""
    return svg.group(*(_lane(view, painter, number, area) for number in range(4)))


def _lane(view: View, painter: CardPainter, number: int, area: Box) -> Markup:
    """A row with its number at the left."""
    middle, name = LANE_HEIGHT / 2, str(number + 1)
    parts = [
        svg.rect(0, 0, area.width, LANE_HEIGHT, 10, fill="#0e1430", fill_opacity=0.5),
        svg.centred_text(24, middle, name, 26, fill=MUTED_TEXT_COLOUR, font_weight="bold"),
    ]
    if view.rows[number]:
        parts += _row_parts(view, number, painter, area.width)
    else:
        parts.append(_empty_row(view, number, (area.width - SCALED_CARD_WIDTH) / 2))
        parts.append(svg.centred_text(area.width / 2, middle, "empty", 13, fill=MUTED_TEXT_COLOUR))
    return svg.transform(area.x, area.y + number * (LANE_HEIGHT + LANE_GAP), *parts)


def _row_parts(view: View, number: int, painter: CardPainter, width: float) -> Iterator[Markup]:
    """The cards in the middle of the lane, and a slot at each end where the viewer's may go."""
    row = view.rows[number]
    room = width - 2 * LANE_MARGIN - SCALED_CARD_WIDTH
    step = min(CARD_STEP, room / (len(row) + 1))
    length = step * (len(row) - 1)
    start = (width - SCALED_CARD_WIDTH - length) / 2
    for place, laid in enumerate(row):
        drawn = painter.face(laid.card) if laid.is_up else painter.face_down(laid.card)
        yield svg.transform(start + place * step, CARD_TOP, drawn, scale=CARD_SCALE)
    lefts = {"left": start - CARD_STEP, "right": start + length + CARD_STEP}
    for side, follows in _open_ends(view, number):
        yield svg.transform(lefts[side], 0, _end_of_row(row, number, side, follows))


def _open_ends(view: View, number: int) -> list[tuple[str, Effect]]:
    """The ends of a row at which the viewer may lay the drawn card, each with the effect."""
    row, card = view.rows[number], view.card
    if card is None:
        return []
    player = view.players[view.turn]
    sides = status_text.open_sides(row, card)
    return [(side, status_text.effect_of(row, side, card, player)) for side in sides]


def _end_of_row(row: Sequence[Laid], number: int, side: str, follows: Effect) -> Markup:
    """A slot at an end of a row with cards; both ends of a single card come to the same."""
    sides = ("left", "right") if len(row) == 1 else (side,)
    pick = " ".join(f"row={number + 1},side={end}" for end in sides)
    name = f"The {side} end of row {number + 1}"
    return svg.thing(_slot(0, follows, is_open=True), pick=pick, name=name)


def _empty_row(view: View, number: int, x: float) -> Markup:
    """The slot of a row without cards."""
    slot = _slot(x, Effect(), is_open=view.card is not None)
    if view.card is None:
        return slot
    return svg.thing(slot, pick=f"row={number + 1}", name=f"Row {number + 1}, empty")


def wrapped_rows(
    view: View, painter: CardPainter, x: float, y: float, width: float
) -> tuple[Markup, float]:
    """Four lanes, stacked, in each of which a row goes on in the next line; and their height."""
    lanes, top = list[Markup](), 0.0
    for number in range(4):
        lane, height = _wrapped_lane(view, painter, number, width)
        lanes.append(svg.transform(x, y + top, lane))
        top += height + LANE_GAP
    return svg.group(*lanes), top - LANE_GAP


def _wrapped_lane(
    view: View, painter: CardPainter, number: int, width: float
) -> tuple[Markup, float]:
    """A row from the left to the right end, with the slots where the viewer's card may go."""
    cells = _lane_cells(view, painter, number)
    across = int((width - LANE_LABEL_WIDTH) / CARD_STEP)
    lines = max(1, -(-len(cells) // across))
    height = lines * LANE_HEIGHT - (lines - 1) * CARD_TOP
    parts = [
        svg.rect(0, 0, width, height, 10, fill="#0e1430", fill_opacity=0.5),
        svg.centred_text(
            LANE_LABEL_WIDTH / 2, height / 2, str(number + 1), 22, fill=MUTED_TEXT_COLOUR
        ),
    ]
    for place, cell in enumerate(cells):
        left = LANE_LABEL_WIDTH + place % across * CARD_STEP
        parts.append(svg.transform(left, place // across * (LANE_HEIGHT - CARD_TOP), cell))
    return svg.group(*parts), height


def _lane_cells(view: View, painter: CardPainter, number: int) -> list[Markup]:
    """The cards of a row, and a slot at each end where the viewer's card may go."""
    row = view.rows[number]
    if not row:
        return [_empty_row(view, number, 0)]
    cells = [
        svg.transform(
            0,
            CARD_TOP,
            painter.face(laid.card) if laid.is_up else painter.face_down(laid.card),
            scale=CARD_SCALE,
        )
        for laid in row
    ]
    for side, follows in _open_ends(view, number):
        end = _end_of_row(row, number, side, follows)
        cells.insert(0 if side == "left" else len(cells), end)
    return cells


def _slot(x: float, follows: Effect, is_open: bool) -> Markup:
    """A slot where a card may be laid, with the effect."""
    width, height = SCALED_CARD_WIDTH - 2, SCALED_CARD_HEIGHT - 2
    edge = {
        "stroke": GILT_COLOUR if is_open else MUTED_TEXT_COLOUR,
        "stroke_dasharray": "5 4",
        "stroke_width": "1.5",
    }
    parts = [svg.rect(x + 1, CARD_TOP + 1, width, height, 6, fill="none", **edge)]
    words = _effect_lines(follows)
    y = LANE_HEIGHT / 2 - 8 * (len(words) - 1)
    for word, size, fill in words:
        middle = x + SCALED_CARD_WIDTH / 2
        weight = None if size == SMALL_SIZE else "bold"
        parts.append(svg.centred_text(middle, y, word, size, fill=fill, font_weight=weight))
        y += 16
    return svg.group(*parts)


def _effect_lines(follows: Effect) -> list[tuple[str, float, str]]:
    """The effect in a slot, line by line: Completes and cards collected, the end of the player's
    round, or cards turned."""
    if follows.standing != "in":
        standing, kept = status_text.standing_words(follows)
        return [(standing, 18, DANGER_COLOUR), (kept, SMALL_SIZE, TEXT_COLOUR)]
    size = len(follows.cards)
    if follows.kind == "collect":
        scored = sum(card in COMPLETE_CODES for card in follows.cards)
        return [(f"+{scored}", 18, GILT_COLOUR), (f"{size} cards", SMALL_SIZE, TEXT_COLOUR)]
    return (
        [("turns", SMALL_SIZE, TEXT_COLOUR), (str(size), 14, TEXT_COLOUR)] if follows.kind else []
    )
