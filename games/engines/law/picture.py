"""How does the whole table look? The others at the top clockwise, the viewer at the bottom, and
between them the piles and what the table waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Box, Markup
from games.engines.law import captions, piles_svg, player_svg
from games.engines.law.actions import Card
from games.engines.law.player_svg import CREAM, MUTED
from games.engines.law.view import View

MARGIN: Final = 24.0
GAP: Final = 16.0
WIDTH: Final = 1240.0
INNER: Final = WIDTH - 2 * MARGIN
MARBLE: Final = "#d8d2c4"
SLATE: Final = ("#35506b", "#22354a")


def draw(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.prefix_of(description)
    cards = Cards(prefix)
    boxes, middle, height = _plan(view)
    panels = (
        player_svg.panel(view, cards, *placed)
        for placed in zip(captions.order(view), boxes, strict=True)
    )
    return svg.document(
        (WIDTH, height),
        prefix,
        captions.title(view),
        description,
        cards.definitions(),
        svg.element("defs", svg.gradient(f"{prefix}-slate", *SLATE)),
        _table(height, prefix),
        *panels,
        svg.at(MARGIN, middle, *_piles(view, cards)),
        _message(view, middle),
    )


# -- where everything lies ----------------------------------------------------------------------


def _plan(view: View) -> tuple[list[Box], float, float]:
    """Where the players are, the viewer first; where the middle begins; the whole height."""
    first, *others = captions.order(view)
    wide = (INNER + GAP) / len(others) - GAP
    high = max(player_svg.height(view, seat, wide) for seat in others)
    boxes = [Box(MARGIN + n * (wide + GAP), MARGIN, wide, high) for n in range(len(others))]
    middle = MARGIN + high + GAP + 4
    top = middle + max(piles_svg.HEIGHT, _message_height(view)) + GAP
    own = Box(MARGIN, top, INNER, player_svg.height(view, first, INNER))
    return [own, *boxes], middle, top + own.height + MARGIN


def _table(height: float, prefix: str) -> Markup:
    """The table top: slate in a marble frame."""
    marble = svg.rect(0, 0, WIDTH, height, 20, fill=MARBLE)
    slate = svg.paint(f"{prefix}-slate")
    return svg.group(marble, svg.rect(8, 8, WIDTH - 16, height - 16, 14, fill=slate))


# -- the middle ---------------------------------------------------------------------------------


def _piles(view: View, cards: Cards) -> Iterator[Markup]:
    """The draw pile, the discard piles, and the heap of the trash."""
    top = _top(cards, view.draw_top, not view.face_up)
    piles = [(view.draw_pile, top, ("Draw pile", _number(view.draw_pile)))]
    several = len(view.discard_piles) > 1
    for number, discards in enumerate(view.discard_piles, 1):
        name = f"Discards {number}" if several else "Discards"
        top = _top(cards, discards, view.face_down)
        piles.append((len(discards), top, (name, _number(len(discards)))))
    for place, pile in enumerate(piles):
        yield piles_svg.pile(cards, place * piles_svg.STEP, *pile)
    out = f", {len(view.removed)} out" if view.removed else ""
    names = "Trash", f"{_number(len(view.trash))}{out}"
    yield piles_svg.heap(cards, len(piles) * piles_svg.STEP, view.trash, names)


def _top(cards: Cards, pile: tuple[Card | None, ...], is_hidden: bool) -> Markup | None:
    """The uppermost card, if the viewer knows it: marked, if it lies face down."""
    if not pile or pile[-1] is None:
        return None
    face = cards.face(pile[-1])
    return piles_svg.peeked(face) if is_hidden else face


def _number(count: int) -> str:
    return captions.plural(count, "card")


def _message(view: View, top: float) -> Markup:
    """What the table waits for; under it what else is to be known, and the variant."""
    parts = []
    x, y = MARGIN + _left(view), top + 14
    for lines, size, look in _written(view):
        parts.append(svg.paragraph(x, y, lines, size, **look))
        y += svg.LEADING * size * len(lines) + 4
    return svg.group(*parts)


def _message_height(view: View) -> float:
    return 14 + sum(svg.LEADING * size * len(lines) + 4 for lines, size, _ in _written(view))


def _left(view: View) -> float:
    """Where the piles end and the message begins."""
    return (len(view.discard_piles) + 2) * piles_svg.STEP + 28


def _written(view: View) -> Iterator[tuple[list[str], float, dict[str, str]]]:
    """The paragraphs of the message, broken into lines."""
    width = INNER - _left(view)
    yield (
        svg.lines_of(captions.headline(view), 18, width),
        18,
        {"fill": CREAM, "font_weight": "bold"},
    )
    for remark in captions.remarks(view):
        yield svg.lines_of(remark, 15, width), 15, {"fill": CREAM}
    yield svg.lines_of(captions.variant(view), 13, width), 13, {"fill": MUTED}
