"""How does one player's part of the table look? Name, points, law tablet and hand on a panel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Box, Markup
from games.engines.law_of_the_dice import captions, tablet_svg
from games.engines.law_of_the_dice.news import player
from games.engines.law_of_the_dice.view import View

CREAM: Final = "#f7f0dd"
MUTED: Final = "#c3cdbd"
GILT: Final = "#f2c14e"
BOARD: Final = "#142c26"
COIN: Final = 9.0  # radius

PAD: Final = 12.0
HEADER: Final = 36.0
NARROW: Final = 260.0  # the height of a panel whose hand lies below the tablet …
WIDE: Final = 206.0  # … and of one whose hand lies beside it
LARGE: Final = 1.2  # how much larger the tablet of a wide panel is
FACE_SCALE: Final = 0.7  # from here on a card in a hand is drawn in full


def panel(view: View, cards: Cards, seat: int, box: Box) -> Markup:
    """Everything a player has, on a board whose edge shines if the table waits for them."""
    edge = GILT if seat in view.to_act else "#3d5c50"
    width = 3.5 if seat in view.to_act else 1
    board = svg.panel(box, 10, fill=BOARD, fill_opacity=0.8, stroke=edge, stroke_width=width)
    parts = _wide if box.width > 500 else _narrow
    inside = svg.at(
        box.x, box.y, *_header(view, seat, box.width), *parts(view, cards, seat, box.width)
    )
    return svg.group(board, inside)


def _narrow(view: View, cards: Cards, seat: int, width: float) -> Iterator[Markup]:
    side = PAD + tablet_svg.WIDTH + 16
    yield svg.at(PAD, HEADER, tablet_svg.tablet(view, cards, seat))
    yield _coins(view, seat, side, HEADER + 16, width - side - PAD)
    yield svg.text(side, HEADER + 128, _count(view, seat), 15, fill=CREAM)
    top = HEADER + tablet_svg.HEIGHT + 12
    yield _hand(view, cards, seat, Box(PAD, top, width - 2 * PAD, NARROW - top - PAD))


def _wide(view: View, cards: Cards, seat: int, width: float) -> Iterator[Markup]:
    side = PAD + tablet_svg.WIDTH * LARGE + 24
    yield svg.at(PAD, HEADER, tablet_svg.tablet(view, cards, seat), scale=LARGE)
    yield _coins(view, seat, side, 20, 240)
    yield svg.text(side, HEADER + 16, _count(view, seat), 14, fill=MUTED)
    top = HEADER + 28
    yield _hand(view, cards, seat, Box(side, top, width - side - PAD, WIDE - top - PAD))


def _count(view: View, seat: int) -> str:
    return captions.plural(view.hand_sizes[seat], "card")


# -- the header ---------------------------------------------------------------------------------


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name at the left, what is to be said of the player now at the right."""
    you = " (you)" if seat == view.seat else ""
    yield svg.text(PAD, 25, player(seat) + you, 18, fill=CREAM, font_weight="bold")
    right = width - PAD
    for badge, colour in _badges(view, seat):
        size = svg.width_of(badge, 13) + 16
        right -= size
        yield svg.rect(right, 9, size, 21, 10.5, fill=colour)
        yield svg.centred(right + size / 2, 19.5, badge, 13, fill="#1c1607", font_weight="bold")
        right -= 6


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """Short words about a player, each with a colour, from right to left."""
    if seat in view.winners:
        yield "wins", GILT
    if seat in view.to_act:
        yield "to act", GILT
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2cf"
    if seat == view.caller:
        yield "called", "#f0a58f"
    if seat in view.voted:
        yield "voted", "#a9cdf0"


def _coins(view: View, seat: int, x: float, y: float, width: float) -> Markup:
    """A coin for each point there is and a ring for each still to be won, in rows."""
    step = 2 * COIN + 5
    in_row = int((width + 5) // step)
    coins = (
        _coin(x + COIN + n % in_row * step, y + n // in_row * step, n < view.points[seat])
        for n in range(view.options.points_to_win)
    )
    return svg.group(*coins)


def _coin(x: float, y: float, is_won: bool) -> Markup:
    if not is_won:
        return svg.circle(x, y, COIN - 1, fill="none", stroke=MUTED, stroke_dasharray="2.5 2.5")
    rim = svg.circle(x, y, COIN, fill=GILT, stroke="#7d5a10")
    return svg.group(rim, svg.circle(x, y, COIN - 3.5, fill="none", stroke="#9a7016"))


# -- the hand -----------------------------------------------------------------------------------


def _hand(view: View, cards: Cards, seat: int, area: Box) -> Markup:
    """Backs, then the cards that the viewer knows; in two rows if one would hide too much."""
    drawn = _hand_cards(view, cards, seat, area.height / french_svg.HEIGHT)
    scale = area.height / french_svg.HEIGHT
    return svg.at(area.x, area.y, *_row(drawn, area.width, scale))


def _row(drawn: list[Markup], width: float, scale: float) -> Iterator[Markup]:
    """Cards side by side, overlapping as far as they must."""
    card = french_svg.WIDTH * scale
    step = min(card + 4, (width - card) / max(len(drawn) - 1, 1))
    for place, one in enumerate(drawn):
        yield svg.at(place * step, 0, one, scale=scale)


def _hand_cards(view: View, cards: Cards, seat: int, scale: float) -> list[Markup]:
    seen = captions.open_hand(view, seat)
    draw = cards.face if scale >= FACE_SCALE else cards.thumb
    faces = [draw(card) for card in seen]
    if seat != view.seat and view.to_act:
        faces = [svg.group(face, _eye()) for face in faces]
    return [cards.back()] * (view.hand_sizes[seat] - len(seen)) + faces


def _eye() -> Markup:
    """The mark of a card that its owner hides, but not from the viewer."""
    frame = svg.rect(2, 2, 96, 136, 8, fill="none", stroke=GILT, stroke_width=6)
    lid = svg.path("M-11 0Q0-14 11 0Q0 14-11 0Z", fill="#fff", stroke="#1c1607", stroke_width=2.5)
    eye = svg.circle(0, 0, 15, fill=GILT), lid, svg.circle(0, 0, 4, fill="#1c1607")
    return svg.group(frame, svg.at(24, -5, *eye))
