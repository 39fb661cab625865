"""Cards of Law of the Dice as SVG: playing cards that tell their powers, along the edge that stays
visible in a hand."""

from __future__ import annotations

from typing import Final

from tabularium_engines.common import playing_cards, svg
from tabularium_engines.common.playing_card_svg import CARD_HEIGHT, SUIT_COLOURS, CardPainter
from tabularium_engines.common.svg import Markup
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.view import card_number

POWER_NAMES: Final = {
    "2": "draw two",
    "3": "number ±1",
    "4": "steal",
    "5": "swap numbers",
    "6": "discard",
    "7": "take top",
    "8": "swap cards",
}
NAME_X, NAME_Y, NAME_SIZE = 9.0, 50.0, 12.0  # below the index, read downwards
NAME_ROOM: Final = CARD_HEIGHT - 8 - NAME_Y
LETTER_WIDTH: Final = 0.62  # of a wide typeface, of the size of letters


class PowerCardPainter(CardPainter):
    """Draws playing cards with the name of their power, or of their die."""

    @svg.drawn_once
    def face(self, card: str) -> Markup:
        name = power_name(card)
        excess = LETTER_WIDTH * NAME_SIZE * len(name) - NAME_ROOM
        look = {"letter_spacing": round(-excess / len(name), 2)} if excess > 0 else {}
        name = svg.text(0, 0, name, NAME_SIZE, fill=SUIT_COLOURS[card[-1]], **look)
        along_edge = svg.transform(NAME_X, NAME_Y, name, turn=90)
        return svg.group(super().face(card), along_edge)

    def open_face(self, card: str) -> Markup:
        """A card on the tablet or on a pile."""
        return self.face(card)


class LargePrintPainter(PowerCardPainter):
    """Draws cards on tablets and piles without small print."""

    def open_face(self, card: str) -> Markup:
        return self.thumb(card)


def power_name(card: str) -> str:
    """The power of a card in a word or two, or its die."""
    number = card_number(card)
    die = die_of(number)
    return (
        f"d{die}" if die else POWER_NAMES[playing_cards.RANK_SIGNS[playing_cards.rank_of(number)]]
    )
