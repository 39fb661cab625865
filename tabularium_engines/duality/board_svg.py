"""The board as SVG: columns of cards between two banks, the viewer's below; an onlooker sees it as
Black does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Final

from mypy_extensions import i64

from tabularium_engines.common import svg
from tabularium_engines.common.svg import Markup
from tabularium_engines.duality import card_svg
from tabularium_engines.duality.board import Board, place_of
from tabularium_engines.duality.card_svg import CARD_HEIGHT, CARD_WIDTH, LINE_COLOURS, PortPair
from tabularium_engines.duality.cards import BLACK, WHITE, other_end
from tabularium_engines.duality.news_text import PLAYER_NAMES, signed_column
from tabularium_engines.duality.paths import longest_path, winning_path
from tabularium_engines.duality.status_text import is_turned, seats_from_far
from tabularium_engines.duality.view import View, board_from_view

BANK_HEIGHT: Final = 30.0
LABEL_SIZE: Final = 26.0  # of the row labels, and of the column labels below
LABEL_COLOUR: Final = "#dfe6ea"
MIN_COLUMNS: Final = 5  # columns shown at least
MAX_WIDTH: Final = 1160.0  # a wider board is scaled down

MarkedLines = defaultdict[i64, list[PortPair]]  # by place


class BoardLayout:
    """The columns with a card or a place where one could be played, and the scale that fits them
    into a width. An upended board is turned by a quarter: its columns are lines from the top."""

    def __init__(self, view: View, room: float = MAX_WIDTH, is_upended: bool = False) -> None:
        self.is_upended = is_upended
        columns = [laid.column for laid in view.board]
        columns += [place.column for free in view.free for place in free]
        first, last = min(columns), max(columns)
        while last - first + 1 < MIN_COLUMNS:
            first, last = first - 1, last + 1
        self.rows = range(view.options.file, 0, -1)  # from the top …
        self.columns = range(first, last + 1)  # … and from the left
        self.is_turned = is_turned(view)
        if self.is_turned:
            self.rows, self.columns = self.rows[::-1], self.columns[::-1]
        self.seats = seats_from_far(view)
        self.width = len(self.columns) * CARD_WIDTH + LABEL_SIZE  # before scaling
        self.height = len(self.rows) * CARD_HEIGHT + 2 * BANK_HEIGHT + LABEL_SIZE
        self.scale = min(1.0, room / (self.height if is_upended else self.width))

    @property
    def size(self) -> tuple[float, float]:
        """The size of the board as it is seen."""
        width, height = self.width * self.scale, self.height * self.scale
        return (height, width) if self.is_upended else (width, height)

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The top left corner of a place."""
        x = LABEL_SIZE + self.columns.index(column) * CARD_WIDTH
        return x, BANK_HEIGHT + self.rows.index(row) * CARD_HEIGHT


def draw(view: View, laid_out: BoardLayout) -> Markup:
    """The board, its top left corner at (0, 0)."""
    striped, shining = _marked_lines(view)
    parts = [*_banks(laid_out), *_labels(laid_out), *_free_places(view, laid_out)]
    for laid in view.board:
        place = place_of(laid.column, laid.row)
        lines = tuple(striped[place]), tuple(shining[place])
        card = card_svg.face(
            laid.card,
            laid.turned,
            *lines,
            laid.connections,
            is_seen_turned=laid_out.is_turned,
            labels="upended" if laid_out.is_upended else "small",
        )
        card = _place(laid.row, laid.column, laid.card, card)
        parts.append(svg.transform(*laid_out.corner(laid.row, laid.column), card))
    if view.latest is not None:
        x, y = laid_out.corner(view.latest.row, view.latest.column)
        look = {"fill": "none", "stroke": "#ffffff"}
        parts.append(card_svg.frame(x, y, 1.5, **look, stroke_width=3, stroke_dasharray="9 4"))
    if laid_out.is_upended:
        return svg.transform(laid_out.size[0], 0, *parts, scale=laid_out.scale, turn=90)
    return svg.transform(0, 0, *parts, scale=laid_out.scale)


def _marked_lines(view: View) -> tuple[MarkedLines, MarkedLines]:
    """The lines on each player's longest path, and those on the winning path."""
    board = board_from_view(view)
    longest = [longest_path(board, seat) for seat in (BLACK, WHITE)]
    winning = [winning_path(board, view.winners[0])] if view.ending == "connection" else []
    return _lines_by_place(board, longest), _lines_by_place(board, winning)


def _lines_by_place(board: Board, paths: list[list[i64]]) -> MarkedLines:
    lines = MarkedLines(list)
    for arrival in chain.from_iterable(paths):
        place, port = arrival >> 3, int(arrival & 7)
        other = int(other_end(board.tile(place), port))
        lines[place].append((min(port, other), max(port, other)))
    return lines


def _banks(laid_out: BoardLayout) -> Iterator[Markup]:
    """Both players' sides of the table, where their paths begin."""
    x, width = LABEL_SIZE, len(laid_out.columns) * CARD_WIDTH
    height = len(laid_out.rows) * CARD_HEIGHT
    yield svg.rect(x, BANK_HEIGHT, width, height, 0, fill="#46606b", stroke="none")
    for seat, y in zip(laid_out.seats, (0.0, BANK_HEIGHT + height), strict=True):
        ink, name = LINE_COLOURS[1 - seat], PLAYER_NAMES[seat].upper()
        look = {"fill": LINE_COLOURS[seat], "stroke": ink}
        yield svg.rect(x, y, width, BANK_HEIGHT, 6, **look, stroke_opacity=0.4)
        middle = x + width / 2, y + BANK_HEIGHT / 2
        size = card_svg.UPENDED_SIZE if laid_out.is_upended else 14
        yield svg.centred_text(*middle, name, size, fill=ink, letter_spacing="6")


def _labels(laid_out: BoardLayout) -> Iterator[Markup]:
    """Row labels at the left, column labels below."""
    for row in laid_out.rows:
        _, y = laid_out.corner(row, laid_out.columns[0])
        yield _label(LABEL_SIZE / 2 - 2, y + CARD_HEIGHT / 2, str(row), laid_out.is_upended)
    bottom = 2 * BANK_HEIGHT + len(laid_out.rows) * CARD_HEIGHT + 14
    for column in laid_out.columns:
        x, _ = laid_out.corner(1, column)
        yield _label(x + CARD_WIDTH / 2, bottom, signed_column(column), laid_out.is_upended)


def _label(x: float, y: float, name: str, is_upended: bool) -> Markup:
    name = name.replace("-", "−")
    if is_upended:
        shown = svg.centred_text(0, 0, name, card_svg.UPENDED_SIZE, fill=LABEL_COLOUR)
        return svg.transform(x, y, shown, turn=-90)
    return svg.centred_text(x, y, name, 15, fill=LABEL_COLOUR)


def _free_places(view: View, laid_out: BoardLayout) -> Iterator[Markup]:
    """The places where the seat on turn may play a new card."""
    for seat in view.to_act:
        for place in view.free[seat]:
            name = f"{place.row} | {signed_column(place.column)}".replace("-", "−")
            corner = laid_out.corner(place.row, place.column)
            empty = card_svg.empty_place(*corner, seat, name, laid_out.is_upended)
            yield _place(place.row, place.column, "empty", empty)


def _place(row: int, column: int, content: str, drawn: Markup) -> Markup:
    """A place of the board, which can be pointed at."""
    name = f"Row {row}, column {signed_column(column)}: {content}".replace("-", "−")
    return svg.thing(drawn, pick=f"row={row},column={column}", name=name)
