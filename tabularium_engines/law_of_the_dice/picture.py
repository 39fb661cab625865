"""The picture of the whole table as SVG: the viewer's panel at the bottom, the others clockwise
around the table, and in the middle the piles, the dice and the status."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from tabularium_engines.common import playing_card_svg, seat_text, shapes_svg, svg
from tabularium_engines.common.shapes_svg import TALL_MARGIN, Plan, Shape
from tabularium_engines.common.svg import TEXT_COLOUR, Box, Markup
from tabularium_engines.law_of_the_dice import plain_text, player_svg, status_text
from tabularium_engines.law_of_the_dice.card_svg import LargePrintPainter
from tabularium_engines.law_of_the_dice.card_svg import PowerCardPainter as CardPainter
from tabularium_engines.law_of_the_dice.dice_and_votes_svg import STAGE_WIDTH, stage
from tabularium_engines.law_of_the_dice.player_svg import MUTED_TEXT_COLOUR
from tabularium_engines.law_of_the_dice.view import View

MARGIN: Final = 24.0
PANEL_GAP: Final = 16.0
COLUMN_WIDTH: Final = 376.0
BAND_HEIGHT: Final = 150.0  # of a middle that spans the whole width …
MAX_MIDDLE_WIDTH: Final = 860.0  # … and how much of that width is used
TALL_MIDDLE_HEIGHT: Final = 134.0  # of the piles and the stage above the message
TALL_OWN_HEIGHT: Final = 336.0  # of the viewer's panel, with cards whose powers can be read
SMALLER: Final = 0.86  # the scale of the letters of a message that would be too long
PILE_SCALE: Final = 0.64
PILES_WIDTH: Final = 232.0  # of both piles
VISIBLE_DISCARDS: Final = 4  # discards that are shown
FELT_COLOURS: Final = ("#2f5d50", "#1f4238")
WOOD_COLOUR: Final = "#4b3423"

# By number of players: columns, then the others' (column, row), clockwise from the left.
SEATING_PLANS: Final = {
    2: (2, ((0, 0),)),
    3: (2, ((0, 0), (1, 0))),
    4: (3, ((0, 0), (1, 0), (2, 0))),
    5: (3, ((0, 1), (0, 0), (2, 0), (2, 1))),
    6: (3, ((0, 1), (0, 0), (1, 0), (2, 0), (2, 1))),
}


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    cards = CardPainter(svg.ID_PREFIX)
    boxes, middle, size = _plan_layout(view.seats)
    return _picture(
        view, cards, Plan(size, [*_panels(view, cards, boxes), _middle(view, cards, middle)])
    )


def draw_in_shape(view: View, shape: Shape) -> str:
    """The table in columns: one if it is tall, or as many as make it square."""
    if shape == "wide":
        return draw_table(view)
    if shape == "tall":
        cards: CardPainter = LargePrintPainter(svg.ID_PREFIX)
        return _picture(view, cards, _tall_plan(view, cards))
    cards = CardPainter(svg.ID_PREFIX)
    plans = [_column_plan(view, cards, columns) for columns in (2, 3)]
    return _picture(view, cards, shapes_svg.square_of([*plans, _tall_plan(view, cards)]))


def _picture(view: View, cards: CardPainter, plan: Plan) -> str:
    """The planned table as a picture."""
    felt = svg.gradient(f"{cards.prefix}-felt", *FELT_COLOURS)
    return svg.picture_of_page(
        plan.size,
        plain_text.text(view),
        cards.definitions(),
        player_svg.definitions(cards.prefix),
        svg.element("defs", felt),
        svg.table_top(plan.size, WOOD_COLOUR, svg.gradient_fill(f"{cards.prefix}-felt"), 22, 8),
        *plan.parts,
    )


def _panels(view: View, cards: CardPainter, boxes: list[Box]) -> list[Markup]:
    """The panels of the players in their boxes, the viewer's first."""
    seats = zip(seat_text.clockwise(view.seat, view.seats), boxes, strict=True)
    return [player_svg.panel(view, cards, seat, box) for seat, box in seats]


def _tall_plan(view: View, cards: CardPainter) -> Plan:
    """All panels below each other, the viewer's with large cards, and the middle before it."""
    x, step = TALL_MARGIN, player_svg.NARROW_HEIGHT + TALL_MARGIN
    boxes = [
        Box(x, x + place * step, COLUMN_WIDTH, player_svg.NARROW_HEIGHT)
        for place in range(view.seats - 1)
    ]
    y = x + len(boxes) * step + TALL_MIDDLE_HEIGHT
    middle, end = _narrow_middle(view, cards, x, y, COLUMN_WIDTH)
    boxes.insert(0, Box(x, end + TALL_MARGIN, COLUMN_WIDTH, TALL_OWN_HEIGHT))
    size = (COLUMN_WIDTH + 2 * x, boxes[0].y + TALL_OWN_HEIGHT + x)
    return Plan(size, [*_panels(view, cards, boxes), middle])


def _column_plan(view: View, cards: CardPainter, columns: int) -> Plan:
    """The other players in columns, and below them the middle and the viewer."""
    inner = columns * (COLUMN_WIDTH + PANEL_GAP) - PANEL_GAP
    boxes = [_panel_box(n % columns, n // columns) for n in range(view.seats - 1)]
    end = boxes[-1].y + boxes[-1].height + PANEL_GAP
    middle = _strip_box(end - MARGIN, inner, BAND_HEIGHT)
    end += BAND_HEIGHT + PANEL_GAP
    boxes.insert(0, _strip_box(end - MARGIN, inner, player_svg.WIDE_HEIGHT))
    size = (inner + 2 * MARGIN, end + player_svg.WIDE_HEIGHT + MARGIN)
    return Plan(size, [*_panels(view, cards, boxes), _middle(view, cards, middle)])


def _plan_layout(seats: int) -> tuple[list[Box], Box, tuple[float, float]]:
    """The boxes of the players, the viewer first; the box of the middle; the picture's size."""
    columns, places = SEATING_PLANS[seats]
    inner = columns * (COLUMN_WIDTH + PANEL_GAP) - PANEL_GAP
    others = [_panel_box(column, row) for column, row in places]
    if seats == 2:
        others = [_strip_box(0, inner, player_svg.WIDE_HEIGHT)]
    end = max(box.y + box.height for box in others) + PANEL_GAP
    if seats > 4:
        middle = _middle_box(seats)
    else:
        middle = _strip_box(end - MARGIN, inner, BAND_HEIGHT)
        end += BAND_HEIGHT + PANEL_GAP
    own = _strip_box(end - MARGIN, inner, player_svg.WIDE_HEIGHT)
    return [own, *others], middle, (inner + 2 * MARGIN, end + player_svg.WIDE_HEIGHT + MARGIN)


def _panel_box(column: int, row: int) -> Box:
    x, y = column * (COLUMN_WIDTH + PANEL_GAP), row * (player_svg.NARROW_HEIGHT + PANEL_GAP)
    return Box(MARGIN + x, MARGIN + y, COLUMN_WIDTH, player_svg.NARROW_HEIGHT)


def _strip_box(y: float, width: float, height: float) -> Box:
    return Box(MARGIN, MARGIN + y, width, height)


def _middle_box(seats: int) -> Box:
    """The middle between five or six players."""
    top, bottom = _panel_box(1, seats - 5), _panel_box(1, 1)
    return Box(top.x, top.y, COLUMN_WIDTH, bottom.y + bottom.height - top.y)


def _middle(view: View, cards: CardPainter, box: Box) -> Markup:
    """Piles, stage and message side by side, or the message below the other two."""
    middle, y = box.middle
    width = min(box.width, MAX_MIDDLE_WIDTH)
    left, right = middle - width / 2, middle + width / 2 - STAGE_WIDTH
    centre = svg.transform(right + STAGE_WIDTH / 2, y, stage(view, cards))
    if width > COLUMN_WIDTH:
        start = left + PILES_WIDTH + 2 * PANEL_GAP
        lowest = box.y + box.height + PANEL_GAP  # where the panel of the viewer begins
        message = _message(view, start, y - 44, right - start - PANEL_GAP, lowest)
        return svg.group(svg.transform(left, y - 54, *_piles(view, cards)), centre, message)
    drawn, end = _narrow_middle(view, cards, left, y, width)
    lowest = box.y + box.height
    if end > lowest:
        _, end = _narrow_middle(view, cards, left, y, width, SMALLER)
        y -= max(0.0, end - lowest)
        drawn, _ = _narrow_middle(view, cards, left, y, width, SMALLER)
    return drawn


def _narrow_middle(
    view: View, cards: CardPainter, left: float, y: float, width: float, scale: float = 1.0
) -> tuple[Markup, float]:
    """Piles and stage above y, the message below it; and where this ends."""
    centre = svg.transform(left + width - STAGE_WIDTH / 2, y, stage(view, cards))
    message, end = _paragraphs(view, left + 4, y + 16, width - 8, scale)
    piles = svg.transform(left, y - 122, *_piles(view, cards))
    return svg.group(piles, svg.transform(0, -68, centre), message), end


def _piles(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The draw pile, drawn to its thickness; the discard pile, with the last cards fanned."""
    look = {"fill": MUTED_TEXT_COLOUR}
    y = playing_card_svg.CARD_HEIGHT * PILE_SCALE + 19
    backs = (
        svg.transform(2 * layer, -2 * layer, cards.back(), scale=PILE_SCALE)
        for layer in range((view.draw_pile + 11) // 12)
    )
    number = svg.text(2, y, f"{view.draw_pile} to draw", 14, **look)
    yield svg.thing(_hollow(0), *backs, number, pick="type=draw", name="The draw pile")
    faces = (
        svg.transform(90 + 24 * place, 0, cards.open_face(card), scale=PILE_SCALE)
        for place, card in enumerate(view.discard_pile[-VISIBLE_DISCARDS:])
    )
    number = svg.text(92, y, f"{len(view.discard_pile)} discarded", 14, **look)
    pick = "type=play type=discard"  # where these cards go
    yield svg.thing(_hollow(90), *faces, number, pick=pick, name="The discard pile")


def _hollow(x: float) -> Markup:
    """The place of a pile."""
    width, height = playing_card_svg.CARD_WIDTH, playing_card_svg.CARD_HEIGHT
    look = {"stroke": MUTED_TEXT_COLOUR, "stroke_opacity": "0.5"}
    hollow = svg.rect(1, 1, width - 2, height - 2, 8, fill="none")
    return svg.group(svg.transform(x, 0, hollow, scale=PILE_SCALE), **look)


def _message(view: View, x: float, y: float, width: float, lowest: float = inf) -> Markup:
    """The headline, with the remarks and the variant below; smaller and higher up if they would
    end below `lowest`."""
    message, end = _paragraphs(view, x, y, width, 1.0)
    if end > lowest:
        _, end = _paragraphs(view, x, y, width, SMALLER)
        message, _ = _paragraphs(view, x, y - max(0.0, end - lowest), width, SMALLER)
    return message


def _paragraphs(view: View, x: float, y: float, width: float, scale: float) -> tuple[Markup, float]:
    remarks, variant = " ".join(status_text.remarks(view)), status_text.variant_text(view)
    paragraphs = (
        (status_text.headline(view), 18 * scale, {"fill": TEXT_COLOUR, "font_weight": "bold"}),
        (remarks, 14 * scale, {"fill": TEXT_COLOUR}),
        (variant, 13 * scale, {"fill": MUTED_TEXT_COLOUR, "font_style": "italic"}),
    )
    return svg.stack(x, y, paragraphs, width, 3)
