"""A player's panel as SVG: name, points, law tablet and hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import playing_card_svg, svg
from games.engines.common.english_text import pluralize
from games.engines.common.playing_card_svg import CardPainter
from games.engines.common.svg import Box, Markup
from games.engines.law_of_the_dice import status_text, tablet_svg
from games.engines.law_of_the_dice.news_text import player_name
from games.engines.law_of_the_dice.view import View

TEXT_COLOUR: Final = "#f7f0dd"
MUTED_TEXT_COLOUR: Final = "#c3cdbd"
GILT_COLOUR: Final = "#f2c14e"
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
    edge = GILT_COLOUR if seat in view.to_act else "#3d5c50"
    width = 3.5 if seat in view.to_act else 1
    board = svg.panel(box, 10, fill=PANEL_COLOUR, fill_opacity=0.8, stroke=edge, stroke_width=width)
    parts = _wide_parts if box.width > 500 else _narrow_parts
    inside = svg.transform(
        box.x, box.y, *_header(view, seat, box.width), *parts(view, cards, seat, box.width)
    )
    return svg.group(board, inside)


def _narrow_parts(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    side = PADDING + tablet_svg.TABLET_WIDTH + 16
    yield svg.transform(PADDING, HEADER_HEIGHT, tablet_svg.tablet(view, cards, seat))
    yield _coins(view, seat, side, HEADER_HEIGHT + 16, width - side - PADDING)
    yield svg.text(side, HEADER_HEIGHT + 128, _card_count_text(view, seat), 15, fill=TEXT_COLOUR)
    top = HEADER_HEIGHT + tablet_svg.TABLET_HEIGHT + 12
    yield _hand(
        view, cards, seat, Box(PADDING, top, width - 2 * PADDING, NARROW_HEIGHT - top - PADDING)
    )


def _wide_parts(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    side = PADDING + tablet_svg.TABLET_WIDTH * WIDE_TABLET_SCALE + 24
    yield svg.transform(
        PADDING, HEADER_HEIGHT, tablet_svg.tablet(view, cards, seat), scale=WIDE_TABLET_SCALE
    )
    yield _coins(view, seat, side, 20, 240)
    yield svg.text(
        side, HEADER_HEIGHT + 16, _card_count_text(view, seat), 14, fill=MUTED_TEXT_COLOUR
    )
    top = HEADER_HEIGHT + 28
    yield _hand(
        view, cards, seat, Box(side, top, width - side - PADDING, WIDE_HEIGHT - top - PADDING)
    )


def _card_count_text(view: View, seat: int) -> str:
    return pluralize(view.hand_sizes[seat], "card")


# -- the header ---------------------------------------------------------------------------------


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name at the left, badges at the right."""
    you = " (you)" if seat == view.seat else ""
    yield svg.text(PADDING, 25, player_name(seat) + you, 18, fill=TEXT_COLOUR, font_weight="bold")
    right = width - PADDING
    for badge, colour in _badges(view, seat):
        size = svg.text_width(badge, 13) + 16
        right -= size
        yield svg.rect(right, 9, size, 21, 10.5, fill=colour)
        yield svg.centred_text(
            right + size / 2, 19.5, badge, 13, fill="#1c1607", font_weight="bold"
        )
        right -= 6


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
        return svg.circle(
            x, y, COIN_RADIUS - 1, fill="none", stroke=MUTED_TEXT_COLOUR, stroke_dasharray="2.5 2.5"
        )
    rim = svg.circle(x, y, COIN_RADIUS, fill=GILT_COLOUR, stroke="#7d5a10")
    return svg.group(rim, svg.circle(x, y, COIN_RADIUS - 3.5, fill="none", stroke="#9a7016"))


# -- the hand -----------------------------------------------------------------------------------


def _hand(view: View, cards: CardPainter, seat: int, area: Box) -> Markup:
    """Backs, then the cards that the viewer knows."""
    drawn = _hand_cards(view, cards, seat, area.height / playing_card_svg.CARD_HEIGHT)
    scale = area.height / playing_card_svg.CARD_HEIGHT
    return svg.transform(area.x, area.y, *_card_row(drawn, area.width, scale))


def _card_row(drawn: list[Markup], width: float, scale: float) -> Iterator[Markup]:
    """Cards side by side, overlapping as far as necessary."""
    card = playing_card_svg.CARD_WIDTH * scale
    step = min(card + 4, (width - card) / max(len(drawn) - 1, 1))
    for place, one in enumerate(drawn):
        yield svg.transform(place * step, 0, one, scale=scale)


def _hand_cards(view: View, cards: CardPainter, seat: int, scale: float) -> list[Markup]:
    seen = status_text.visible_hand(view, seat)
    draw = cards.face if scale >= MIN_FACE_SCALE else cards.thumb
    faces = [draw(card) for card in seen]
    if seat != view.seat and view.to_act:
        faces = [svg.group(face, _seen_mark()) for face in faces]
    return [cards.back()] * (view.hand_sizes[seat] - len(seen)) + faces


def _seen_mark() -> Markup:
    """The mark of a card that is hidden, but known to the viewer."""
    frame = svg.rect(2, 2, 96, 136, 8, fill="none", stroke=GILT_COLOUR, stroke_width=6)
    lid = svg.path("M-11 0Q0-14 11 0Q0 14-11 0Z", fill="#fff", stroke="#1c1607", stroke_width=2.5)
    eye = svg.circle(0, 0, 15, fill=GILT_COLOUR), lid, svg.circle(0, 0, 4, fill="#1c1607")
    return svg.group(frame, svg.transform(24, -5, *eye))
