"""The cards of the Rainbow Deck as SVG: colour, number, letter with its value, poker suit and die.
Each is also shown by a sign or a word, so that colour vision is not needed."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from tabularium_engines.common import svg
from tabularium_engines.common.playing_card_svg import SUIT_OUTLINES
from tabularium_engines.common.svg import AttributeValue, Markup
from tabularium_engines.duel_of_law import cards as deck
from tabularium_engines.duel_of_law.status_text import CardPrint, print_of_card
from tabularium_engines.duel_of_law.view import Joker

CARD_WIDTH: Final = 76.0
CARD_HEIGHT: Final = 96.0
FRAME: Final = (1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, 7)  # a card without its edge
_FILLS: Final = (
    *("#b3202c", "#f9bdcb", "#b9520b", "#f8e27c", "#17653a", "#b4dea4"),
    *("#1c4590", "#b1d8f5", "#5d2a86", "#d8c0ec", "#23232a", "#ccd0d6"),
)
COLOUR_FILLS: Final = dict(zip(deck.COLOUR_NAMES, _FILLS, strict=True))
INK_BY_SHADE: Final = ("#ffffff", "#1d1a24")  # on dark cards and on light ones
PAPER_COLOUR: Final = "#fffdf3"
BACK_COLOURS: Final = ("#3b4a63", "#d9c79a")
GOLD_COLOUR: Final = "#ffc83d"
NAME_SIZE: Final = 9.5  # of the name of a colour …
LARGEST_NAME_SIZE: Final = 12.8  # … and at most, so that all names fit
LARGEST_SIZE_WITH_SIGNS: Final = 40.0  # of letters beside the suit and the die
SIGN_WIDTH: Final = 23.0  # of the suit or the die, from the edge of the card
HALF_LETTER_WIDTH: Final = 0.4  # at most, of the size of letters …
HALF_WIDE_LETTER_WIDTH: Final = 0.55  # … and of these
WIDE_LETTERS: Final = "MW"
CAP_HEIGHT: Final = 0.74  # of bold capitals and digits, of their size …
DESCENT: Final = 0.22  # … what a Q needs below the line …
BOLD_WIDTH: Final = 0.7  # … and the width of a digit
PIP_POSITIONS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def print_of_joker(joker: Joker) -> CardPrint:
    """The features of a joker on the tableau that are certain so far."""
    fixed = {one.feature: one.values[0] for one in joker.is_now if len(one.values) == 1}
    plain = print_of_card(joker.card)
    number = fixed.get("number") or fixed.get("rank")
    colour = fixed.get("colour", "")
    return CardPrint(
        corner=f"{joker.card} {number}" if number else joker.card,
        letter=fixed.get("letter", ""),
        value=fixed.get("letter_value", ""),
        poker=fixed.get("poker", ""),
        dice=plain.dice,
        colour=colour,
        name=f"{colour} joker" if colour else plain.name,
        shade=0 if colour in deck.COLOUR_NAMES[::2] else 1 if colour else plain.shade,
    )


class CardPainter(svg.Painter):
    """Draws cards that share the signs of one picture."""

    @svg.drawn_once
    def definitions(self) -> Markup:
        """The signs that cards are made of."""
        dice = (svg.group(*_die_parts(dots), id=self._id(f"d{dots}")) for dots in PIP_POSITIONS)
        outlines = {suit: SUIT_OUTLINES[suit[0].upper()] for suit in deck.POKER_SUITS}
        suits = (svg.path(outline, id=self._id(suit)) for suit, outline in outlines.items())
        back = svg.group(*_back_parts(), id=self._id("back"))
        wheel = svg.group(*_colour_wheel(), id=self._id("wheel"))
        return svg.element("defs", *dice, *suits, back, wheel)

    @svg.drawn_once
    def face(
        self,
        card: str,
        joker: Joker | None = None,
        is_new: bool = False,
        smallest: float = NAME_SIZE,
    ) -> Markup:
        """A card face up; a joker with its fixed features; a new card framed. Letters are at least
        of the `smallest` size, and those that are then too large for the card are left out."""
        shown = print_of_joker(joker) if joker is not None else print_of_card(card)
        is_wild = deck.is_joker(deck.CARD_CODES.index(card))
        blank = self._blank_card(shown, is_wild, is_new)
        parts = self._parts if smallest <= LARGEST_NAME_SIZE else self._large_parts
        return svg.group(blank, *parts(shown, is_wild, smallest), data_card=card)

    def _blank_card(self, shown: CardPrint, is_wild: bool, is_new: bool) -> Markup:
        fill = COLOUR_FILLS.get(shown.colour, PAPER_COLOUR)
        edge = {"stroke": GOLD_COLOUR, "stroke_width": 5} if is_new else {"stroke": "#0d1117"}
        dashes = "5 3" if is_wild and not is_new else None
        return svg.rect(*FRAME, fill=fill, stroke_dasharray=dashes, **edge)

    def _large_parts(self, shown: CardPrint, is_wild: bool, smallest: float) -> Iterator[Markup]:
        """Number, letter and signs, each if there is room for it."""
        look: dict[str, AttributeValue] = {"fill": _ink(shown), "font_weight": "bold"}
        size, letter = max(17.0, smallest), max(31.0, smallest)
        top = 3.0
        if corner := _fitting_corner(shown.corner, size):
            yield svg.text(4, 3 + size, corner, size, **look)
            top += size * (1 + DESCENT)
        middle = CARD_WIDTH / 2, (top + CARD_HEIGHT) / 2 - 1
        has_room = top + CAP_HEIGHT * letter < CARD_HEIGHT - 3 and letter < CARD_WIDTH - 6
        if shown.letter and has_room:
            yield svg.centred_text(middle[0], middle[1], shown.letter, letter, **look)
        elif is_wild and size <= LARGEST_SIZE_WITH_SIGNS:
            yield svg.use(self._id("wheel"), *middle)
        is_wide = shown.letter in WIDE_LETTERS and shown.letter != ""
        half = letter * (HALF_WIDE_LETTER_WIDTH if is_wide else HALF_LETTER_WIDTH)
        if size <= LARGEST_SIZE_WITH_SIGNS and half + SIGN_WIDTH <= CARD_WIDTH / 2:
            yield from self._signs(shown)

    def _signs(self, shown: CardPrint) -> Iterator[Markup]:
        """The suit and the die in the lower corners."""
        if shown.poker:
            ink = _ink(shown)
            yield svg.use(self._id(shown.poker), 14, CARD_HEIGHT - 14, 0.85, fill=ink)
        yield svg.use(self._id(f"d{shown.dice}"), CARD_WIDTH - 14, CARD_HEIGHT - 14)

    def _parts(self, shown: CardPrint, is_wild: bool, smallest: float) -> Iterator[Markup]:
        ink = _ink(shown)
        yield svg.text(7, 20, shown.corner, 17, fill=ink, font_weight="bold")
        if shown.letter:
            middle = CARD_WIDTH / 2 - 3
            yield svg.centred_text(middle, 45, shown.letter, 31, fill=ink, font_weight="bold")
        elif is_wild:
            yield svg.use(self._id("wheel"), CARD_WIDTH / 2, 45)
        if shown.value:
            yield svg.text(CARD_WIDTH / 2 + 16, 61, shown.value, max(12.0, smallest), fill=ink)
        if shown.poker:
            yield svg.use(self._id(shown.poker), 14, 71, 0.85, fill=ink)
        yield svg.use(self._id(f"d{shown.dice}"), CARD_WIDTH - 15, 71)
        yield svg.centred_text(CARD_WIDTH / 2, CARD_HEIGHT - 9, shown.name, smallest, fill=ink)


def _ink(shown: CardPrint) -> str:
    """The colour of the letters on a card."""
    return INK_BY_SHADE[shown.shade] if shown.colour else INK_BY_SHADE[1]


def _fitting_corner(corner: str, size: float) -> str:
    """The number in the corner of a card if it fits; of a joker perhaps without its name."""
    for text in (corner, corner.rpartition(" ")[2]):
        if len(text) * size * BOLD_WIDTH <= CARD_WIDTH - 16:
            return text
    return ""


def _die_parts(dots: int) -> Iterator[Markup]:
    """A die around (0, 0)."""
    yield svg.rect(-9, -9, 18, 18, 4, fill="#ffffff", stroke="#1d1a24", stroke_width=1)
    for right, down in PIP_POSITIONS[dots]:
        yield svg.circle(right * 4.6, down * 4.6, 1.9, fill="#1d1a24")


def _back_parts() -> Iterator[Markup]:
    """The chequered back of the deck, two by three."""
    dark, light = BACK_COLOURS
    yield svg.rect(*FRAME, fill=dark, stroke=light, stroke_width=3)
    width, height = (CARD_WIDTH - 12) / 2, (CARD_HEIGHT - 12) / 3
    for row in range(3):
        x, y = 6 + (row % 2) * (CARD_WIDTH - 12) / 2, 6 + row * (CARD_HEIGHT - 12) / 3
        yield svg.rect(x, y, width, height, 2, fill=light)


def _colour_wheel() -> Iterator[Markup]:
    """All colours in a circle around (0, 0)."""
    for place, fill in enumerate(COLOUR_FILLS.values()):
        ends = [(place + step) * pi / 6 for step in (0, 1)]
        rim = ((17 * sin(turn), -17 * cos(turn)) for turn in ends)
        first, last = (f"{svg.format_number(x)} {svg.format_number(y)}" for x, y in rim)
        yield svg.path(f"M0 0L{first}A17 17 0 0 1 {last}Z", fill=fill)
    yield svg.circle(0, 0, 17, fill="none", stroke="#1d1a24")
