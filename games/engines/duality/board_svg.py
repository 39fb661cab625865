"""The board as SVG: columns of cards between two banks, Black's below and White's above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality import card_svg
from games.engines.duality.board import Board, column_of, empty_board, place_of, row_of
from games.engines.duality.card_svg import CARD_HEIGHT, CARD_WIDTH, LINE_COLOURS, PortPair
from games.engines.duality.cards import BLACK, WHITE, other_end
from games.engines.duality.paths import paths_from_home, winning_path
from games.engines.duality.view import Laid, View, tile_number

BANK_HEIGHT: Final = 30.0
LABEL_SIZE: Final = 26.0  # of the row labels, and of the column labels below
MIN_COLUMNS: Final = 5  # columns shown at least
MAX_WIDTH: Final = 1160.0  # a wider board is scaled down

MarkedLines = dict[tuple[int, int], list[PortPair]]  # by row and column


@dataclass(frozen=True)
class BoardLayout:
    """The columns shown, and their scale."""

    rows: int
    columns: range

    @property
    def scale(self) -> float:
        """The factor that fits the board into MAX_WIDTH."""
        return min(1.0, MAX_WIDTH / (len(self.columns) * CARD_WIDTH + LABEL_SIZE))

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the scaled board."""
        width = len(self.columns) * CARD_WIDTH + LABEL_SIZE
        return width * self.scale, (
            self.rows * CARD_HEIGHT + 2 * BANK_HEIGHT + LABEL_SIZE
        ) * self.scale

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The top left corner of a place."""
        x = LABEL_SIZE + (column - self.columns[0]) * CARD_WIDTH
        return x, BANK_HEIGHT + (self.rows - row) * CARD_HEIGHT


def plan_layout(view: View) -> BoardLayout:
    """A layout with all cards and all places where one could be played."""
    free = [*view.free[BLACK], *view.free[WHITE]] if view.to_act else []
    columns = [laid.column for laid in view.board] + [place.column for place in free]
    first, last = min(columns), max(columns)
    while last - first + 1 < MIN_COLUMNS:
        first, last = first - 1, last + 1
    return BoardLayout(view.options.file, range(first, last + 1))


def draw(view: View, laid_out: BoardLayout) -> Markup:
    """The board, its top left corner at (0, 0)."""
    striped, shining = _marked_lines(view)
    cards = [
        svg.transform(*laid_out.corner(laid.row, laid.column), _card(laid, striped, shining))
        for laid in view.board
    ]
    parts = [*_banks(laid_out), *_labels(laid_out), *_free_places(view, laid_out), *cards]
    return svg.transform(0, 0, *parts, *_latest_card_frame(view, laid_out), scale=laid_out.scale)


# -- marked lines -------------------------------------------------------------------------------


def board_from_view(view: View) -> Board:
    """The rules' board for a view."""
    board = empty_board(view.options.file)
    for laid in view.board:
        board.lay(place_of(laid.column, laid.row), tile_number(laid.card, laid.turned))
    return board


def _marked_lines(view: View) -> tuple[MarkedLines, MarkedLines]:
    """The lines on each player's longest path, and those on the winning path."""
    board = board_from_view(view)
    striped, shining = MarkedLines(), MarkedLines()
    for seat in (BLACK, WHITE):
        longest = max(paths_from_home(board, seat), key=_path_length, default=[])
        _mark_path(board, longest, striped)
    if view.ending == "connection":
        _mark_path(board, winning_path(board, view.winners[0]), shining)
    return striped, shining


def _path_length(path: Iterable[int]) -> int:
    return len({arrival >> 3 for arrival in path})


def _mark_path(board: Board, path: Iterable[int], lines: MarkedLines) -> None:
    for arrival in path:
        place, port = int(arrival) >> 3, int(arrival) & 7
        other = int(other_end(board.tile(place), port))
        where = int(row_of(place)), int(column_of(place))
        lines.setdefault(where, []).append((min(port, other), max(port, other)))


# -- parts --------------------------------------------------------------------------------------


def _card(laid: Laid, striped: MarkedLines, shining: MarkedLines) -> Markup:
    where = laid.row, laid.column
    return card_svg.face(
        laid.card, laid.turned, striped.get(where, ()), shining.get(where, ()), laid.connections
    )


def _banks(laid_out: BoardLayout) -> Iterator[Markup]:
    """Both players' sides of the table, where their paths begin."""
    width = len(laid_out.columns) * CARD_WIDTH
    middle = LABEL_SIZE + width / 2
    bottom = BANK_HEIGHT + laid_out.rows * CARD_HEIGHT
    felt = {"fill": "#46606b", "stroke": "none"}
    yield svg.rect(LABEL_SIZE, BANK_HEIGHT, width, laid_out.rows * CARD_HEIGHT, 0, **felt)
    for seat, y in ((WHITE, 0.0), (BLACK, bottom)):
        ink, paper = LINE_COLOURS[1 - seat], LINE_COLOURS[seat]
        yield svg.rect(
            LABEL_SIZE, y, width, BANK_HEIGHT, 6, fill=paper, stroke=ink, stroke_opacity=0.4
        )
        name = ("BLACK", "WHITE")[seat]
        yield svg.centred_text(middle, y + BANK_HEIGHT / 2, name, 14, fill=ink, letter_spacing="6")


def _labels(laid_out: BoardLayout) -> Iterator[Markup]:
    """Row labels at the left, column labels below."""
    look = {"fill": "#dfe6ea"}
    for row in range(1, laid_out.rows + 1):
        _, y = laid_out.corner(row, 0)
        yield svg.centred_text(LABEL_SIZE / 2 - 2, y + CARD_HEIGHT / 2, str(row), 15, **look)
    bottom = 2 * BANK_HEIGHT + laid_out.rows * CARD_HEIGHT + 14
    for column in laid_out.columns:
        x, _ = laid_out.corner(1, column)
        name = f"{column:+d}".replace("-", "−") if column else "0"
        yield svg.centred_text(x + CARD_WIDTH / 2, bottom, name, 15, **look)


def _free_places(view: View, laid_out: BoardLayout) -> Iterator[Markup]:
    """The places where the seat on turn may play a new card."""
    for seat in view.to_act:
        for place in view.free[seat]:
            name = f"{place.row} | {place.column:+d}".replace("-", "−").replace("+0", "0")
            yield card_svg.empty_place(*laid_out.corner(place.row, place.column), seat, name)


def _latest_card_frame(view: View, laid_out: BoardLayout) -> Iterator[Markup]:
    """A frame around the card that was laid last."""
    if view.latest is not None:
        x, y = laid_out.corner(view.latest.row, view.latest.column)
        look: dict[str, svg.AttributeValue] = {
            "fill": "none",
            "stroke": "#ffffff",
            "stroke_width": 3,
            "stroke_dasharray": "9 4",
        }
        yield svg.rect(x + 1.5, y + 1.5, CARD_WIDTH - 3, CARD_HEIGHT - 3, 6, **look)
