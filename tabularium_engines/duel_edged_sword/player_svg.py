"""A player's panel as SVG: points, pile, Completes, and the edges in eleven fixed slots, so that an
imminent third or fourth of a kind is obvious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import seat_text, svg
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.common.svg import GILT_COLOUR, Box, Markup
from tabularium_engines.duel_edged_sword import status_text
from tabularium_engines.duel_edged_sword.card_svg import INK_COLOUR, CardPainter
from tabularium_engines.duel_edged_sword.cards import KIND_CODES
from tabularium_engines.duel_edged_sword.news_text import SEAT_NAMES
from tabularium_engines.duel_edged_sword.view import View

TEXT_COLOUR: Final = "#f4f1e6"
MUTED_TEXT_COLOUR: Final = "#b9c1dc"
PANEL_COLOUR: Final = "#171d35"
DANGER_COLOUR: Final = "#ff9a76"

PADDING: Final = 12.0
TILE_WIDTH: Final = 34.0  # of a collected Complete
COMPLETES_TOP: Final = 54.0
EDGES_TOP: Final = 106.0
SLOT_WIDTH: Final = 33.0  # of a kind's slot
SYMBOL_SIZE: Final = 23.0
PANEL_HEIGHT: Final = 164.0
BADGE_SIZE: Final = 12.4  # of letters
LOST_OPACITY: Final = 0.5  # of Completes that do not count
LOST_BADGES: Final = {"out": "out", "cut": "cut: 0", "bust": "bust: 0"}


def panel(view: View, painter: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel; its edge is highlighted if the player must act."""
    edge, width = (GILT_COLOUR, "3.5") if seat in view.to_act else ("#46507c", "1")
    look = {"fill": PANEL_COLOUR, "fill_opacity": "0.82", "stroke": edge, "stroke_width": width}
    board = svg.panel(box, 10, **look)
    opacity = None if status_text.is_scoring(view.players[seat]) else LOST_OPACITY
    completes = svg.group(*_completes(view, painter, seat, box.width), opacity=opacity)
    parts = (*_header(view, seat, box.width), completes, *_edge_slots(view, painter, seat))
    return svg.group(board, svg.transform(box.x, box.y, *parts))


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name over the numbers at the left, badges at the right."""
    name = seat_text.marked_name(SEAT_NAMES[seat], seat == view.seat)
    yield svg.text(PADDING, 26, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    points = pluralize(view.points[seat], "point")
    completes = pluralize(len(view.players[seat].completes), "Complete")
    numbers = f"{points} · {completes} now · {view.players[seat].pile} to draw"
    yield svg.text(PADDING, 45, numbers, 14, fill=TEXT_COLOUR)
    yield svg.name_slot(seat, *_name_room(view, seat, name, width), 15)
    right = width - PADDING
    for badge, colour in _badges(view, seat):
        size = svg.text_width(badge, BADGE_SIZE) + 14
        right -= size
        yield svg.rect(right, 11, size, 20, 10, fill=colour)
        look = {"fill": INK_COLOUR, "font_weight": "bold"}
        yield svg.centred_text(right + size / 2, 21, badge, BADGE_SIZE, **look)
        right -= 5


def _name_room(view: View, seat: int, name: str, width: float) -> tuple[float, float, float]:
    """Where the name of the player begins, its base line, and where it ends at most."""
    badges = sum(svg.text_width(badge, BADGE_SIZE) + 19 for badge, _ in _badges(view, seat))
    return PADDING + svg.bold_text_width(name, 18), 26, width - PADDING - badges - 8


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """The badges of a player with their colours, from right to left."""
    mate = status_text.partner_of(view, seat)
    if status_text.has_won(view, seat):
        yield "wins", GILT_COLOUR
    if seat in view.to_act:
        yield "to play", GILT_COLOUR
    if view.players[seat].standing in LOST_BADGES:
        yield LOST_BADGES[view.players[seat].standing], DANGER_COLOUR
    if mate is not None:
        yield f"with {SEAT_NAMES[mate]}", "#a9d4c4" if 0 in (seat, mate) else "#cdb8ea"


def _completes(view: View, painter: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    """A tile for each Complete; the tiles overlap as far as necessary."""
    completes = view.players[seat].completes
    room = width - 2 * PADDING - TILE_WIDTH
    step = min(TILE_WIDTH + 3, room / max(len(completes) - 1, 1))
    for place, card in enumerate(completes):
        tile = painter.tile(card, TILE_WIDTH)
        yield svg.transform(PADDING + place * step, COMPLETES_TOP, tile)


def _edge_slots(view: View, painter: CardPainter, seat: int) -> Iterator[Markup]:
    """A slot for each kind, with a dot for each card of it."""
    held = Counter(view.players[seat].constraints)
    for place, kind in enumerate(KIND_CODES):
        yield _edge_slot(painter, kind, PADDING + SLOT_WIDTH * (place + 0.5), held[kind])


@svg.drawn_once
def _edge_slot(painter: CardPainter, kind: str, x: float, number: int) -> Markup:
    """The slot of a kind around x; a warning at two cards: the third ends the round."""
    fill = "#7c2d1c" if number > 2 else "#6b5a1e" if number == 2 else "#28304f"
    slot = svg.rect(x - SLOT_WIDTH / 2 + 1, EDGES_TOP, SLOT_WIDTH - 2, 48, 6, fill=fill)
    symbol = kind_symbol(painter, kind, x, EDGES_TOP + 17, number)
    return svg.group(slot, symbol, *_count_dots(number, x, EDGES_TOP + 39))


def kind_symbol(painter: CardPainter, kind: str, x: float, y: float, number: int) -> Markup:
    """The symbol of a kind, pale if there is no card of it."""
    if number:
        return painter.symbol(kind, x, y, SYMBOL_SIZE)
    return painter.faint_symbol(kind, x, y, SYMBOL_SIZE, MUTED_TEXT_COLOUR)


def _count_dots(number: int, x: float, y: float) -> Iterator[Markup]:
    """Up to three dots; more cards are shown as a number."""
    if number > 3:
        yield svg.centred_text(x, y, f"× {number}", 13, fill="#fff", font_weight="bold")
        return
    for place in range(3):
        look = {"fill": "#fff"} if place < number else {"fill": "none", "stroke": "#7f89b3"}
        yield svg.circle(x + 9 * (place - 1), y, 3.2, **look)
