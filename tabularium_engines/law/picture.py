"""The picture of the whole table as SVG: the other players at the top, clockwise, the viewer at the
bottom, and between them the piles and the message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import playing_card_svg, seat_text, shapes_svg, svg
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.common.playing_card_svg import PAPER_COLOUR, CardPainter
from tabularium_engines.common.shapes_svg import TALL_MARGIN, TALL_WIDTH, Plan, Shape
from tabularium_engines.common.svg import TEXT_COLOUR, Box, Markup, StyledText
from tabularium_engines.law import plain_text, player_svg, status_text
from tabularium_engines.law.actions import Card
from tabularium_engines.law.player_svg import MUTED_TEXT_COLOUR
from tabularium_engines.law.view import View

MARGIN: Final = 24.0
PANEL_GAP: Final = 16.0
PICTURE_WIDTH: Final = 1240.0
SQUARE_WIDTHS: Final = (PICTURE_WIDTH, 1000.0, 800.0, 620.0)  # the squarest is taken
MIN_PANEL_WIDTH: Final = 360.0  # of players side by side, if they do not share one row
MARBLE_COLOUR: Final = "#d8d2c4"
SLATE_COLOURS: Final = ("#35506b", "#22354a")

CARD_SCALE: Final = 0.72  # of the cards on piles
CARD_WIDTH: Final = playing_card_svg.CARD_WIDTH * CARD_SCALE
CARD_HEIGHT: Final = playing_card_svg.CARD_HEIGHT * CARD_SCALE
PILE_STEP: Final = CARD_WIDTH + 26  # from pile to pile
PILES_HEIGHT: Final = 158.0
MIN_MESSAGE_WIDTH: Final = 300.0  # beside the piles
PILE_BASE_Y: Final = 34.0  # where the lowest card of a pile begins
MAX_LAYERS: Final = 8
HEAP_OFFSETS: Final = ((2.0, 8.0, -9.0), (18.0, -6.0, 11.0), (4.0, 0.0, 0.0))


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    cards = CardPainter(svg.ID_PREFIX)
    return _picture(view, cards, _plan(view, cards, PICTURE_WIDTH, view.seats - 1))


def draw_in_shape(view: View, shape: Shape) -> str:
    """The table in the width that suits the shape, with the other players in rows."""
    cards = CardPainter(svg.ID_PREFIX)
    if shape == "wide":
        return draw_table(view)
    if shape == "tall":
        return _picture(view, cards, _plan(view, cards, TALL_WIDTH, 1, TALL_MARGIN))
    plans = [_plan(view, cards, width, _columns(view, width)) for width in SQUARE_WIDTHS]
    return _picture(view, cards, shapes_svg.square_of(plans))


def _picture(view: View, cards: CardPainter, plan: Plan) -> str:
    """The planned table as a picture."""
    slate = svg.gradient(f"{cards.prefix}-slate", *SLATE_COLOURS)
    fill = svg.gradient_fill(f"{cards.prefix}-slate")
    return svg.picture_of_page(
        plan.size,
        plain_text.text(view),
        cards.definitions(),
        svg.element("defs", slate),
        svg.table_top(plan.size, MARBLE_COLOUR, fill, 20, 8),
        *plan.parts,
    )


def _columns(view: View, width: float) -> int:
    """How many of the other players fit side by side."""
    fitting = int((width - 2 * MARGIN + PANEL_GAP) / (MIN_PANEL_WIDTH + PANEL_GAP))
    return max(1, min(fitting, view.seats - 1))


def _plan(
    view: View, cards: CardPainter, width: float, columns: int, margin: float = MARGIN
) -> Plan:
    """The other players in rows, below them the piles and the message, and then the viewer."""
    first, *others = seat_text.clockwise(view.seat, view.seats)
    inner = width - 2 * margin
    wide = (inner + PANEL_GAP) / columns - PANEL_GAP
    high = max(player_svg.panel_height(view, seat, wide) for seat in others)
    boxes = [
        Box(
            margin + n % columns * (wide + PANEL_GAP),
            margin + n // columns * (high + PANEL_GAP),
            wide,
            high,
        )
        for n in range(len(others))
    ]
    middle = boxes[-1].y + high + PANEL_GAP + 4
    between, taken = _middle(view, cards, margin, middle, inner)
    top = middle + taken + PANEL_GAP
    own = Box(margin, top, inner, player_svg.panel_height(view, first, inner))
    panels = [
        player_svg.panel(view, cards, seat, box)
        for seat, box in zip([first, *others], [own, *boxes], strict=True)
    ]
    size = (width, top + own.height + margin)
    return Plan(size, [*panels, *between])


# -- the middle ---------------------------------------------------------------------------------


def _middle(
    view: View, cards: CardPainter, x: float, y: float, inner: float
) -> tuple[list[Markup], float]:
    """The piles with the message at their right, or below them if the table is narrow; and the
    height of both."""
    across = max(1, int((inner + PILE_STEP - CARD_WIDTH) / PILE_STEP))
    number = len(view.discard_piles) + 2
    left = number * PILE_STEP + 28
    if inner - left >= MIN_MESSAGE_WIDTH:
        across, down, top, width = number, PILES_HEIGHT, 14.0, inner - left
    else:
        left, top, width = 0, 24 + PILES_HEIGHT * -(-number // across), inner
        down = top
    piles = svg.transform(x, y, *_piles(view, cards, across))
    _, end = _message(view, 0, top, width)
    return [piles, _message(view, x + left, y + top, width)[0]], max(down, end)


def _piles(view: View, cards: CardPainter, across: int) -> Iterator[Markup]:
    """The draw pile, the discard piles, and the heap of the trash, each between two captions."""
    top = _top_card(cards, view.draw_top, not view.face_up)
    number_text = pluralize(view.draw_pile, "card")
    piles = [("Draw pile", number_text, _pile_cards(cards, view.draw_pile, top))]
    for number, discards in enumerate(view.discard_piles, 1):
        name = f"Discards {number}" if len(view.discard_piles) > 1 else "Discards"
        top = _top_card(cards, discards, view.face_down)
        number_text = pluralize(len(discards), "card")
        piles.append((name, number_text, _pile_cards(cards, len(discards), top)))
    out = f", {len(view.removed)} out" if view.removed else ""
    number_text = pluralize(len(view.trash), "card") + out
    piles.append(("Trash", number_text, _heap_cards(cards, view.trash)))
    below = PILE_BASE_Y + CARD_HEIGHT + 18
    for place, (name, number_text, drawn) in enumerate(piles):
        parts = [
            *(drawn or [_empty_outline()]),
            svg.text(0, 8, name, 14, fill="#fff", font_weight="bold"),
            svg.text(0, below, number_text, 13, fill=MUTED_TEXT_COLOUR),
        ]
        if place <= len(view.discard_piles):  # nothing is taken from the trash
            parts = [svg.thing(*parts, pick=f"pile={place}", name=name)]
        yield svg.transform(place % across * PILE_STEP, place // across * PILES_HEIGHT, *parts)


def _pile_cards(cards: CardPainter, count: int, top: Markup | None) -> list[Markup]:
    """A pile of `count` cards with its top card, or a back, above the edges of others."""
    rise = 2 * (min(MAX_LAYERS, (count + 6) // 7) - 1)
    edge = {"fill": PAPER_COLOUR, "stroke": "#000", "stroke_opacity": "0.4"}
    edges = [
        svg.rect(up, PILE_BASE_Y - up, CARD_WIDTH, CARD_HEIGHT, 6, **edge)
        for up in range(0, rise, 2)
    ]
    lid = svg.transform(rise, PILE_BASE_Y - rise, top or cards.back(), scale=CARD_SCALE)
    return [*edges, lid] if count else []


def _heap_cards(cards: CardPainter, thrown: tuple[str, ...]) -> list[Markup]:
    """Open cards, thrown on each other; only a few are visible."""
    return [
        svg.transform(dx, PILE_BASE_Y + dy, cards.face(card), scale=CARD_SCALE, turn=turn)
        for card, (dx, dy, turn) in zip(thrown[-len(HEAP_OFFSETS) :], HEAP_OFFSETS, strict=False)
    ]


def _empty_outline() -> Markup:
    look = {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "4 4"}
    return svg.rect(0, PILE_BASE_Y, CARD_WIDTH, CARD_HEIGHT, 6, **look)


def _top_card(cards: CardPainter, pile: tuple[Card | None, ...], is_hidden: bool) -> Markup | None:
    """The topmost card, if the viewer knows it; marked if it lies face down."""
    if not pile or pile[-1] is None:
        return None
    face = cards.face(pile[-1])
    return player_svg.seen_card(face) if is_hidden else face


def _message(view: View, x: float, y: float, width: float) -> tuple[Markup, float]:
    """The pending decision, then remarks, then the variant; and where it ends."""
    paragraphs: list[StyledText] = [
        (status_text.headline(view), 18, {"fill": TEXT_COLOUR, "font_weight": "bold"}),
        *((remark, 15, {"fill": TEXT_COLOUR}) for remark in status_text.remarks(view)),
        (status_text.variant_text(view), 13, {"fill": MUTED_TEXT_COLOUR}),
    ]
    return svg.stack(x, y, paragraphs, width, 4)
