"""A player's law tablet as SVG: a slab of stone with three slots, each with a card and a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import playing_card_svg, svg
from games.engines.common.playing_card_svg import CardPainter
from games.engines.common.svg import AttributeValue, Box, Markup
from games.engines.law_of_the_dice import status_text
from games.engines.law_of_the_dice.view import Law, Place, View

STONE_COLOURS: Final = ("#f1e9d8", "#cbbb98")
EDGE_COLOUR: Final = "#8d7a55"
ENGRAVED_COLOUR: Final = "#75633f"
BRONZE_COLOURS: Final = ("#b98748", "#7a4d1c")
QUEUE_COLOUR: Final = "#e08a00"
SLOT_NUMERALS: Final = ("I", "II", "III")

CARD_SCALE: Final = 0.6  # of the cards in the slots
CARD_WIDTH: Final = playing_card_svg.CARD_WIDTH * CARD_SCALE
CARD_HEIGHT: Final = playing_card_svg.CARD_HEIGHT * CARD_SCALE
SLOT_GAP: Final = 15.0
CARD_TOP: Final = 22.0
TOKEN_RADIUS: Final = 15.0
TABLET_WIDTH: Final = 3 * CARD_WIDTH + 4 * SLOT_GAP
TABLET_HEIGHT: Final = CARD_TOP + CARD_HEIGHT + 28


def definitions(prefix: str) -> Markup:
    """The colours of stone and bronze; include them once per picture, before the first tablet."""
    stone = svg.gradient(f"{prefix}-stone", *STONE_COLOURS)
    return svg.element("defs", stone, svg.gradient(f"{prefix}-bronze", *BRONZE_COLOURS))


def tablet(view: View, cards: CardPainter, seat: int) -> Markup:
    """A player's three laws."""
    stone = svg.gradient_fill(f"{cards.prefix}-stone")
    slab = svg.panel(Box(0, 0, TABLET_WIDTH, TABLET_HEIGHT), 7, fill=stone)
    look = {"fill": "none", "stroke": EDGE_COLOUR, "stroke_opacity": "0.6"}
    bevel = svg.rect(3, 3, TABLET_WIDTH - 6, TABLET_HEIGHT - 6, 5, **look)
    return svg.group(slab, bevel, *(_slot(view, cards, Place(seat, n)) for n in (1, 2, 3)))


def _slot(view: View, cards: CardPainter, place: Place) -> Markup:
    law = view.laws[place.seat][place.slot - 1]
    x = SLOT_GAP + (place.slot - 1) * (CARD_WIDTH + SLOT_GAP)
    return svg.transform(x, 0, *_niche(place.slot), *_law_parts(view, cards, place, law))


def _niche(slot: int) -> Iterator[Markup]:
    """The engraved numeral over a card-sized hollow."""
    numeral, middle = SLOT_NUMERALS[slot - 1], CARD_WIDTH / 2
    letters = {"font_family": svg.SERIF_FONTS, "font_weight": "bold"}
    yield svg.centred_text(middle, 13, numeral, 13, fill="#fff", fill_opacity=0.8, **letters)
    yield svg.centred_text(middle, 12.2, numeral, 13, fill=ENGRAVED_COLOUR, **letters)
    yield _frame(fill="#8a7751", fill_opacity=0.55)
    light = {"fill": "#fff", "fill_opacity": "0.25"}
    yield svg.rect(0, CARD_TOP + 1, CARD_WIDTH + 1, CARD_HEIGHT, 6, **light)


def _frame(**look: AttributeValue) -> Markup:
    """A rectangle slightly larger than the card in it."""
    return svg.rect(-1, CARD_TOP - 1, CARD_WIDTH + 2, CARD_HEIGHT + 2, 6, **look)


def _law_parts(view: View, cards: CardPainter, place: Place, law: Law) -> Iterator[Markup]:
    if law.card:
        is_spent = place in status_text.fired_places(view)
        face = svg.transform(0, CARD_TOP, cards.face(law.card), scale=CARD_SCALE)
        yield svg.group(face, opacity=0.45) if is_spent else face
    if place in view.waiting:  # highlighted, with its rank in the queue
        rank = str(view.waiting.index(place) + 1)
        yield _frame(fill="none", stroke=QUEUE_COLOUR, stroke_width=4)
        yield svg.circle(
            CARD_WIDTH, CARD_TOP, 10, fill=QUEUE_COLOUR, stroke="#fff", stroke_width=1.5
        )
        yield svg.centred_text(CARD_WIDTH, CARD_TOP, rank, 13, fill="#fff", font_weight="bold")
    token = _number_token(cards.prefix, law.number)
    yield svg.transform(CARD_WIDTH / 2, CARD_TOP + CARD_HEIGHT + 7, *token)


def _number_token(prefix: str, number: int | None) -> Iterator[Markup]:
    """The number that triggers the law, or an empty hollow."""
    if number is None:
        hollow = {"fill": "#b5a379", "stroke": EDGE_COLOUR, "stroke_dasharray": "3 3"}
        yield svg.circle(0, 0, TOKEN_RADIUS - 2, **hollow)
        return
    bronze = svg.gradient_fill(f"{prefix}-bronze")
    yield svg.circle(0, 0, TOKEN_RADIUS, fill=bronze, stroke="#4c2f0f")
    yield svg.circle(0, 0, TOKEN_RADIUS - 3, fill="none", stroke="#e9c48a", stroke_opacity=0.7)
    yield svg.centred_text(0, 0, str(number), 16, fill="#fff6e0", font_weight="bold")
