"""The picture of a small game as SVG: its fields below each other, as cards, tokens and boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.small_game_kit.fields import StateField
from games.engines.small_game_kit.plain_text import field_title, headline, piece_name

MARGIN: Final = 24.0
LABEL_WIDTH: Final = 150.0
ROW_GAP: Final = 14.0
CARD_WIDTH: Final = 48.0
CARD_HEIGHT: Final = 68.0
CARD_STEP: Final = 56.0  # from card to card
TOKEN_RADIUS: Final = 18.0
TOKEN_STEP: Final = 46.0
SQUARE_SIZE: Final = 46.0
NAME_SPACE: Final = 22.0  # for the names of a board's rows or columns
MIN_WIDTH: Final = 420.0
TITLE_SIZE: Final = 22.0
LABEL_SIZE: Final = 14.0
CARD_SIZE: Final = 18.0
TABLE_COLOURS: Final = ("#2f5d50", "#234439")
PAPER_COLOUR: Final = "#fbf7ec"
BACK_COLOUR: Final = "#7d3c4a"
INK_COLOUR: Final = "#22313a"
LIGHT_COLOUR: Final = "#f2ead8"
SQUARE_COLOURS: Final = ("#e8dcc0", "#d9c9a3")


class Row(NamedTuple):
    """A row of the picture: its label, and what is drawn beside it from its own origin."""

    label: str
    drawing: Markup
    width: float
    height: float


def draw(
    title: str, view: Any, fields: Sequence[StateField], pieces: Sequence[str], description: str
) -> str:
    """The picture, with the page of text as its description."""
    rows = [row for field in fields for row in _rows(field, getattr(view, field.name), pieces)]
    head = headline(view)
    heads = svg.text_width(head, LABEL_SIZE), svg.text_width(title, TITLE_SIZE)
    width = max(MIN_WIDTH, *heads, *(LABEL_WIDTH + row.width for row in rows))
    top, content = MARGIN + TITLE_SIZE + 2 * LABEL_SIZE + ROW_GAP, list[str]()
    for row in rows:
        content.append(_place_row(row, top))
        top += row.height + ROW_GAP
    table = f"{svg.ID_PREFIX}-table"
    size = (width + 2 * MARGIN, top + MARGIN - ROW_GAP)
    return svg.picture_of_page(
        size,
        description,
        svg.element("defs", svg.gradient(table, *TABLE_COLOURS)),
        svg.rect(0, 0, *size, 12, fill=svg.gradient_fill(table)),
        svg.text(MARGIN, MARGIN + TITLE_SIZE * 0.8, title, TITLE_SIZE, fill=LIGHT_COLOUR),
        svg.text(
            MARGIN, MARGIN + TITLE_SIZE + 1.4 * LABEL_SIZE, head, LABEL_SIZE, fill=LIGHT_COLOUR
        ),
        *content,
    )


def _place_row(row: Row, top: float) -> Markup:
    middle = top + row.height / 2 + LABEL_SIZE * 0.36
    label = svg.text(MARGIN, middle, row.label, LABEL_SIZE, fill=LIGHT_COLOUR)
    return svg.group(label, svg.transform(MARGIN + LABEL_WIDTH, top, row.drawing))


def _rows(field: StateField, value: Any, pieces: Sequence[str]) -> Iterator[Row]:
    title = field_title(field)
    if field.is_cards:
        if field.depth == 1:
            yield _cards_row(title, value)
        else:
            for seat, zone in enumerate(value):
                yield _cards_row(f"{title}, seat {seat}", zone)
    elif field.depth == 2:
        yield _board_row(field, title, value, pieces)
    else:
        yield _tokens_row(title, [value] if field.depth == 0 else value)


def _cards_row(label: str, cards: Sequence[str | None]) -> Row:
    drawn = [_card(number * CARD_STEP, name) for number, name in enumerate(cards)]
    return Row(label, svg.group(*drawn), max(len(cards), 1) * CARD_STEP, CARD_HEIGHT)


def _card(x: float, name: str | None) -> Markup:
    """A card face up, or its back."""
    fill = BACK_COLOUR if name is None else PAPER_COLOUR
    card = svg.panel(Box(x, 0, CARD_WIDTH, CARD_HEIGHT), 6, fill=fill)
    if name is None:
        inside = x + 5, 5, CARD_WIDTH - 10, CARD_HEIGHT - 10
        return svg.group(card, svg.rect(*inside, 4, fill="none", stroke=LIGHT_COLOUR))
    size = min(CARD_SIZE, CARD_SIZE * CARD_WIDTH / max(svg.text_width(name, CARD_SIZE) + 8, 1))
    return _named(card, (x + CARD_WIDTH / 2, CARD_HEIGHT / 2), name, size)


def _named(shape: Markup, centre: tuple[float, float], name: str, size: float) -> Markup:
    """A shape with a name in its centre."""
    return svg.group(shape, svg.centred_text(*centre, name, size, fill=INK_COLOUR))


def _tokens_row(label: str, numbers: Sequence[int]) -> Row:
    drawn = [_token(place * TOKEN_STEP, number) for place, number in enumerate(numbers)]
    return Row(label, svg.group(*drawn), max(len(numbers), 1) * TOKEN_STEP, 2 * TOKEN_RADIUS)


def _token(left: float, number: int) -> Markup:
    centre = left + TOKEN_RADIUS, TOKEN_RADIUS
    disc = svg.circle(*centre, TOKEN_RADIUS, fill=LIGHT_COLOUR)
    return _named(disc, centre, str(number), LABEL_SIZE)


def _board_row(
    field: StateField, label: str, rows: Sequence[Sequence[int]], pieces: Sequence[str]
) -> Row:
    """A board, with the names of its columns above it and of its rows on the left."""
    left = NAME_SPACE if field.rows else 0.0
    top = NAME_SPACE if field.columns else 0.0
    width = max((len(row) for row in rows), default=0) * SQUARE_SIZE
    height = len(rows) * SQUARE_SIZE
    drawn = [
        _square(left + x * SQUARE_SIZE, top + y * SQUARE_SIZE, (x + y) % 2, number, pieces)
        for y, row in enumerate(rows)
        for x, number in enumerate(row)
    ]
    names = [(left / 2, _middle(top, y), name) for y, name in enumerate(field.rows)]
    names += [(_middle(left, x), top / 2, name) for x, name in enumerate(field.columns)]
    drawn += [svg.centred_text(x, y, name, LABEL_SIZE, fill=LIGHT_COLOUR) for x, y, name in names]
    return Row(label, svg.group(*drawn), left + width, top + height)


def _middle(start: float, place: int) -> float:
    """The middle of a row or column of a board that starts there."""
    return start + (place + 0.5) * SQUARE_SIZE


def _square(left: float, top: float, shade: int, number: int, pieces: Sequence[str]) -> Markup:
    """A square of a board; 0 is an empty one."""
    square = svg.rect(left, top, SQUARE_SIZE, SQUARE_SIZE, fill=SQUARE_COLOURS[shade])
    if number == 0:
        return square
    centre = left + SQUARE_SIZE / 2, top + SQUARE_SIZE / 2
    return _named(square, centre, piece_name(number, pieces), SQUARE_SIZE * 0.6)
