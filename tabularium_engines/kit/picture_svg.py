"""The picture of a small game as SVG: its fields below each other, as cards, tokens and boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from tabularium_engines.common import shapes_svg, svg
from tabularium_engines.common.shapes_svg import TALL_MARGIN, TALL_WIDTH, Plan, Shape
from tabularium_engines.common.svg import Box, Markup
from tabularium_engines.kit.fields import StateField
from tabularium_engines.kit.plain_text import field_title, headline, piece_name

MARGIN: Final = 24.0
LABEL_WIDTH: Final = 150.0
ROW_GAP: Final = 14.0
CARD_WIDTH: Final = 48.0
CARD_HEIGHT: Final = 68.0
CARD_STEP: Final = 56.0  # from card to card …
CARD_GAP: Final = 8.0  # … and between lines of cards
TOKEN_RADIUS: Final = 18.0
TOKEN_STEP: Final = 46.0
SQUARE_SIZE: Final = 46.0  # at most …
MIN_SQUARE_SIZE: Final = 16.0  # … and at least
NAME_SPACE: Final = 22.0  # for the names of a board's rows or columns
MIN_WIDTH: Final = 420.0
TITLE_SIZE: Final = 22.0
LABEL_SIZE: Final = 14.0
CARD_SIZE: Final = 18.0
SMALLEST_SIZE: Final = 12.2  # of letters in a tall picture
TABLE_COLOURS: Final = ("#2f5d50", "#234439")
PAPER_COLOUR: Final = "#fbf7ec"
BACK_COLOUR: Final = "#7d3c4a"
INK_COLOUR: Final = "#22313a"
LIGHT_COLOUR: Final = "#f2ead8"
TALL_ROOM: Final = TALL_WIDTH - 2 * TALL_MARGIN
INK: Final = {"fill": LIGHT_COLOUR}
SQUARE_COLOURS: Final = ("#e8dcc0", "#d9c9a3")

Spot = tuple[float, float]


class Row(NamedTuple):
    """A row of the picture: its label, and its drawing beside it from an origin of its own."""

    label: str
    drawing: Markup
    width: float
    height: float


def draw(
    title: str,
    view: Any,
    fields: Sequence[StateField],
    pieces: Sequence[str],
    description: str,
    shape: Shape = "wide",
) -> str:
    """The picture, with the page of text as its description. Labels stand beside their rows, or in
    a tall one above them, and its rows are no wider than a phone."""
    about, plans = (title, headline(view)), list[Plan]()
    if shape != "tall":
        plans.append(_wide_plan(about, list(_view_rows(view, fields, pieces, inf))))
    if shape != "wide":
        plans.append(_tall_plan(about, list(_view_rows(view, fields, pieces, TALL_ROOM))))
    plan = shapes_svg.square_of(plans) if shape == "square" else plans[0]
    return _picture(description, plan)


def _picture(description: str, plan: Plan) -> str:
    """The planned table as a picture."""
    table = f"{svg.ID_PREFIX}-table"
    return svg.picture_of_page(
        plan.size,
        description,
        svg.element("defs", svg.gradient(table, *TABLE_COLOURS)),
        svg.rect(0, 0, *plan.size, 12, fill=svg.gradient_fill(table)),
        *plan.parts,
    )


def _wide_plan(about: tuple[str, str], rows: Sequence[Row]) -> Plan:
    """The title and the headline, and the rows below them."""
    title, head = about
    heads = svg.text_width(head, LABEL_SIZE), svg.text_width(title, TITLE_SIZE)
    width = max(MIN_WIDTH, *heads, *(LABEL_WIDTH + row.width for row in rows))
    base = MARGIN + TITLE_SIZE + 1.4 * LABEL_SIZE
    parts = [
        svg.text(MARGIN, MARGIN + TITLE_SIZE * 0.8, title, TITLE_SIZE, fill=LIGHT_COLOUR),
        svg.text(MARGIN, base, head, LABEL_SIZE, fill=LIGHT_COLOUR),
    ]
    top = MARGIN + TITLE_SIZE + 2 * LABEL_SIZE + ROW_GAP
    for row in rows:
        middle = top + row.height / 2 + LABEL_SIZE * 0.36
        label = svg.text(MARGIN, middle, row.label, LABEL_SIZE, fill=LIGHT_COLOUR)
        parts.append(svg.group(label, svg.transform(MARGIN + LABEL_WIDTH, top, row.drawing)))
        top += row.height + ROW_GAP
    return Plan((width + 2 * MARGIN, top + MARGIN - ROW_GAP), parts)


def _tall_plan(about: tuple[str, str], rows: Sequence[Row]) -> Plan:
    """The title, the headline, and each row below its label."""
    width = max([TALL_ROOM, *(row.width for row in rows)])
    heads = [(about[0], TITLE_SIZE, INK), (about[1], LABEL_SIZE, INK)]
    head, top = svg.stack(TALL_MARGIN, TALL_MARGIN + TITLE_SIZE, heads, width, 2)
    parts = [head]
    for row in rows:
        label = svg.text(TALL_MARGIN, top + LABEL_SIZE, row.label, LABEL_SIZE, **INK)
        top += LABEL_SIZE + 6
        parts += [label, svg.transform(TALL_MARGIN, top, row.drawing)]
        top += row.height + ROW_GAP
    return Plan((width + 2 * TALL_MARGIN, top), parts)


def _view_rows(
    view: Any, fields: Sequence[StateField], pieces: Sequence[str], room: float
) -> Iterator[Row]:
    for field in fields:
        yield from _rows(field, getattr(view, field.name), pieces, room)


def _rows(field: StateField, value: Any, pieces: Sequence[str], room: float) -> Iterator[Row]:
    title = field_title(field)
    if field.is_cards:
        if field.depth == 1:
            yield _cards_row(title, value, field.mark, room)
        else:
            for seat, zone in enumerate(value):
                mark = field.mark.replace("{seat}", str(seat))
                yield _cards_row(f"{title}, seat {seat}", zone, mark, room)
    elif field.depth == 2:
        yield _board_row(field, title, value, pieces, room)
    else:
        yield _tokens_row(title, [value] if field.depth == 0 else value, field.mark, room)


def _in_lines(number: int, step: float, down: float, room: float) -> tuple[list[Spot], Spot]:
    """The places of so many things in lines that have room, and the width and height of all."""
    across = max(1, min(number, int(min(room, number * step) // step)))
    spots = [(place % across * step, place // across * down) for place in range(number)]
    return spots, (across * step, max(1, -(-number // across)) * down)


def _marked(drawn: Markup, mark: str, words: str, **values: object) -> Markup:
    """A drawing that can be pointed at, if there is a mark and the viewer sees all that it says."""
    if not mark or any(f"{{{name}}}" in mark for name, value in values.items() if value is None):
        return drawn
    return svg.thing(drawn, pick=mark.format(**values), name=words)


def _cards_row(label: str, cards: Sequence[str | None], mark: str, room: float) -> Row:
    spots, (width, height) = _in_lines(len(cards), CARD_STEP, CARD_HEIGHT + CARD_GAP, room)
    drawn = [
        _marked(
            _card(*spots[place], name),
            mark,
            f"{label}: {name or 'a hidden card'}",
            card=name,
            place=place,
        )
        for place, name in enumerate(cards)
    ]
    return Row(label, svg.group(*drawn), width, height - CARD_GAP)


def _card(x: float, y: float, name: str | None) -> Markup:
    """A card face up, or its back. A long name is broken into words."""
    fill = BACK_COLOUR if name is None else PAPER_COLOUR
    card = svg.panel(Box(x, y, CARD_WIDTH, CARD_HEIGHT), 6, fill=fill)
    if name is None:
        inside = x + 5, y + 5, CARD_WIDTH - 10, CARD_HEIGHT - 10
        return svg.group(card, svg.rect(*inside, 4, fill="none", stroke=LIGHT_COLOUR))
    lines, size = [name], _card_size(name)
    if size < SMALLEST_SIZE:
        lines = name.split()
        size = min(map(_card_size, lines))
    middle = y + CARD_HEIGHT / 2 - svg.LINE_SPACING * size * (len(lines) - 1) / 2
    for line in lines:
        card = _named(card, (x + CARD_WIDTH / 2, middle), line, size)
        middle += svg.LINE_SPACING * size
    return card


def _card_size(word: str) -> float:
    """The largest size of letters in which a word fits the width of a card."""
    return min(CARD_SIZE, CARD_SIZE * CARD_WIDTH / max(svg.text_width(word, CARD_SIZE) + 8, 1))


def _named(shape: Markup, centre: tuple[float, float], name: str, size: float) -> Markup:
    """A shape with a name in its centre."""
    return svg.group(shape, svg.centred_text(*centre, name, size, fill=INK_COLOUR))


def _tokens_row(label: str, numbers: Sequence[int], mark: str, room: float) -> Row:
    spots, (width, height) = _in_lines(len(numbers), TOKEN_STEP, TOKEN_STEP, room)
    drawn = [
        _marked(_token(*spots[place], number), mark, f"{label}: {number}", place=place)
        for place, number in enumerate(numbers)
    ]
    return Row(label, svg.group(*drawn), width, height - TOKEN_STEP + 2 * TOKEN_RADIUS)


def _token(left: float, top: float, number: int) -> Markup:
    centre = left + TOKEN_RADIUS, top + TOKEN_RADIUS
    disc = svg.circle(*centre, TOKEN_RADIUS, fill=LIGHT_COLOUR)
    return _named(disc, centre, str(number), LABEL_SIZE)


def _board_row(
    field: StateField,
    label: str,
    rows: Sequence[Sequence[int]],
    pieces: Sequence[str],
    room: float,
) -> Row:
    """A board, with the names of its columns above it and of its rows on the left. Its squares are
    smaller if there is no room for them."""
    left = NAME_SPACE if field.rows else 0.0
    top = NAME_SPACE if field.columns else 0.0
    most = max((len(row) for row in rows), default=0)
    side = min(SQUARE_SIZE, max(MIN_SQUARE_SIZE, (room - left) / max(most, 1)))
    width, height = most * side, len(rows) * side
    drawn = [
        _marked_square(
            field,
            (x, y),
            _square(left + x * side, top + y * side, side, (x + y) % 2, number, pieces),
            piece_name(number, pieces) if number else "empty",
        )
        for y, row in enumerate(rows)
        for x, number in enumerate(row)
    ]
    middles = [(place + 0.5) * side for place in range(max(most, len(rows)))]
    names = [(left / 2, top + middles[y], name) for y, name in enumerate(field.rows)]
    names += [(left + middles[x], top / 2, name) for x, name in enumerate(field.columns)]
    drawn += [svg.centred_text(x, y, name, LABEL_SIZE, fill=LIGHT_COLOUR) for x, y, name in names]
    return Row(label, svg.group(*drawn), left + width, top + height)


def _marked_square(
    field: StateField, place: tuple[int, int], square: Markup, content: str
) -> Markup:
    """A square with the names of its row and column, or else their numbers."""
    x, y = place
    column = field.columns[x] if field.columns else x
    row = field.rows[y] if field.rows else y
    words = f"Row {row}, column {column}: {content}"
    return _marked(square, field.mark, words, row=row, column=column)


def _square(
    left: float, top: float, side: float, shade: int, number: int, pieces: Sequence[str]
) -> Markup:
    """A square of a board; 0 is an empty one."""
    square = svg.rect(left, top, side, side, fill=SQUARE_COLOURS[shade])
    if number == 0:
        return square
    centre = left + side / 2, top + side / 2
    return _named(square, centre, piece_name(number, pieces), max(SMALLEST_SIZE, side * 0.6))
