"""A player's panel as SVG: name, points, law tablet and hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import playing_card_svg, seat_text, svg
from games.engines.common.english_text import player_name, pluralize
from games.engines.common.playing_card_svg import CardPainter
from games.engines.common.svg import GILT_COLOUR, TEXT_COLOUR, Box, Markup
from games.engines.law_of_the_dice import tablet_svg
from games.engines.law_of_the_dice.view import View

MUTED_TEXT_COLOUR: Final = "#c3cdbd"
PANEL_COLOUR: Final = "#142c26"
COIN_RADIUS: Final = 9.0

PADDING: Final = 12.0
HEADER_HEIGHT: Final = 36.0
NARROW_HEIGHT: Final = 260.0  # of a panel whose hand lies below the tablet …
WIDE_HEIGHT: Final = 206.0  # … and of one whose hand lies next to it
WIDE_TABLET_SCALE: Final = 1.2
MIN_FACE_SCALE: Final = 0.7  # from here on cards in a hand are drawn in full


def panel(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel; its edge is highlighted if the player must act."""
    edge, thick = (GILT_COLOUR, 3.5) if seat in view.to_act else ("#3d5c50", 1)
    board = svg.panel(box, 10, fill=PANEL_COLOUR, fill_opacity=0.8, stroke=edge, stroke_width=thick)
    parts = _wide_parts if box.width > 500 else _narrow_parts
    header = _header(view, seat, box.width)
    inside = svg.transform(box.x, box.y, *header, *parts(view, cards, seat, box.width))
    return svg.group(board, inside)


def _narrow_parts(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    side = PADDING + tablet_svg.TABLET_WIDTH + 16
    yield svg.transform(PADDING, HEADER_HEIGHT, tablet_svg.tablet(view, cards, seat))
    yield _coins(view, seat, side, HEADER_HEIGHT + 16, width - side - PADDING)
    number = pluralize(view.hand_sizes[seat], "card")
    yield svg.text(side, HEADER_HEIGHT + 128, number, 15, fill=TEXT_COLOUR)
    top = HEADER_HEIGHT + tablet_svg.TABLET_HEIGHT + 12
    area = Box(PADDING, top, width - 2 * PADDING, NARROW_HEIGHT - top - PADDING)
    yield _hand(view, cards, seat, area)


def _wide_parts(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    side = PADDING + tablet_svg.TABLET_WIDTH * WIDE_TABLET_SCALE + 24
    tablet = tablet_svg.tablet(view, cards, seat)
    yield svg.transform(PADDING, HEADER_HEIGHT, tablet, scale=WIDE_TABLET_SCALE)
    yield _coins(view, seat, side, 20, 240)
    number = pluralize(view.hand_sizes[seat], "card")
    yield svg.text(side, HEADER_HEIGHT + 16, number, 14, fill=MUTED_TEXT_COLOUR)
    top = HEADER_HEIGHT + 28
    area = Box(side, top, width - side - PADDING, WIDE_HEIGHT - top - PADDING)
    yield _hand(view, cards, seat, area)


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name at the left, badges at the right."""
    name = seat_text.marked_name(player_name(seat), seat == view.seat)
    yield svg.text(PADDING, 25, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    yield from svg.badge_row(_badges(view, seat), width - PADDING, 9, 8)


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """The badges of a player with their colours, from right to left."""
    if seat in view.winners:
        yield "wins", GILT_COLOUR
    if seat in view.to_act:
        yield "to act", GILT_COLOUR
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2cf"
    if seat == view.caller:
        yield "called", "#f0a58f"
    if seat in view.voted:
        yield "voted", "#a9cdf0"


def _coins(view: View, seat: int, x: float, y: float, width: float) -> Markup:
    """A coin for each point won and a ring for each still to win, in rows."""
    step = 2 * COIN_RADIUS + 5
    in_row = int((width + 5) // step)
    coins = (
        _coin(x + COIN_RADIUS + n % in_row * step, y + n // in_row * step, n < view.points[seat])
        for n in range(view.options.points_to_win)
    )
    return svg.group(*coins)


def _coin(x: float, y: float, is_won: bool) -> Markup:
    if not is_won:
        ring = {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "2.5 2.5"}
        return svg.circle(x, y, COIN_RADIUS - 1, **ring)
    rim = svg.circle(x, y, COIN_RADIUS, fill=GILT_COLOUR, stroke="#7d5a10")
    return svg.group(rim, svg.circle(x, y, COIN_RADIUS - 3.5, fill="none", stroke="#9a7016"))


def _hand(view: View, cards: CardPainter, seat: int, area: Box) -> Markup:
    """Backs, then the cards that the viewer knows; those of other players are marked."""
    scale = area.height / playing_card_svg.CARD_HEIGHT
    draw = cards.face if scale >= MIN_FACE_SCALE else cards.thumb
    faces = [draw(card) for card in seat_text.visible_hand(view, seat)]
    backs = [cards.back()] * (view.hand_sizes[seat] - len(faces))
    if seat != view.seat and view.to_act:
        mark = svg.group(*playing_card_svg.seen_mark(GILT_COLOUR, 24, -5))
        faces = [svg.group(face, mark) for face in faces]
    row = playing_card_svg.card_row(backs + faces, area.width, scale)
    return svg.transform(area.x, area.y, *row)
