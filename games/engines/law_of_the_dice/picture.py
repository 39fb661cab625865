"""How does the whole table look? The viewer's own panel at the bottom, the others around it
clockwise, and in the middle the piles, the dice and what the table waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Box, Markup
from games.engines.law_of_the_dice import captions, stage_svg, tablet_svg
from games.engines.law_of_the_dice.player_svg import CREAM, MUTED, NARROW, WIDE, panel
from games.engines.law_of_the_dice.view import View

MARGIN: Final = 24.0
GAP: Final = 16.0
COLUMN: Final = 376.0
BAND: Final = 150.0  # the height of a middle that goes from edge to edge …
WIDEST: Final = 860.0  # … and how much of its width is used
PILE_SCALE: Final = 0.64
PILES: Final = 232.0  # the width of both piles
PEEKING: Final = 4  # discards that can be told
FELT: Final = ("#2f5d50", "#1f4238")
WOOD: Final = "#4b3423"

# By number of players: columns, then where the others sit (column, row), clockwise from the left.
TABLES: Final = {
    2: (2, ((0, 0),)),
    3: (2, ((0, 0), (1, 0))),
    4: (3, ((0, 0), (1, 0), (2, 0))),
    5: (3, ((0, 1), (0, 0), (2, 0), (2, 1))),
    6: (3, ((0, 1), (0, 0), (1, 0), (2, 0), (2, 1))),
}


def draw(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.prefix_of(description)
    cards = Cards(prefix)
    boxes, middle, size = _plan(view.seats)
    panels = (
        panel(view, cards, *placed) for placed in zip(captions.order(view), boxes, strict=True)
    )
    return svg.document(
        size,
        prefix,
        captions.title(view),
        description,
        cards.definitions(),
        tablet_svg.definitions(prefix),
        svg.element("defs", svg.gradient(f"{prefix}-felt", *FELT)),
        _table(size, prefix),
        *panels,
        _middle(view, cards, middle),
    )


# -- where everything lies ----------------------------------------------------------------------


def _plan(seats: int) -> tuple[list[Box], Box, tuple[float, float]]:
    """Where the players are, the viewer first; where the middle is; how large the picture is."""
    columns, places = TABLES[seats]
    inner = columns * (COLUMN + GAP) - GAP
    others = (
        [_cell(column, row) for column, row in places] if seats > 2 else [_strip(0, inner, WIDE)]
    )
    end = max(box.y + box.height for box in others) + GAP
    middle = _hole(seats)
    if middle is None:
        middle = _strip(end - MARGIN, inner, BAND)
        end += BAND + GAP
    own = _strip(end - MARGIN, inner, WIDE)
    return [own, *others], middle, (inner + 2 * MARGIN, end + WIDE + MARGIN)


def _cell(column: int, row: int) -> Box:
    x, y = MARGIN + column * (COLUMN + GAP), MARGIN + row * (NARROW + GAP)
    return Box(x, y, COLUMN, NARROW)


def _strip(y: float, width: float, height: float) -> Box:
    return Box(MARGIN, MARGIN + y, width, height)


def _hole(seats: int) -> Box | None:
    """The middle that five or six players leave between them."""
    if seats < 5:
        return None
    top = _cell(1, 0 if seats == 5 else 1)
    return Box(top.x, top.y, COLUMN, MARGIN + 2 * NARROW + GAP - top.y)


def _table(size: tuple[float, float], prefix: str) -> Markup:
    """The table top: felt in a wooden frame."""
    width, height = size
    wood = svg.rect(0, 0, width, height, 22, fill=WOOD)
    felt = svg.rect(8, 8, width - 16, height - 16, 16, fill=svg.paint(f"{prefix}-felt"))
    return svg.group(wood, felt)


# -- the middle ---------------------------------------------------------------------------------


def _middle(view: View, cards: Cards, box: Box) -> Markup:
    """Piles, stage and message: side by side, or the message below the others."""
    middle, y = box.middle
    width = min(box.width, WIDEST)
    left, right = middle - width / 2, middle + width / 2
    stage = svg.at(right - stage_svg.WIDTH / 2, y, stage_svg.stage(view, cards))
    if width > COLUMN:
        start = left + PILES + 2 * GAP
        message = _message(view, start, y - 44, right - start - stage_svg.WIDTH - GAP)
        return svg.group(svg.at(left, y - 54, *_piles(view, cards)), stage, message)
    message = _message(view, left + 4, y + 16, width - 8)
    above = svg.at(left, y - 122, *_piles(view, cards)), svg.at(0, -68, stage)
    return svg.group(*above, message)


def _piles(view: View, cards: Cards) -> Iterator[Markup]:
    """The draw pile, as thick as it is; the discard pile, with the last cards fanned."""
    for x in (0.0, 90.0):
        hollow = svg.rect(1, 1, french_svg.WIDTH - 2, french_svg.HEIGHT - 2, 8, fill="none")
        yield svg.group(svg.at(x, 0, hollow, scale=PILE_SCALE), stroke=MUTED, stroke_opacity=0.5)
    for layer in range((view.draw_pile + 11) // 12):
        yield svg.at(2 * layer, -2 * layer, cards.back(), scale=PILE_SCALE)
    for place, card in enumerate(view.discard_pile[-PEEKING:]):
        yield svg.at(90 + 24 * place, 0, cards.face(card), scale=PILE_SCALE)
    height = french_svg.HEIGHT * PILE_SCALE + 19
    yield svg.text(2, height, f"{view.draw_pile} to draw", 14, fill=MUTED)
    yield svg.text(92, height, f"{len(view.discard_pile)} discarded", 14, fill=MUTED)


def _message(view: View, x: float, y: float, width: float) -> Markup:
    """What the table waits for; under it what else is to be known, and the variant."""
    parts = []
    for content, size, look in (
        (captions.headline(view), 18, {"fill": CREAM, "font_weight": "bold"}),
        (" ".join(captions.remarks(view)), 14, {"fill": CREAM}),
        (captions.variant(view), 13, {"fill": MUTED, "font_style": "italic"}),
    ):
        lines = svg.lines_of(content, size, width)
        parts.append(svg.paragraph(x, y, lines, size, **look))
        y += svg.LEADING * size * len(lines) + 3
    return svg.group(*parts)
