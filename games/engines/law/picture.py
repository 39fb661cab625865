"""The picture of the whole table as SVG: the other players at the top, clockwise, the viewer at the
bottom, and between them the piles and the message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import playing_card_svg, seat_text, svg
from games.engines.common.english_text import pluralize
from games.engines.common.playing_card_svg import PAPER_COLOUR, CardPainter
from games.engines.common.svg import TEXT_COLOUR, Box, Markup, StyledText
from games.engines.law import plain_text, player_svg, status_text
from games.engines.law.actions import Card
from games.engines.law.player_svg import MUTED_TEXT_COLOUR
from games.engines.law.view import View

MARGIN: Final = 24.0
PANEL_GAP: Final = 16.0
PICTURE_WIDTH: Final = 1240.0
INNER_WIDTH: Final = PICTURE_WIDTH - 2 * MARGIN
MARBLE_COLOUR: Final = "#d8d2c4"
SLATE_COLOURS: Final = ("#35506b", "#22354a")

CARD_SCALE: Final = 0.72  # of the cards on piles
CARD_WIDTH: Final = playing_card_svg.CARD_WIDTH * CARD_SCALE
CARD_HEIGHT: Final = playing_card_svg.CARD_HEIGHT * CARD_SCALE
PILE_STEP: Final = CARD_WIDTH + 26  # from pile to pile
PILES_HEIGHT: Final = 158.0
PILE_BASE_Y: Final = 34.0  # where the lowest card of a pile begins
MAX_LAYERS: Final = 8
HEAP_OFFSETS: Final = ((2.0, 8.0, -9.0), (18.0, -6.0, 11.0), (4.0, 0.0, 0.0))


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    page = plain_text.text(view)
    cards = CardPainter(svg.ID_PREFIX)
    boxes, middle, height = _plan_layout(view)
    seats = zip(seat_text.clockwise(view.seat, view.seats), boxes, strict=True)
    size = (PICTURE_WIDTH, height)
    return svg.picture_of_page(
        size,
        page,
        cards.definitions(),
        svg.element("defs", svg.gradient(f"{cards.prefix}-slate", *SLATE_COLOURS)),
        svg.table_top(size, MARBLE_COLOUR, svg.gradient_fill(f"{cards.prefix}-slate"), 20, 8),
        *(player_svg.panel(view, cards, seat, box) for seat, box in seats),
        svg.transform(MARGIN, middle, *_piles(view, cards)),
        _message(view, middle)[0],
    )


def _plan_layout(view: View) -> tuple[list[Box], float, float]:
    """The boxes of the players, the viewer first; the top of the middle; the total height."""
    first, *others = seat_text.clockwise(view.seat, view.seats)
    wide = (INNER_WIDTH + PANEL_GAP) / len(others) - PANEL_GAP
    high = max(player_svg.panel_height(view, seat, wide) for seat in others)
    boxes = [Box(MARGIN + n * (wide + PANEL_GAP), MARGIN, wide, high) for n in range(len(others))]
    middle = MARGIN + high + PANEL_GAP + 4
    top = middle + max(PILES_HEIGHT, _message(view, 0)[1]) + PANEL_GAP
    own = Box(MARGIN, top, INNER_WIDTH, player_svg.panel_height(view, first, INNER_WIDTH))
    return [own, *boxes], middle, top + own.height + MARGIN


# -- the middle ---------------------------------------------------------------------------------


def _piles(view: View, cards: CardPainter) -> Iterator[Markup]:
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
        yield svg.transform(
            place * PILE_STEP,
            0,
            *(drawn or [_empty_outline()]),
            svg.text(0, 8, name, 14, fill="#fff", font_weight="bold"),
            svg.text(0, below, number_text, 13, fill=MUTED_TEXT_COLOUR),
        )


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


def _message(view: View, top: float) -> tuple[Markup, float]:
    """The message at the right of the piles: the pending decision, then remarks, then the variant;
    and where it ends."""
    left = (len(view.discard_piles) + 2) * PILE_STEP + 28
    paragraphs: list[StyledText] = [
        (status_text.headline(view), 18, {"fill": TEXT_COLOUR, "font_weight": "bold"}),
        *((remark, 15, {"fill": TEXT_COLOUR}) for remark in status_text.remarks(view)),
        (status_text.variant_text(view), 13, {"fill": MUTED_TEXT_COLOUR}),
    ]
    return svg.stack(MARGIN + left, top + 14, paragraphs, INNER_WIDTH - left, 4)
