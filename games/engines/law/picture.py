"""The picture of the whole table as SVG: the other players at the top, clockwise, the viewer at the
bottom, and between them the piles and the message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.english_text import pluralize
from games.engines.common.playing_card_svg import CardPainter
from games.engines.common.svg import Box, Markup
from games.engines.law import piles_svg, player_svg, status_text
from games.engines.law.actions import Card
from games.engines.law.player_svg import MUTED_TEXT_COLOUR, TEXT_COLOUR
from games.engines.law.view import View

MARGIN: Final = 24.0
PANEL_GAP: Final = 16.0
PICTURE_WIDTH: Final = 1240.0
INNER_WIDTH: Final = PICTURE_WIDTH - 2 * MARGIN
MARBLE_COLOUR: Final = "#d8d2c4"
SLATE_COLOURS: Final = ("#35506b", "#22354a")


def draw_table(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.id_prefix(description)
    cards = CardPainter(prefix)
    boxes, middle, height = _plan_layout(view)
    panels = (
        player_svg.panel(view, cards, *placed)
        for placed in zip(status_text.seat_order(view), boxes, strict=True)
    )
    return svg.document(
        (PICTURE_WIDTH, height),
        prefix,
        status_text.title(view),
        description,
        cards.definitions(),
        svg.element("defs", svg.gradient(f"{prefix}-slate", *SLATE_COLOURS)),
        _table_top(height, prefix),
        *panels,
        svg.transform(MARGIN, middle, *_piles(view, cards)),
        _message(view, middle),
    )


# -- layout -------------------------------------------------------------------------------------


def _plan_layout(view: View) -> tuple[list[Box], float, float]:
    """The boxes of the players, the viewer first; the top of the middle; the total height."""
    first, *others = status_text.seat_order(view)
    wide = (INNER_WIDTH + PANEL_GAP) / len(others) - PANEL_GAP
    high = max(player_svg.panel_height(view, seat, wide) for seat in others)
    boxes = [Box(MARGIN + n * (wide + PANEL_GAP), MARGIN, wide, high) for n in range(len(others))]
    middle = MARGIN + high + PANEL_GAP + 4
    top = middle + max(piles_svg.PILES_HEIGHT, _message_height(view)) + PANEL_GAP
    own = Box(MARGIN, top, INNER_WIDTH, player_svg.panel_height(view, first, INNER_WIDTH))
    return [own, *boxes], middle, top + own.height + MARGIN


def _table_top(height: float, prefix: str) -> Markup:
    """The table top: slate in a marble frame."""
    marble = svg.rect(0, 0, PICTURE_WIDTH, height, 20, fill=MARBLE_COLOUR)
    slate = svg.gradient_fill(f"{prefix}-slate")
    return svg.group(marble, svg.rect(8, 8, PICTURE_WIDTH - 16, height - 16, 14, fill=slate))


# -- the middle ---------------------------------------------------------------------------------


def _piles(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The draw pile, the discard piles, and the heap of the trash."""
    top = _top_card(cards, view.draw_top, not view.face_up)
    piles = [(view.draw_pile, top, ("Draw pile", pluralize(view.draw_pile, "card")))]
    several = len(view.discard_piles) > 1
    for number, discards in enumerate(view.discard_piles, 1):
        name = f"Discards {number}" if several else "Discards"
        top = _top_card(cards, discards, view.face_down)
        piles.append((len(discards), top, (name, pluralize(len(discards), "card"))))
    for place, pile in enumerate(piles):
        yield piles_svg.card_pile(cards, place * piles_svg.PILE_STEP, *pile)
    out = f", {len(view.removed)} out" if view.removed else ""
    names = "Trash", f"{pluralize(len(view.trash), 'card')}{out}"
    yield piles_svg.card_heap(cards, len(piles) * piles_svg.PILE_STEP, view.trash, names)


def _top_card(cards: CardPainter, pile: tuple[Card | None, ...], is_hidden: bool) -> Markup | None:
    """The topmost card, if the viewer knows it; marked if it lies face down."""
    if not pile or pile[-1] is None:
        return None
    face = cards.face(pile[-1])
    return piles_svg.seen_card(face) if is_hidden else face


def _message(view: View, top: float) -> Markup:
    """The message: the pending decision, then remarks, then the variant."""
    parts = []
    x, y = MARGIN + _message_left(view), top + 14
    for lines, size, look in _message_paragraphs(view):
        parts.append(svg.paragraph(x, y, lines, size, **look))
        y += svg.LINE_SPACING * size * len(lines) + 4
    return svg.group(*parts)


def _message_height(view: View) -> float:
    return 14 + sum(
        svg.LINE_SPACING * size * len(lines) + 4 for lines, size, _ in _message_paragraphs(view)
    )


def _message_left(view: View) -> float:
    """The x offset of the message, to the right of the piles."""
    return (len(view.discard_piles) + 2) * piles_svg.PILE_STEP + 28


def _message_paragraphs(view: View) -> Iterator[tuple[list[str], float, dict[str, str]]]:
    """The paragraphs of the message, broken into lines."""
    width = INNER_WIDTH - _message_left(view)
    bold = {"fill": TEXT_COLOUR, "font_weight": "bold"}
    yield svg.wrap_text(status_text.headline(view), 18, width), 18, bold
    for remark in status_text.remarks(view):
        yield svg.wrap_text(remark, 15, width), 15, {"fill": TEXT_COLOUR}
    yield svg.wrap_text(status_text.variant_text(view), 13, width), 13, {"fill": MUTED_TEXT_COLOUR}
