"""How does a law tablet look? A slab of stone with three slots, each with a card and a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Box, Markup
from games.engines.law_of_the_dice import captions
from games.engines.law_of_the_dice.view import Law, Place, View

STONE: Final = ("#f1e9d8", "#cbbb98")
EDGE: Final = "#8d7a55"
ENGRAVED: Final = "#75633f"
BRONZE: Final = ("#b98748", "#7a4d1c")
NUMERALS: Final = ("I", "II", "III")

SCALE: Final = 0.6  # of the cards in the slots
CARD: Final = (french_svg.WIDTH * SCALE, french_svg.HEIGHT * SCALE)
GAP: Final = 15.0
TOP: Final = 22.0
TOKEN: Final = 15.0  # radius
WIDTH: Final = 3 * CARD[0] + 4 * GAP
HEIGHT: Final = TOP + CARD[1] + 28


def definitions(prefix: str) -> Markup:
    """The colours of stone and bronze; once a picture, before the first tablet."""
    stone = svg.gradient(f"{prefix}-stone", *STONE)
    return svg.element("defs", stone, svg.gradient(f"{prefix}-bronze", *BRONZE))


def tablet(view: View, cards: Cards, seat: int) -> Markup:
    """A player's three laws."""
    slab = svg.panel(Box(0, 0, WIDTH, HEIGHT), 7, fill=svg.paint(f"{cards.prefix}-stone"))
    bevel = svg.rect(3, 3, WIDTH - 6, HEIGHT - 6, 5, fill="none", stroke=EDGE, stroke_opacity=0.6)
    return svg.group(slab, bevel, *(_slot(view, cards, Place(seat, n)) for n in (1, 2, 3)))


def _slot(view: View, cards: Cards, place: Place) -> Markup:
    law = view.laws[place.seat][place.slot - 1]
    x = GAP + (place.slot - 1) * (CARD[0] + GAP)
    return svg.at(x, 0, *_niche(place.slot), *_law(view, cards, place, law))


def _niche(slot: int) -> Iterator[Markup]:
    """The engraved numeral over a hollow that a card fits in."""
    numeral = NUMERALS[slot - 1]
    letters = {"font_family": svg.SERIF, "font_weight": "bold"}
    yield svg.centred(CARD[0] / 2, 13, numeral, 13, fill="#fff", fill_opacity=0.8, **letters)
    yield svg.centred(CARD[0] / 2, 12.2, numeral, 13, fill=ENGRAVED, **letters)
    yield svg.rect(-1, TOP - 1, CARD[0] + 2, CARD[1] + 2, 6, fill="#8a7751", fill_opacity=0.55)
    yield svg.rect(0, TOP + 1, CARD[0] + 1, CARD[1], 6, fill="#fff", fill_opacity=0.25)


def _law(view: View, cards: Cards, place: Place, law: Law) -> Iterator[Markup]:
    if law.card:
        is_spent = place in captions.spent(view)
        face = svg.at(0, TOP, cards.face(law.card), scale=SCALE)
        yield svg.group(face, opacity=0.45) if is_spent else face
    if place in view.waiting:
        yield from _queued(view.waiting.index(place) + 1)
    yield svg.at(CARD[0] / 2, TOP + CARD[1] + 7, *_token(cards.prefix, law.number))


def _queued(rank: int) -> Iterator[Markup]:
    """A law that dice have triggered shines, and says when it comes."""
    yield svg.rect(
        -1, TOP - 1, CARD[0] + 2, CARD[1] + 2, 6, fill="none", stroke="#e08a00", stroke_width=4
    )
    yield svg.circle(CARD[0], TOP, 10, fill="#e08a00", stroke="#fff", stroke_width=1.5)
    yield svg.centred(CARD[0], TOP, str(rank), 13, fill="#fff", font_weight="bold")


def _token(prefix: str, number: int | None) -> Iterator[Markup]:
    """The number that sets the law off, or the hollow for it."""
    if number is None:
        yield svg.circle(0, 0, TOKEN - 2, fill="#b5a379", stroke=EDGE, stroke_dasharray="3 3")
        return
    yield svg.circle(0, 0, TOKEN, fill=svg.paint(f"{prefix}-bronze"), stroke="#4c2f0f")
    yield svg.circle(0, 0, TOKEN - 3, fill="none", stroke="#e9c48a", stroke_opacity=0.7)
    yield svg.centred(0, 0, str(number), 16, fill="#fff6e0", font_weight="bold")
