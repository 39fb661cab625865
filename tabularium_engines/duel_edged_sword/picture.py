"""The picture of the whole table as SVG: the other players in a line at the top, clockwise from the
left, then the round, the four rows, and the viewer with the drawn card at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import seat_text, shapes_svg, svg
from tabularium_engines.common.shapes_svg import TALL_MARGIN, Plan, Shape
from tabularium_engines.common.svg import Box, Markup, StyledText
from tabularium_engines.duel_edged_sword import card_svg, plain_text, rows_svg, status_text
from tabularium_engines.duel_edged_sword import player_svg as player
from tabularium_engines.duel_edged_sword.actions import Card
from tabularium_engines.duel_edged_sword.card_svg import CardPainter, LargePrintPainter
from tabularium_engines.duel_edged_sword.cards import COMPLETE_CODES, KIND_CODES
from tabularium_engines.duel_edged_sword.news_text import card_text
from tabularium_engines.duel_edged_sword.player_svg import PADDING, PANEL_HEIGHT, SLOT_WIDTH
from tabularium_engines.duel_edged_sword.view import View

MARGIN: Final = 24.0
GAP: Final = 14.0  # between panels
COLUMN_WIDTH: Final = 2 * PADDING + len(KIND_CODES) * SLOT_WIDTH  # the width of a player's panel
COLUMN_LEFTS: Final = tuple(MARGIN + place * (COLUMN_WIDTH + GAP) for place in range(3))
INNER_WIDTH: Final = 3 * COLUMN_WIDTH + 2 * GAP
STORY_HEIGHT: Final = 76.0  # of the round's description
NARROW_CARD_SCALE: Final = 0.62  # of the flipped and the drawn card between panels in columns
STORY_TOP: Final = MARGIN + PANEL_HEIGHT + GAP
ROWS_AREA: Final = Box(MARGIN, STORY_TOP + STORY_HEIGHT + GAP, INNER_WIDTH, rows_svg.ROWS_HEIGHT)
OWN_TOP: Final = ROWS_AREA.y + ROWS_AREA.height + GAP
PICTURE_SIZE: Final = (INNER_WIDTH + 2 * MARGIN, OWN_TOP + PANEL_HEIGHT + MARGIN)


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    painter = CardPainter(svg.ID_PREFIX)
    parts = [
        *_players(view, painter),
        *_story(view, painter),
        rows_svg.draw_rows(view, painter, ROWS_AREA),
        *_viewer_side(view, painter),
    ]
    return _picture(view, painter, Plan(PICTURE_SIZE, parts))


def draw_in_shape(view: View, shape: Shape) -> str:
    """The table in columns of panels: one if it is tall, one or two if it is square."""
    if shape == "wide":
        return draw_table(view)
    if shape == "tall":
        large = LargePrintPainter(svg.ID_PREFIX)
        return _picture(view, large, _column_plan(view, large, 1, TALL_MARGIN))
    painter = CardPainter(svg.ID_PREFIX)
    wide = [_column_plan(view, painter, columns, MARGIN) for columns in (1, 2)]
    return _picture(view, painter, shapes_svg.square_of(wide))


def _picture(view: View, painter: CardPainter, plan: Plan) -> str:
    """The planned table as a picture."""
    cloth = svg.gradient(f"{painter.prefix}-cloth", "#39447a", "#232a52")
    fill = svg.gradient_fill(f"{painter.prefix}-cloth")
    return svg.picture_of_page(
        plan.size,
        plain_text.text(view),
        painter.definitions(),
        svg.element("defs", cloth),
        svg.table_top(plan.size, "#11162c", fill, 22, 7),
        *plan.parts,
    )


def _column_plan(view: View, painter: CardPainter, columns: int, margin: float) -> Plan:
    """The other players, the round and the rows below each other, then the viewer's decision, and
    the panels of the viewer and of the unseen cards."""
    own, *others = seat_text.clockwise(view.seat, 4)
    inner = columns * (COLUMN_WIDTH + GAP) - GAP
    parts = [
        player.panel(view, painter, seat, _column_box(n, columns, margin, margin))
        for n, seat in enumerate(others)
    ]
    y = margin + -(-len(others) // columns) * (PANEL_HEIGHT + GAP)
    story, end = _narrow_story(view, painter, margin, y, inner)
    rows, high = rows_svg.wrapped_rows(view, painter, margin, end, inner)
    decision, end = _decision(view, painter, margin, end + high + GAP, inner)
    boxes = [_column_box(n, columns, margin, end) for n in range(2)]
    unseen = svg.transform(boxes[1].x, boxes[1].y, *_unseen_cards(view, painter))
    parts += [*story, rows, *decision, player.panel(view, painter, own, boxes[0]), unseen]
    return Plan((inner + 2 * margin, boxes[1].y + PANEL_HEIGHT + margin), parts)


def _column_box(place: int, columns: int, x: float, y: float) -> Box:
    """The box of a panel among several in rows that begin at (x, y)."""
    right, down = place % columns * (COLUMN_WIDTH + GAP), place // columns * (PANEL_HEIGHT + GAP)
    return Box(x + right, y + down, COLUMN_WIDTH, PANEL_HEIGHT)


def _narrow_story(
    view: View, painter: CardPainter, x: float, y: float, width: float
) -> tuple[list[Markup], float]:
    """The flipped card beside the round, the remarks and the variant; and where they end."""
    scale = NARROW_CARD_SCALE
    left = x + card_svg.CARD_WIDTH * scale + GAP
    words, end = svg.stack(left, y + 16, _story_paragraphs(view), x + width - left, 4)
    flipped = svg.transform(x, y, painter.face(view.flipped), scale=scale)
    return [flipped, words], max(y + scale * card_svg.CARD_HEIGHT, end) + GAP


def _story_paragraphs(view: View) -> list[StyledText]:
    return [
        (status_text.round_heading(view), 16, {"fill": player.TEXT_COLOUR, "font_weight": "bold"}),
        (" ".join(status_text.remarks(view)), 14, {"fill": player.TEXT_COLOUR}),
        (status_text.variant_text(view.options), 13, {"fill": player.MUTED_TEXT_COLOUR}),
    ]


def _decision(
    view: View, painter: CardPainter, x: float, y: float, width: float
) -> tuple[list[Markup], float]:
    """The headline beside the drawn card, and where they end."""
    scale, card = NARROW_CARD_SCALE, list[Markup]()
    if view.card is not None:
        width -= card_svg.CARD_WIDTH * scale + GAP
        card = [svg.transform(x + width + GAP, y, _drawn_card(painter, view.card), scale=scale)]
    look = {"fill": svg.GILT_COLOUR, "font_weight": "bold"}
    headline = (status_text.headline(view), 19.0, look)
    words, end = svg.stack(x + 4, y + 20, [headline], 0.92 * width, 4)
    return [words, *card], max(end, y + (scale * card_svg.CARD_HEIGHT if card else 0)) + GAP


def _players(view: View, painter: CardPainter) -> Iterator[Markup]:
    """The other players side by side at the top, and the viewer at the bottom in the middle."""
    own, *others = seat_text.clockwise(view.seat, 4)
    for seat, left in zip(others, COLUMN_LEFTS, strict=True):
        yield player.panel(view, painter, seat, Box(left, MARGIN, COLUMN_WIDTH, PANEL_HEIGHT))
    box = Box(COLUMN_LEFTS[1], OWN_TOP, COLUMN_WIDTH, PANEL_HEIGHT)
    yield player.panel(view, painter, own, box)


def _story(view: View, painter: CardPainter) -> Iterator[Markup]:
    """The flipped card, the round and the remarks at the left, the variant at the right."""
    scale, y = STORY_HEIGHT / card_svg.CARD_HEIGHT, STORY_TOP + 24
    yield svg.transform(MARGIN, STORY_TOP, painter.face(view.flipped), scale=scale)
    left, right = MARGIN + card_svg.CARD_WIDTH * scale + GAP, COLUMN_LEFTS[2]
    width = right - left - GAP
    heading = svg.wrap_text(status_text.round_heading(view), 16, 0.84 * width)
    yield svg.paragraph(left, y, heading, 16, fill=player.TEXT_COLOUR, font_weight="bold")
    remarks = svg.wrap_text(" ".join(status_text.remarks(view)), 14, 0.9 * width)
    below = y + svg.LINE_SPACING * 16 * len(heading) + 4
    yield svg.paragraph(left, below, remarks, 14, fill=player.TEXT_COLOUR)
    variant = svg.wrap_text(status_text.variant_text(view.options), 13, 0.9 * COLUMN_WIDTH)
    look = {"fill": player.MUTED_TEXT_COLOUR, "font_style": "italic"}
    yield svg.paragraph(right, y, variant, 13, **look)


def _viewer_side(view: View, painter: CardPainter) -> Iterator[Markup]:
    """The headline and the drawn card left of the viewer, the unseen cards at the right."""
    scale = PANEL_HEIGHT / card_svg.CARD_HEIGHT
    width = COLUMN_WIDTH
    if view.card is not None:
        width -= card_svg.CARD_WIDTH * scale + GAP
        drawn = _drawn_card(painter, view.card)
        yield svg.transform(MARGIN + width + GAP, OWN_TOP, drawn, scale=scale)
    lines = svg.wrap_text(status_text.headline(view), 19, 0.84 * width)
    y = OWN_TOP + PANEL_HEIGHT / 2 - 12 * (len(lines) - 1) + 6
    look = {"fill": svg.GILT_COLOUR, "font_weight": "bold"}
    yield svg.paragraph(MARGIN + 8, y, lines, 19, **look)
    yield svg.transform(COLUMN_LEFTS[2], OWN_TOP, *_unseen_cards(view, painter))


def _drawn_card(painter: CardPainter, card: Card) -> Markup:
    """The card that the viewer has to lay."""
    sort = "complete" if card in COMPLETE_CODES else card
    return svg.thing(painter.face(card), pick=f"card={sort}", name=f"{card_text(card)}, your card")


def _unseen_cards(view: View, painter: CardPainter) -> Iterator[Markup]:
    """The number of cards of each kind that the viewer has not seen."""
    unseen = status_text.unseen_counts(view)
    places = status_text.unseen_places(view)
    completes = f"{status_text.unseen_completes(unseen)}, and of the edges"
    yield svg.rect(0, 0, COLUMN_WIDTH, PANEL_HEIGHT, 10, fill=player.PANEL_COLOUR, fill_opacity=0.4)
    yield svg.text(PADDING, 26, "Not yet seen", 15, fill=player.TEXT_COLOUR, font_weight="bold")
    yield svg.text(PADDING, 48, places, 14, fill=player.MUTED_TEXT_COLOUR)
    yield svg.text(PADDING, 72, completes, 14, fill=player.TEXT_COLOUR)
    for place, kind in enumerate(KIND_CODES):
        x = PADDING + SLOT_WIDTH * (place + 0.5)
        yield player.kind_symbol(painter, kind, x, 104, unseen[kind])
        yield svg.centred_text(x, 134, str(unseen[kind]), 14, fill=player.TEXT_COLOUR)
