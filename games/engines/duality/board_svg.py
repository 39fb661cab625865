"""How does the board look? Columns of cards between two banks, Black's below and White's above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality import card_svg
from games.engines.duality.board import Board, bare, column_of, place_of, row_of
from games.engines.duality.card_svg import HEIGHT, INK, WIDTH, Ends
from games.engines.duality.cards import BLACK, WHITE, other_end
from games.engines.duality.paths import complete_path, paths_of
from games.engines.duality.view import Laid, View, tile_number

BANK: Final = 30.0
LABELS: Final = 26.0  # for the rows, and for the columns below
FEWEST: Final = 5  # columns that are shown
WIDEST: Final = 1160.0  # what is wider is drawn smaller

Lines = dict[tuple[int, int], list[Ends]]  # by row and column


@dataclass(frozen=True)
class Plan:
    """Which columns are shown, and how large."""

    rows: int
    columns: range

    @property
    def scale(self) -> float:
        """How much smaller than full size it must be."""
        return min(1.0, WIDEST / (len(self.columns) * WIDTH + LABELS))

    @property
    def size(self) -> tuple[float, float]:
        """How much room the board needs."""
        width = len(self.columns) * WIDTH + LABELS
        return width * self.scale, (self.rows * HEIGHT + 2 * BANK + LABELS) * self.scale

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The top left corner of a place."""
        x = LABELS + (column - self.columns[0]) * WIDTH
        return x, BANK + (self.rows - row) * HEIGHT


def plan(view: View) -> Plan:
    """Room for all cards and all places where one could be played, the file in sight."""
    free = [*view.free[BLACK], *view.free[WHITE]] if view.to_act else []
    columns = [laid.column for laid in view.board] + [place.column for place in free]
    first, last = min(columns), max(columns)
    while last - first + 1 < FEWEST:
        first, last = first - 1, last + 1
    return Plan(view.options.file, range(first, last + 1))


def draw(view: View, laid_out: Plan) -> Markup:
    """The board, its top left corner at (0, 0)."""
    striped, shining = _marked(view)
    cards = [
        svg.at(*laid_out.corner(laid.row, laid.column), _card(laid, striped, shining))
        for laid in view.board
    ]
    parts = [*_banks(laid_out), *_labels(laid_out), *_places(view, laid_out), *cards]
    return svg.at(0, 0, *parts, *_latest(view, laid_out), scale=laid_out.scale)


# -- lines to be marked -------------------------------------------------------------------------


def board_of(view: View) -> Board:
    """The board as the rules know it."""
    board = bare(view.options.file)
    for laid in view.board:
        board.lay(place_of(laid.column, laid.row), tile_number(laid.card, laid.turned))
    return board


def _marked(view: View) -> tuple[Lines, Lines]:
    """The lines on each player's longest path, and those on the path that won."""
    board = board_of(view)
    striped, shining = Lines(), Lines()
    for seat in (BLACK, WHITE):
        longest = max(paths_of(board, seat), key=_length, default=[])
        _mark(board, longest, striped)
    if view.ending == "connection":
        _mark(board, complete_path(board, view.winners[0]), shining)
    return striped, shining


def _length(path: Iterable[int]) -> int:
    return len({arrival >> 3 for arrival in path})


def _mark(board: Board, path: Iterable[int], lines: Lines) -> None:
    for arrival in path:
        place, port = int(arrival) >> 3, int(arrival) & 7
        other = int(other_end(board.tile(place), port))
        where = int(row_of(place)), int(column_of(place))
        lines.setdefault(where, []).append((min(port, other), max(port, other)))


# -- parts --------------------------------------------------------------------------------------


def _card(laid: Laid, striped: Lines, shining: Lines) -> Markup:
    where = laid.row, laid.column
    return card_svg.face(
        laid.card, laid.turned, striped.get(where, ()), shining.get(where, ()), laid.connections
    )


def _banks(laid_out: Plan) -> Iterator[Markup]:
    """Both players' sides of the table, which their paths begin at."""
    width = len(laid_out.columns) * WIDTH
    middle = LABELS + width / 2
    bottom = BANK + laid_out.rows * HEIGHT
    felt = {"fill": "#46606b", "stroke": "none"}
    yield svg.rect(LABELS, BANK, width, laid_out.rows * HEIGHT, 0, **felt)
    for seat, y in ((WHITE, 0.0), (BLACK, bottom)):
        ink, paper = INK[1 - seat], INK[seat]
        yield svg.rect(LABELS, y, width, BANK, 6, fill=paper, stroke=ink, stroke_opacity=0.4)
        name = ("BLACK", "WHITE")[seat]
        yield svg.centred(middle, y + BANK / 2, name, 14, fill=ink, letter_spacing="6")


def _labels(laid_out: Plan) -> Iterator[Markup]:
    """Rows at the left, columns below."""
    look = {"fill": "#dfe6ea"}
    for row in range(1, laid_out.rows + 1):
        _, y = laid_out.corner(row, 0)
        yield svg.centred(LABELS / 2 - 2, y + HEIGHT / 2, str(row), 15, **look)
    bottom = 2 * BANK + laid_out.rows * HEIGHT + 14
    for column in laid_out.columns:
        x, _ = laid_out.corner(1, column)
        name = f"{column:+d}".replace("-", "−") if column else "0"
        yield svg.centred(x + WIDTH / 2, bottom, name, 15, **look)


def _places(view: View, laid_out: Plan) -> Iterator[Markup]:
    """Where the seat on turn may play a new card."""
    for seat in view.to_act:
        for place in view.free[seat]:
            name = f"{place.row} | {place.column:+d}".replace("-", "−").replace("+0", "0")
            yield card_svg.place(*laid_out.corner(place.row, place.column), seat, name)


def _latest(view: View, laid_out: Plan) -> Iterator[Markup]:
    """A frame around the card that was laid last."""
    if view.latest is not None:
        x, y = laid_out.corner(view.latest.row, view.latest.column)
        look: dict[str, svg.Value] = {
            "fill": "none",
            "stroke": "#ffffff",
            "stroke_width": 3,
            "stroke_dasharray": "9 4",
        }
        yield svg.rect(x + 1.5, y + 1.5, WIDTH - 3, HEIGHT - 3, 6, **look)
