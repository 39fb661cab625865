"""How does the whole table look? The others in a line at the top, clockwise from the left, then the
round, the four rows, and the viewer with the drawn card at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Box, Markup
from games.engines.duel_edged_sword import captions, gnomon_svg, rows_svg
from games.engines.duel_edged_sword.cards import COMPLETE_CODES, KIND_CODES
from games.engines.duel_edged_sword.gnomon_svg import Cards
from games.engines.duel_edged_sword.news import plural
from games.engines.duel_edged_sword.player_svg import BOARD, CREAM, MUTED, PAD, SLOT, TALL, panel
from games.engines.duel_edged_sword.view import View

MARGIN: Final = 24.0
GAP: Final = 14.0
COLUMN: Final = 2 * PAD + 11 * SLOT  # the width of a player's panel
INNER: Final = 3 * COLUMN + 2 * GAP
STORY: Final = 76.0  # the height of what is said of the round
WIDTH: Final = INNER + 2 * MARGIN
STORY_TOP: Final = MARGIN + TALL + GAP
ROWS_TOP: Final = STORY_TOP + STORY + GAP
OWN_TOP: Final = ROWS_TOP + rows_svg.ALL + GAP
SIZE: Final = (WIDTH, OWN_TOP + TALL + MARGIN)
CLOTH: Final = ("#39447a", "#232a52")
FRAME: Final = "#11162c"


def draw(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.prefix_of(description)
    cards = Cards(prefix)
    return svg.document(
        SIZE,
        prefix,
        captions.title(view),
        description,
        cards.definitions(),
        svg.element("defs", svg.gradient(f"{prefix}-cloth", *CLOTH)),
        _table(prefix),
        *_players(view, cards),
        *_story(view, cards),
        rows_svg.rows(view, cards, Box(MARGIN, ROWS_TOP, INNER, rows_svg.ALL)),
        *_own(view, cards),
    )


def _table(prefix: str) -> Markup:
    width, height = SIZE
    frame = svg.rect(0, 0, width, height, 22, fill=FRAME)
    cloth = svg.rect(7, 7, width - 14, height - 14, 17, fill=svg.paint(f"{prefix}-cloth"))
    return svg.group(frame, cloth)


def _players(view: View, cards: Cards) -> Iterator[Markup]:
    """The others side by side, and the viewer in the middle below."""
    own, *others = captions.order(view)
    for place, seat in enumerate(others):
        yield panel(view, cards, seat, Box(_column(place), MARGIN, COLUMN, TALL))
    yield panel(view, cards, own, Box(_column(1), OWN_TOP, COLUMN, TALL))


def _column(place: int) -> float:
    return MARGIN + place * (COLUMN + GAP)


# -- the round ------------------------------------------------------------------------------------


def _story(view: View, cards: Cards) -> Iterator[Markup]:
    """The flipped card and what it means; beside it how the match goes."""
    scale = STORY / gnomon_svg.HEIGHT
    yield svg.at(MARGIN, STORY_TOP, cards.face(view.flipped), scale=scale)
    left = MARGIN + gnomon_svg.WIDTH * scale + GAP
    said = [captions.heading(view), " ".join(captions.remarks(view))]
    yield from _lines(said, Box(left, STORY_TOP + 24, _column(2) - left - GAP, STORY))
    variant = svg.lines_of(captions.variant(view.options), 13, 0.9 * COLUMN)
    look = {"fill": MUTED, "font_style": "italic"}
    yield svg.paragraph(_column(2), STORY_TOP + 24, variant, 13, **look)


def _lines(said: list[str], area: Box) -> Iterator[Markup]:
    """Sentences below each other, the first one bold."""
    y = area.y
    for content, size, weight in zip(said, (16.0, 14.0), ("bold", None), strict=True):
        lines = svg.lines_of(content, size, (0.84 if weight else 0.9) * area.width)
        yield svg.paragraph(area.x, y, lines, size, fill=CREAM, font_weight=weight)
        y += svg.LEADING * size * len(lines) + 4


# -- beside the viewer ----------------------------------------------------------------------------


def _own(view: View, cards: Cards) -> Iterator[Markup]:
    """What the table waits for and the drawn card at the left, what is to come at the right."""
    scale = TALL / gnomon_svg.HEIGHT
    wide = COLUMN
    if view.card is not None:
        wide -= gnomon_svg.WIDTH * scale + GAP
        yield svg.at(MARGIN + wide + GAP, OWN_TOP, cards.face(view.card), scale=scale)
    lines = svg.lines_of(captions.headline(view), 19, 0.84 * wide)
    y = OWN_TOP + TALL / 2 - 12 * (len(lines) - 1) + 6
    look = {"fill": gnomon_svg.GILT, "font_weight": "bold"}
    yield svg.paragraph(MARGIN + 8, y, lines, 19, **look)
    yield svg.at(_column(2), OWN_TOP, *_to_come(view, cards))


def _to_come(view: View, cards: Cards) -> Iterator[Markup]:
    """How many of each kind the viewer has not seen."""
    left = captions.to_come(view)
    number = sum(left[card] for card in COMPLETE_CODES)
    yield svg.rect(0, 0, COLUMN, TALL, 10, fill=BOARD, fill_opacity=0.4)
    yield svg.text(PAD, 26, "Not yet seen", 15, fill=CREAM, font_weight="bold")
    piles = sum(player.pile for player in view.players)
    words = f"{piles} cards in the piles"
    if view.aside:
        words += f", {view.aside} aside"
    yield svg.text(PAD, 48, words, 14, fill=MUTED)
    completes = plural(number, "Complete")
    yield svg.text(PAD, 72, f"{completes}, and of the edges", 14, fill=CREAM)
    for place, kind in enumerate(KIND_CODES):
        x = PAD + SLOT * (place + 0.5)
        look = {} if left[kind] else {"opacity": 0.35}
        yield svg.group(cards.symbol(kind, x, 104, 23), **look)
        yield svg.centred(x, 134, str(left[kind]), 14, fill=CREAM)
