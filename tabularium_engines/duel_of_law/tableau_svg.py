"""The tableau as SVG: cards in rows and columns, each branch framed in its owner's colour, with its
tokens stacked before its first card and a number that the list of laws explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, floor, sqrt
from typing import Final

from tabularium_engines.common import svg
from tabularium_engines.common.svg import Markup
from tabularium_engines.duel_of_law import status_text
from tabularium_engines.duel_of_law.card_svg import (
    BOLD_WIDTH,
    CAP_HEIGHT,
    CARD_HEIGHT,
    CARD_WIDTH,
    GOLD_COLOUR,
    NAME_SIZE,
    CardPainter,
)
from tabularium_engines.duel_of_law.news_text import player_name
from tabularium_engines.duel_of_law.view import Branch, Line, View, last_turn_of, line_from_view

CARD_GAP: Final = 14.0
STEP_X: Final = CARD_WIDTH + CARD_GAP
STEP_Y: Final = CARD_HEIGHT + CARD_GAP
LABEL_SIZE: Final = 44.0  # for rows and columns …
LABEL_ROOM: Final = 1.9  # … at least, of the size of letters that have to be legible
LABEL_WIDTH: Final = 0.66  # of a digit and the gap to the next label, of the size of letters
MAX_WIDTH: Final = 1180.0  # a larger tableau is scaled down
MAX_HEIGHT: Final = 1500.0
TOKEN_COLOURS: Final = ("#d32f3a", "#2f70d0", "#1d8248", "#9650c4")  # by seat
TOKEN_RADIUS: Final = 13.0
LETTER_OF_TOKEN: Final = (1.1, 0.85)  # of the radius: the size of a short number, and of a long one
LEAST_RADIUS: Final = (0.6, 0.8, 1.1)  # of the size of letters, by the number of digits
BARE_MIDDLE: Final = 38.0  # of a token beside a card with a letter alone, from the card's top
LABEL_COLOUR: Final = "#dfe6ea"

Area = tuple[float, float, float, float]  # left, top, width and height


class TableauLayout:
    """The positions of rows and columns, and the size of the tableau, scaled down if necessary; one
    more row or column on each side is left free. Letters are at least as large as `legible`, after
    scaling."""

    def __init__(
        self, view: View, room: tuple[float, float] = (MAX_WIDTH, MAX_HEIGHT), legible: float = 0
    ) -> None:
        cards = view.tableau.cards
        self.rows = status_text.display_positions(laid.row for laid in cards)
        self.columns = status_text.display_positions(laid.column for laid in cards)
        self.all_rows, self.all_columns = map(_with_neighbours, (self.rows, self.columns))
        width, height = (len(self.columns) + 2) * STEP_X, (len(self.rows) + 2) * STEP_Y
        least = LABEL_ROOM * legible
        scale = min(
            1.0,
            *(room[0] / (LABEL_SIZE + width), room[1] / (LABEL_SIZE + height)),
            *((room[0] - least) / width, (room[1] - least) / height),
        )
        self.scale = floor(scale * 100) / 100  # as it is written
        self.smallest = legible / self.scale
        self.label_size = max(LABEL_SIZE, least / self.scale)
        self.size = tuple((self.label_size + side) * self.scale for side in (width, height))

    def corner(self, row: int, column: int) -> tuple[float, float]:
        """The top left corner of a card, or of an empty place beside one."""
        x = self.label_size + (self.all_columns[column] + 1) * STEP_X
        return x, self.label_size + (self.all_rows[row] + 1) * STEP_Y

    def around(self, line: Branch | Line, size: int, margin: float) -> Area:
        """The area of a line of `size` cards, with a margin around."""
        x, y = self.corner(line.row, line.column)
        right, down = (size - 1, 0) if line.axis == "across" else (0, size - 1)
        width, height = right * STEP_X + CARD_WIDTH, down * STEP_Y + CARD_HEIGHT
        return x - margin, y - margin, width + 2 * margin, height + 2 * margin


def draw(view: View, laid_out: TableauLayout, cards: CardPainter) -> Markup:
    """The tableau, its top left corner at (0, 0)."""
    parts = [*_labels(laid_out), *_question_glow(view, laid_out)]
    parts += [*_free_places(view, laid_out), *_cards(view, laid_out, cards)]
    numbered = list(enumerate(view.tableau.branches, start=1))
    for number, branch in numbered:
        parts.append(svg.group(*_frame(laid_out, branch), data_branch=str(number)))
    for number, branch in numbered:  # above all frames
        parts += _token_stack(view, laid_out, branch, number)
    return svg.transform(0, 0, *parts, scale=laid_out.scale)


def token(
    seat: int, radius: float, number: str = "", is_new: bool = False, smallest: float = 0.0
) -> Markup:
    """A token of a seat's colour, around (0, 0), with the number of its branch, whose letters have
    at least the `smallest` size; a new one has a golden rim."""
    rim, width = (GOLD_COLOUR, 4) if is_new else ("#ffffff", 2)
    disc = svg.circle(0, 0, radius, fill=TOKEN_COLOURS[seat], stroke=rim, stroke_width=width)
    if not number:
        return disc
    size = max(smallest, radius * LETTER_OF_TOKEN[len(number) > 2])
    shown = svg.centred_text(0, 0, number, size, fill="#ffffff", font_weight="bold")
    return svg.group(disc, shown)


def _labels(laid_out: TableauLayout) -> Iterator[Markup]:
    """Numbers of the rows on the left and of the columns above, including the free ones around; of
    many, every second, third … as there is room."""
    start, size = laid_out.label_size, max(17.0, laid_out.smallest)
    longest = max(len(str(column)) for column in laid_out.all_columns)
    every = ceil((longest + 0.5) * LABEL_WIDTH * size / STEP_X)
    for column, place in laid_out.all_columns.items():
        if column % every == 0:
            x = start + (place + 1) * STEP_X + CARD_WIDTH / 2
            yield _label(x, start / 2, column, size)
    every = ceil(size / STEP_Y)
    for row, place in laid_out.all_rows.items():
        if row % every == 0:
            y = start + (place + 1) * STEP_Y + CARD_HEIGHT / 2
            yield _label(start / 2, y, row, size)


def _label(x: float, y: float, number: int, size: float) -> Markup:
    return svg.centred_text(x, y, str(number).replace("-", "−"), size, fill=LABEL_COLOUR)


def _coordinate(number: int) -> int:
    """The number of a row or column: 127 is next to -128."""
    return (number + 128) % 256 - 128


def _with_neighbours(positions: dict[int, int]) -> dict[int, int]:
    """The positions with those of one more row or column on each side."""
    ordered = sorted(positions, key=positions.__getitem__)
    first, last = _coordinate(ordered[0] - 1), _coordinate(ordered[-1] + 1)
    return {**positions, first: -1, last: len(positions)}


def _cards(view: View, laid_out: TableauLayout, cards: CardPainter) -> Iterator[Markup]:
    jokers = {joker.card: joker for joker in view.tableau.jokers}
    new = view.trial.laid if view.trial is not None else ()
    last = last_turn_of(view)
    laws = _laws_by_place(view.tableau.branches)
    for laid in view.tableau.cards:
        corner = laid_out.corner(laid.row, laid.column)
        smallest = max(NAME_SIZE, laid_out.smallest)
        face = cards.face(laid.card, jokers.get(laid.card), laid.card in new, smallest)
        if followed := laws.get((laid.row, laid.column)):
            face = svg.group(svg.element("title", "\n".join(followed)), face)
        if laid.card in jokers:
            face = svg.thing(face, pick=f"card={laid.card}", name=f"The joker {laid.card}")
        yield svg.transform(*corner, face)
        if last is not None and laid.card in last.laid:
            yield svg.transform(*corner, _flag(last.seat))


def _laws_by_place(branches: Iterable[Branch]) -> dict[tuple[int, int], list[str]]:
    """The laws that the card at each place follows, which are shown when it is pointed at."""
    laws: dict[tuple[int, int], list[str]] = {}
    for number, branch in enumerate(branches, start=1):
        entry = f"{number}, {player_name(branch.owner)}: {status_text.law_text(branch)}"
        right, down = (1, 0) if branch.axis == "across" else (0, 1)
        for step in range(branch.size):
            place = _coordinate(branch.row + step * down), _coordinate(branch.column + step * right)
            laws.setdefault(place, []).append(entry)
    return laws


def _free_places(view: View, laid_out: TableauLayout) -> Iterator[Markup]:
    """The empty places next to cards, where the viewer may lay one: unseen, but they can be pointed
    at."""
    if view.seat not in view.to_act:
        return
    taken = {(laid.row, laid.column) for laid in view.tableau.cards}
    around = {(row + step, column) for row, column in taken for step in (-1, 1)}
    around |= {(row, column + step) for row, column in taken for step in (-1, 1)}
    free = {(_coordinate(row), _coordinate(column)) for row, column in around} - taken
    for row, column in sorted(free):
        unseen = svg.rect(
            *laid_out.corner(row, column),
            CARD_WIDTH,
            CARD_HEIGHT,
            7,
            fill="#ffffff",
            fill_opacity=0,
        )
        name = f"Row {row}, column {column}: empty".replace("-", "−")
        yield svg.thing(unseen, pick=f"row={row},column={column}", name=name)


def _flag(seat: int) -> Markup:
    """The mark of a card that a seat laid last: the upper right corner in its colour."""
    right = CARD_WIDTH - 1
    fold = f"M{right - 22:g} 1H{right - 6:g}Q{right:g} 1 {right:g} 7V23Z"
    return svg.path(fold, fill=TOKEN_COLOURS[seat], stroke="#ffffff", stroke_width=2)


def _frame(laid_out: TableauLayout, branch: Branch) -> Iterator[Markup]:
    """A frame in the owner's colour around the cards."""
    area, colour = laid_out.around(branch, branch.size, 4), TOKEN_COLOURS[branch.owner]
    yield svg.rect(*area, 11, stroke="#ffffff", stroke_opacity=0.55, fill="none", stroke_width=7)
    yield svg.rect(*area, 11, stroke=colour, fill="none", stroke_width=4)


def _token_stack(
    view: View, laid_out: TableauLayout, branch: Branch, number: int
) -> Iterator[Markup]:
    """The tokens before the first card, whose print they leave free, the owner's on top."""
    x, y = laid_out.corner(branch.row, branch.column)
    smallest = laid_out.smallest
    for level, clause in enumerate(branch.law):
        is_top = level == len(branch.law) - 1
        offset = 3 + min(9.0, 40 / len(branch.law)) * (len(branch.law) - 1 - level)
        radius = max(TOKEN_RADIUS, LEAST_RADIUS[len(str(number)) - 1] * smallest)
        away = offset + max(TOKEN_RADIUS / 2, print_distance(branch.axis, radius, smallest))
        across = (x - away, y + (CARD_HEIGHT / 2 if has_corner(smallest) else BARE_MIDDLE))
        down = (x + CARD_WIDTH / 2, y - away)
        spot = across if branch.axis == "across" else down
        is_new = is_top and status_text.is_just_stolen(view, branch)
        shown = str(number) if is_top else ""
        drawn = token(clause.seat, radius, shown, is_new, smallest)
        yield svg.group(svg.transform(*spot, drawn), data_token=str(number))


def has_corner(smallest: float) -> bool:
    """Whether cards whose letters have at least this size have a number in the corner."""
    return 2 * BOLD_WIDTH * smallest <= CARD_WIDTH - 16


def print_distance(axis: str, radius: float, smallest: float) -> float:
    """How far from the edge of a card the middle of a token has to be, so that the token hides
    nothing that is printed on the card in letters of at least this size."""
    corner, letter = max(17.0, smallest), max(31.0, smallest)
    if axis == "down":
        above_letter = (CARD_HEIGHT - CAP_HEIGHT * letter) / 2 - 2
        return radius - (3 + (1 - CAP_HEIGHT) * corner if has_corner(smallest) else above_letter)
    beside_letter = radius - (CARD_WIDTH - letter) / 2
    below_corner = CARD_HEIGHT / 2 - 3 - corner
    if not has_corner(smallest) or radius <= below_corner:
        return beside_letter
    return max(beside_letter, sqrt(radius**2 - below_corner**2) - 4)


def _question_glow(view: View, laid_out: TableauLayout) -> Iterator[Markup]:
    """A glow around the line in question."""
    if view.trial is None or not view.trial.questions:
        return
    asked = view.trial.questions[0]
    area = laid_out.around(asked, len(line_from_view(view.tableau, asked).cards), 9)
    yield svg.rect(*area, 14, fill=GOLD_COLOUR, fill_opacity=0.35)
