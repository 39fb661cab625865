"""A player's panel as SVG: points, pile, Completes, and the edges in eleven fixed slots, so that an
imminent third or fourth of a kind is obvious."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.english_text import pluralize
from games.engines.common.svg import Box, Markup
from games.engines.duel_edged_sword import status_text
from games.engines.duel_edged_sword.card_svg import (
    GILT_COLOUR,
    INK_COLOUR,
    PAPER_COLOUR,
    CardPainter,
    SvgStyle,
)
from games.engines.duel_edged_sword.cards import KIND_CODES
from games.engines.duel_edged_sword.news_text import player_name
from games.engines.duel_edged_sword.view import View

TEXT_COLOUR: Final = "#f4f1e6"
MUTED_TEXT_COLOUR: Final = "#b9c1dc"
PANEL_COLOUR: Final = "#171d35"
DANGER_COLOUR: Final = "#ff9a76"

PADDING: Final = 12.0
TILE_WIDTH: Final = 34.0  # of a collected Complete
COMPLETES_TOP: Final = 54.0
EDGES_TOP: Final = 106.0
SLOT_WIDTH: Final = 33.0  # of a kind's slot
PANEL_HEIGHT: Final = 164.0
LOST_BADGES: Final = {"out": "out", "cut": "cut: 0", "bust": "bust: 0"}


def panel(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel; its edge is highlighted if the player must act."""
    acts = seat in view.to_act
    edge = GILT_COLOUR if acts else "#46507c"
    look: SvgStyle = {
        "fill": PANEL_COLOUR,
        "fill_opacity": 0.82,
        "stroke": edge,
        "stroke_width": 3.5 if acts else 1,
    }
    board = svg.panel(box, 10, **look)
    return svg.group(
        board, svg.transform(box.x, box.y, *_panel_content(view, cards, seat, box.width))
    )


def _panel_content(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    yield from _header(view, seat, width)
    is_lost = not status_text.is_scoring(view.players[seat])
    look = {"opacity": 0.4} if is_lost else {}
    yield svg.group(*_completes(view, cards, seat, width), **look)
    yield from _edge_slots(view, cards, seat)


# -- the header ---------------------------------------------------------------------------------


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name over the numbers at the left, badges at the right."""
    name = status_text.player_label(view, seat)
    yield svg.text(PADDING, 26, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    yield svg.text(PADDING, 45, _numbers_text(view, seat), 14, fill=TEXT_COLOUR)
    right = width - PADDING
    for badge, colour in _badges(view, seat):
        size = svg.text_width(badge, 12) + 14
        right -= size
        yield svg.rect(right, 11, size, 20, 10, fill=colour)
        yield svg.centred_text(right + size / 2, 21, badge, 12, fill=INK_COLOUR, font_weight="bold")
        right -= 5


def _numbers_text(view: View, seat: int) -> str:
    """Points of the match, cards in the pile, Completes of the round."""
    one = view.players[seat]
    points = pluralize(view.points[seat], "point")
    completes = pluralize(len(one.completes), "Complete")
    return f"{points} · {completes} now · {one.pile} to draw"


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
        yield f"with {player_name(mate)}", "#a9d4c4" if 0 in (seat, mate) else "#cdb8ea"


# -- collected cards ----------------------------------------------------------------------------


def _completes(view: View, cards: CardPainter, seat: int, width: float) -> Iterator[Markup]:
    """A tile for each Complete; the tiles overlap as far as necessary."""
    completes = view.players[seat].completes
    room = width - 2 * PADDING - TILE_WIDTH
    step = min(TILE_WIDTH + 3, room / max(len(completes) - 1, 1))
    for place, card in enumerate(completes):
        tile = svg.rect(
            0, 0, TILE_WIDTH, 44, 5, fill=PAPER_COLOUR, stroke="#c99a25", stroke_width=1.5
        )
        letters = svg.text(4, 13, card, 11.5, fill=INK_COLOUR, font_weight="bold")
        symbol = cards.symbol(card, TILE_WIDTH / 2, 29, 22)
        whole = svg.group(tile, letters, symbol, data_card=card)
        yield svg.transform(PADDING + place * step, COMPLETES_TOP, whole)


def _edge_slots(view: View, cards: CardPainter, seat: int) -> Iterator[Markup]:
    """A slot for each kind, with a dot for each card of it."""
    held = dict(status_text.kind_counts(view.players[seat].constraints))
    for place, kind in enumerate(KIND_CODES):
        number = held.get(kind, 0)
        x = PADDING + SLOT_WIDTH * (place + 0.5)
        look = {} if number else {"opacity": 0.35}
        fill = _slot_colour(number)
        slot = svg.rect(x - SLOT_WIDTH / 2 + 1, EDGES_TOP, SLOT_WIDTH - 2, 48, 6, fill=fill)
        symbol = svg.group(cards.symbol(kind, x, EDGES_TOP + 17, 23), **look)
        yield svg.group(slot, symbol, *_count_dots(number, x, EDGES_TOP + 39))


def _slot_colour(number: int) -> str:
    """The background of a kind's slot: a warning at two cards, the third ends the round."""
    return "#7c2d1c" if number > 2 else "#6b5a1e" if number == 2 else "#28304f"


def _count_dots(number: int, x: float, y: float) -> Iterator[Markup]:
    """Up to three dots; more cards are shown as a number."""
    if number > 3:
        yield svg.centred_text(x, y, f"× {number}", 13, fill="#fff", font_weight="bold")
        return
    for place in range(3):
        look = {"fill": "#fff"} if place < number else {"fill": "none", "stroke": "#7f89b3"}
        yield svg.circle(x + 9 * (place - 1), y, 3.2, **look)
