"""The picture of the whole table as SVG: the other players in a line at the top, clockwise from the
left, then the round, the four rows, and the viewer with the drawn card at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.english_text import pluralize
from games.engines.common.svg import Box, Markup
from games.engines.duel_edged_sword import card_svg, rows_svg, status_text
from games.engines.duel_edged_sword.card_svg import CardPainter
from games.engines.duel_edged_sword.cards import COMPLETE_CODES, KIND_CODES
from games.engines.duel_edged_sword.player_svg import (
    MUTED_TEXT_COLOUR,
    PADDING,
    PANEL_COLOUR,
    PANEL_HEIGHT,
    SLOT_WIDTH,
    TEXT_COLOUR,
    panel,
)
from games.engines.duel_edged_sword.view import View

MARGIN: Final = 24.0
PANEL_GAP: Final = 14.0
COLUMN_WIDTH: Final = 2 * PADDING + 11 * SLOT_WIDTH  # the width of a player's panel
INNER_WIDTH: Final = 3 * COLUMN_WIDTH + 2 * PANEL_GAP
STORY_HEIGHT: Final = 76.0  # of the round's description
PICTURE_WIDTH: Final = INNER_WIDTH + 2 * MARGIN
STORY_TOP: Final = MARGIN + PANEL_HEIGHT + PANEL_GAP
ROWS_TOP: Final = STORY_TOP + STORY_HEIGHT + PANEL_GAP
OWN_TOP: Final = ROWS_TOP + rows_svg.ROWS_HEIGHT + PANEL_GAP
PICTURE_SIZE: Final = (PICTURE_WIDTH, OWN_TOP + PANEL_HEIGHT + MARGIN)
CLOTH_COLOURS: Final = ("#39447a", "#232a52")
FRAME_COLOUR: Final = "#11162c"


def draw_table(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.id_prefix(description)
    cards = CardPainter(prefix)
    return svg.document(
        PICTURE_SIZE,
        prefix,
        status_text.title(view),
        description,
        cards.definitions(),
        svg.element("defs", svg.gradient(f"{prefix}-cloth", *CLOTH_COLOURS)),
        _table_top(prefix),
        *_players(view, cards),
        *_story(view, cards),
        rows_svg.draw_rows(view, cards, Box(MARGIN, ROWS_TOP, INNER_WIDTH, rows_svg.ROWS_HEIGHT)),
        *_viewer_side(view, cards),
    )


def _table_top(prefix: str) -> Markup:
    width, height = PICTURE_SIZE
    frame = svg.rect(0, 0, width, height, 22, fill=FRAME_COLOUR)
    cloth = svg.rect(7, 7, width - 14, height - 14, 17, fill=svg.gradient_fill(f"{prefix}-cloth"))
    return svg.group(frame, cloth)


def _players(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The other players side by side at the top, and the viewer at the bottom in the middle."""
    own, *others = status_text.seat_order(view)
    for place, seat in enumerate(others):
        yield panel(view, cards, seat, Box(_column_x(place), MARGIN, COLUMN_WIDTH, PANEL_HEIGHT))
    yield panel(view, cards, own, Box(_column_x(1), OWN_TOP, COLUMN_WIDTH, PANEL_HEIGHT))


def _column_x(place: int) -> float:
    return MARGIN + place * (COLUMN_WIDTH + PANEL_GAP)


# -- the round ------------------------------------------------------------------------------------


def _story(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The flipped card, the round and the remarks at the left, the variant at the right."""
    scale = STORY_HEIGHT / card_svg.CARD_HEIGHT
    yield svg.transform(MARGIN, STORY_TOP, cards.face(view.flipped), scale=scale)
    left = MARGIN + card_svg.CARD_WIDTH * scale + PANEL_GAP
    said = [status_text.round_heading(view), " ".join(status_text.remarks(view))]
    yield from _bold_then_plain(
        said, Box(left, STORY_TOP + 24, _column_x(2) - left - PANEL_GAP, STORY_HEIGHT)
    )
    variant = svg.wrap_text(status_text.variant_text(view.options), 13, 0.9 * COLUMN_WIDTH)
    look = {"fill": MUTED_TEXT_COLOUR, "font_style": "italic"}
    yield svg.paragraph(_column_x(2), STORY_TOP + 24, variant, 13, **look)


def _bold_then_plain(said: list[str], area: Box) -> Iterator[Markup]:
    """Stacked sentences, the first one bold."""
    y = area.y
    for content, size, weight in zip(said, (16.0, 14.0), ("bold", None), strict=True):
        lines = svg.wrap_text(content, size, (0.84 if weight else 0.9) * area.width)
        yield svg.paragraph(area.x, y, lines, size, fill=TEXT_COLOUR, font_weight=weight)
        y += svg.LINE_SPACING * size * len(lines) + 4


# -- left and right of the viewer -----------------------------------------------------------------


def _viewer_side(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The headline and the drawn card at the left, the unseen cards at the right."""
    scale = PANEL_HEIGHT / card_svg.CARD_HEIGHT
    wide = COLUMN_WIDTH
    if view.card is not None:
        wide -= card_svg.CARD_WIDTH * scale + PANEL_GAP
        yield svg.transform(MARGIN + wide + PANEL_GAP, OWN_TOP, cards.face(view.card), scale=scale)
    lines = svg.wrap_text(status_text.headline(view), 19, 0.84 * wide)
    y = OWN_TOP + PANEL_HEIGHT / 2 - 12 * (len(lines) - 1) + 6
    look = {"fill": card_svg.GILT_COLOUR, "font_weight": "bold"}
    yield svg.paragraph(MARGIN + 8, y, lines, 19, **look)
    yield svg.transform(_column_x(2), OWN_TOP, *_unseen_cards(view, cards))


def _unseen_cards(view: View, cards: CardPainter) -> Iterator[Markup]:
    """The number of cards of each kind that the viewer has not seen."""
    left = status_text.unseen_counts(view)
    number = sum(left[card] for card in COMPLETE_CODES)
    yield svg.rect(0, 0, COLUMN_WIDTH, PANEL_HEIGHT, 10, fill=PANEL_COLOUR, fill_opacity=0.4)
    yield svg.text(PADDING, 26, "Not yet seen", 15, fill=TEXT_COLOUR, font_weight="bold")
    piles = sum(player.pile for player in view.players)
    words = f"{piles} cards in the piles"
    if view.aside:
        words += f", {view.aside} aside"
    yield svg.text(PADDING, 48, words, 14, fill=MUTED_TEXT_COLOUR)
    completes = pluralize(number, "Complete")
    yield svg.text(PADDING, 72, f"{completes}, and of the edges", 14, fill=TEXT_COLOUR)
    for place, kind in enumerate(KIND_CODES):
        x = PADDING + SLOT_WIDTH * (place + 0.5)
        look = {} if left[kind] else {"opacity": 0.35}
        yield svg.group(cards.symbol(kind, x, 104, 23), **look)
        yield svg.centred_text(x, 134, str(left[kind]), 14, fill=TEXT_COLOUR)
