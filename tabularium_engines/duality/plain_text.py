"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import page_text, seat_text
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.duality import status_text
from tabularium_engines.duality.cards import CARD_CODES, is_symmetric, lines_of
from tabularium_engines.duality.news_text import PLAYER_NAMES, TURNED_SIGN, signed_column
from tabularium_engines.duality.view import Laid, Place, View

CARD_WIDTH: Final = 7  # in characters
MARGIN_WIDTH: Final = 6
CARDS_PER_ROW: Final = (page_text.PAGE_WIDTH - MARGIN_WIDTH) // CARD_WIDTH
PORT_SIGNS: Final = ("●■", "○□")  # by colour: a shape for each of its lines on a card
SINGLE_FRAME: Final = "┌─┐└┘"
DOUBLE_FRAME: Final = "╔═╗╚╝"
LEGEND: Final = (
    "● ■ are ends of black lines, ○ □ of white ones; equal signs on a card are one line. "
    "Below a card's name: its connections. * is the latest card, ↻ a turned one; "
    "b and w: where a path of Black or White may begin or go on."
)

Cell = list[str]  # three lines of text
EMPTY_CELL: Final[Cell] = [" " * CARD_WIDTH] * 3


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    title = seat_text.title("Duality", view.seat, PLAYER_NAMES)
    head = status_text.headline(view), " ".join(status_text.remarks(view))
    lines = page_text.head_lines(title, status_text.variant_text(view), *head)
    for seat in status_text.seats_from_far(view):
        lines += _player(view, seat)
    lines += [f"Draw pile: {pluralize(view.draw_pile, 'card')}", page_text.HORIZONTAL_RULE]
    for block in _board(view):
        lines += [*block, ""]
    lines += [page_text.HORIZONTAL_RULE, *page_text.paragraph(LEGEND), *_hand(view)]
    return page_text.page(lines)


def boards(view: View) -> list[str]:
    """The board in blocks, without the rest of the page: 22 lines or fewer each."""
    return [page_text.page(block) for block in _board(view)]


# -- players ------------------------------------------------------------------------------------


def _player(view: View, seat: int) -> Iterator[str]:
    mark = "▶" if seat in view.to_act else " "
    name = f"{mark} {seat_text.marked_name(PLAYER_NAMES[seat], seat == view.seat)}:"
    seen = status_text.visible_hand(view, seat)
    unseen = view.hand_sizes[seat] - len(seen)
    cards = " ".join([page_text.BACK_SIGN] * unseen + [*seen]) or "no cards"
    yield f"{name:15}{cards:16}longest path {pluralize(view.longest[seat], 'card')}"
    if view.barred[seat] and unseen:
        possible = [code for code in CARD_CODES if code not in view.barred[seat]]
        yield from page_text.paragraph(f"unseen is one of {' '.join(possible)}", " " * 15, " " * 17)


def _hand(view: View) -> Iterator[str]:
    """The viewer's cards, each in both orientations if they differ."""
    if view.hand:
        yield from (page_text.HORIZONTAL_RULE, "Your cards, and how they look turned:")
    cells = [
        _tile_cell(view, card, turned, " ", "─")
        for card in view.hand
        for turned in (False, True)
        if not (turned and is_symmetric(CARD_CODES.index(card)))
    ]
    for block in page_text.blocks(cells, CARDS_PER_ROW):
        yield from page_text.join_cells(block)


# -- the board ----------------------------------------------------------------------------------


def _board(view: View) -> Iterator[list[str]]:
    """All columns from the leftmost to the rightmost, in blocks that fit the page, from the far
    home down to the viewer's."""
    cells = {place: _free_cell(view, place) for free in view.free for place in free}
    cells |= {Place(laid.row, laid.column): _laid_cell(view, laid) for laid in view.board}
    columns = [place.column for place in cells]
    every, rows = range(min(columns), max(columns) + 1), range(view.options.file, 0, -1)
    if status_text.is_turned(view):
        every, rows = every[::-1], rows[::-1]
    for block in page_text.blocks(every, CARDS_PER_ROW):
        labels = [f"{signed_column(column):^{CARD_WIDTH}}" for column in block]
        lines = [" " * MARGIN_WIDTH + "".join(labels)]
        for row in rows:
            side = {1: "Black", view.options.file: "White"}.get(row, "")
            margin = [f"{label:{MARGIN_WIDTH}}" for label in (side, f"  {row}", "")]
            shown = (cells.get(Place(row, column), EMPTY_CELL) for column in block)
            lines += page_text.join_cells([margin, *shown])
        yield lines


def _free_cell(view: View, place: Place) -> Cell:
    """An empty place, marked with the players whose paths lead there."""
    black, white = (sign if place in view.free[seat] else " " for seat, sign in enumerate("bw"))
    return [EMPTY_CELL[0], f"  {black} {white}  ", EMPTY_CELL[0]]


def _laid_cell(view: View, laid: Laid) -> Cell:
    """A card in play, in double lines if it is on the winning path."""
    place = Place(laid.row, laid.column)
    frame = DOUBLE_FRAME if place in view.joined else SINGLE_FRAME
    mark = "*" if place == view.latest else " "
    return _tile_cell(view, laid.card, laid.turned, mark, str(laid.connections), frame)


def _tile_cell(
    view: View, card: str, turned: bool, mark: str, below: str, frame: str = SINGLE_FRAME
) -> Cell:
    """A card in three lines, as the viewer sees it: its frame, with a sign at each port."""
    signs = _port_signs(card, turned)
    if status_text.is_turned(view):
        signs = signs[3:] + signs[:3]
    north1, north2, east, south2, south1, west = signs
    corner1, edge, corner2, corner3, corner4 = tuple(frame)
    name = f"{mark}{card}{TURNED_SIGN if turned else ' '}"
    return [
        f"{corner1}{edge}{north1}{edge}{north2}{edge}{corner2}",
        f"{west}{name}{east}",
        f"{corner3}{edge}{south1}{below}{south2}{edge}{corner4}",
    ]


def _port_signs(card: str, turned: bool) -> list[str]:
    """The sign at each port, clockwise."""
    signs = [""] * 6
    shapes = [iter(shapes) for shapes in PORT_SIGNS]
    for colour, one, other in lines_of(CARD_CODES.index(card), turned):
        signs[one] = signs[other] = next(shapes[colour])
    return signs
