"""How does the tableau look? Cards in rows and columns, each branch framed in its owner's colour,
with its tokens stacked before its first card and a number that the list of laws explains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duel_of_law import captions
from games.engines.duel_of_law.card_svg import GOLD, HEIGHT, WIDTH, Cards
from games.engines.duel_of_law.view import Branch, Line, View

GAP: Final = 14.0
STEP_X: Final = WIDTH + GAP
STEP_Y: Final = HEIGHT + GAP
LABELS: Final = 44.0  # for rows and columns
WIDEST: Final = 1180.0  # what is larger is drawn smaller
HIGHEST: Final = 1500.0
TOKENS: Final = ("#e0343f", "#3d7fe0", "#2aa35a", "#a45fd0")  # by seat
TOKEN: Final = 13.0
PALE: Final = "#dfe6ea"


@dataclass(frozen=True)
class Plan:
    """Where rows and columns are, and how large; one more on each side is left free."""

    rows: dict[int, int]
    columns: dict[int, int]

    @property
    def scale(self) -> float:
        """How much smaller than full size it must be."""
        width, height = self._full()
        return min(1.0, WIDEST / width, HIGHEST / height)

    @property
    def size(self) -> tuple[float, float]:
        """How much room the tableau needs."""
        width, height = self._full()
        return width * self.scale, height * self.scale

    def _full(self) -> tuple[float, float]:
        width = LABELS + (len(self.columns) + 2) * STEP_X
        return width, LABELS + (len(self.rows) + 2) * STEP_Y

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The top left corner of a card."""
        x = LABELS + (self.columns[column] + 1) * STEP_X
        return x, LABELS + (self.rows[row] + 1) * STEP_Y


def plan(view: View) -> Plan:
    """Room for all cards."""
    cards = view.tableau.cards
    rows = captions.positions(laid.row for laid in cards)
    return Plan(rows, captions.positions(laid.column for laid in cards))


def draw(view: View, laid_out: Plan, cards: Cards) -> Markup:
    """The tableau, its top left corner at (0, 0)."""
    parts = [*_labels(laid_out), *_asked(view, laid_out), *_cards(view, laid_out, cards)]
    numbered = list(enumerate(view.tableau.branches, start=1))
    for number, branch in numbered:
        parts.append(svg.group(*_frame(laid_out, branch), data_branch=str(number)))
    for number, branch in numbered:  # above all frames
        parts += _stack(laid_out, branch, number)
    return svg.at(0, 0, *parts, scale=laid_out.scale)


def token(seat: int, radius: float, number: str = "") -> Markup:
    """A token of a seat's colour, around (0, 0)."""
    disc = svg.circle(0, 0, radius, fill=TOKENS[seat], stroke="#ffffff", stroke_width=2)
    if not number:
        return disc
    size = radius * (1.1 if len(number) < 3 else 0.85)
    shown = svg.centred(0, 0, number, size, fill="#ffffff", font_weight="bold")
    return svg.group(disc, shown)


def _labels(laid_out: Plan) -> Iterator[Markup]:
    """Numbers of the rows at the left, of the columns above; also of the free ones around."""
    for column, place in _with_neighbours(laid_out.columns):
        x = LABELS + (place + 1) * STEP_X + WIDTH / 2
        yield svg.centred(x, LABELS / 2, _signed(column), 17, fill=PALE)
    for row, place in _with_neighbours(laid_out.rows):
        y = LABELS + (place + 1) * STEP_Y + HEIGHT / 2
        yield svg.centred(LABELS / 2, y, _signed(row), 17, fill=PALE)


def _with_neighbours(positions: dict[int, int]) -> Iterator[tuple[int, int]]:
    yield from positions.items()
    first, last = (
        min(positions, key=positions.__getitem__),
        max(positions, key=positions.__getitem__),
    )
    yield (first - 1 + 128) % 256 - 128, -1
    yield (last + 1 + 128) % 256 - 128, len(positions)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _cards(view: View, laid_out: Plan, cards: Cards) -> Iterator[Markup]:
    jokers = {joker.card: joker for joker in view.tableau.jokers}
    new = view.trial.laid if view.trial is not None else ()
    for laid in view.tableau.cards:
        face = cards.face(laid.card, jokers.get(laid.card), laid.card in new)
        yield svg.at(*laid_out.corner(laid.row, laid.column), face)


def _frame(laid_out: Plan, branch: Branch) -> Iterator[Markup]:
    """A frame in the owner's colour around the cards."""
    x, y = laid_out.corner(branch.row, branch.column)
    width, height = _extent(branch.axis, branch.size)
    colour = TOKENS[branch.owner]
    box = (x - 4, y - 4, width + 8, height + 8, 11)
    yield svg.rect(*box, stroke="#ffffff", stroke_opacity=0.55, fill="none", stroke_width=7)
    yield svg.rect(*box, stroke=colour, fill="none", stroke_width=4)


def _stack(laid_out: Plan, branch: Branch, number: int) -> Iterator[Markup]:
    """The tokens before the first card, the owner's on top."""
    x, y = laid_out.corner(branch.row, branch.column)
    for level, clause in enumerate(branch.law):
        is_top = level == len(branch.law) - 1
        offset = 3 + min(9.0, 40 / len(branch.law)) * (len(branch.law) - 1 - level)
        across = (x - offset - TOKEN / 2, y + HEIGHT / 2)
        spot = across if branch.axis == "across" else (x + WIDTH / 2, y - offset - TOKEN / 2)
        yield svg.at(*spot, token(clause.seat, TOKEN, str(number) if is_top else ""))


def _extent(axis: str, size: int) -> tuple[float, float]:
    """How wide and high so many cards in a line are."""
    along = (size - 1, 0) if axis == "across" else (0, size - 1)
    return along[0] * STEP_X + WIDTH, along[1] * STEP_Y + HEIGHT


def _asked(view: View, laid_out: Plan) -> Iterator[Markup]:
    """A glow around the line that the table has a question about."""
    if view.trial is None or not view.trial.questions:
        return
    asked = view.trial.questions[0]
    x, y = laid_out.corner(asked.row, asked.column)
    width, height = _extent(asked.axis, size_of(view, asked))
    yield svg.rect(x - 9, y - 9, width + 18, height + 18, 14, fill=GOLD, fill_opacity=0.35)


def size_of(view: View, line: Line) -> int:
    """How many cards are in a line that begins there."""
    places = {(laid.row, laid.column) for laid in view.tableau.cards}
    size, row, column = 0, line.row, line.column
    while (row, column) in places:
        size += 1
        if line.axis == "across":
            column = (column + 1 + 128) % 256 - 128
        else:
            row = (row + 1 + 128) % 256 - 128
    return size
