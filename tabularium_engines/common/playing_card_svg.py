"""Playing cards of the French deck as SVG. Suits and ranks are outlines and strokes, not glyphs of
a font, so that a card looks the same everywhere; a suit's shape identifies it, its colour only
helps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tabularium_engines.common import svg
from tabularium_engines.common.svg import Markup

CARD_WIDTH: Final = 100.0
CARD_HEIGHT: Final = 140.0
PAPER_COLOUR: Final = "#fffdf6"
SUIT_COLOURS: Final = {"S": "#1b2130", "H": "#c21f2b", "D": "#1d5fb4", "C": "#14693b"}
BACK_COLOUR: Final = "#6d2230"
GOLD_COLOUR: Final = "#dfb668"

# Each around (0, 0) and about 20 high.
SUIT_OUTLINES: Final = {
    "S": "M0-10C2.6-5.4 9-2.4 9 2.9C9 6 7 7.6 4.9 7.6C3.2 7.6 1.6 6.7.9 5.2C1.1 7.2 1.9 8.9 3.6 9.8"
    "H-3.6C-1.9 8.9-1.1 7.2-.9 5.2C-1.6 6.7-3.2 7.6-4.9 7.6C-7 7.6-9 6-9 2.9C-9-2.4-2.6-5.4 0-10Z",
    "H": "M0 9.8C-2.8 4.8-9.4 1.4-9.4-4.3C-9.4-7.6-7.2-9.4-4.8-9.4C-2.4-9.4-.6-7.9 0-5.6"
    "C.6-7.9 2.4-9.4 4.8-9.4C7.2-9.4 9.4-7.6 9.4-4.3C9.4 1.4 2.8 4.8 0 9.8Z",
    "D": "M0-10.4C2-6.6 4.9-2.9 7.8 0C4.9 2.9 2 6.6 0 10.4"
    "C-2 6.6-4.9 2.9-7.8 0C-4.9-2.9-2-6.6 0-10.4Z",
    "C": "M-4.3-5.3a4.3 4.3 0 1 1 8.6 0a4.3 4.3 0 1 1-8.6 0ZM-9.4 2.4a4.3 4.3 0 1 1 8.6 0"
    "a4.3 4.3 0 1 1-8.6 0ZM.8 2.4a4.3 4.3 0 1 1 8.6 0a4.3 4.3 0 1 1-8.6 0Z"
    "M-2-3H2L2.6 2.6H.9C1.1 6 1.9 8.6 3.7 9.8H-3.7C-1.9 8.6-1.1 6-.9 2.6H-2.6Z",
}

# Each around (0, 0), 18 high and at most 15 wide.
RANK_STROKES: Final = {
    "2": "M-4.9-4.6C-4.6-10.6 5.1-10.4 4.9-4.2C4.7-.6-1.6 3-5.2 8.6H5.4",
    "3": "M-4.6-8.6H4.7L-.8-1.9C7.6-2.4 7.2 8.9-.4 8.9C-3.2 8.9-5 7.6-5.4 5.6",
    "4": "M2.6 9V-8.8L-5.9 4H6",
    "5": "M4.5-8.6H-3.7L-4.4-.9C-1.2-3.4 5.5-2.6 5.4 3C5.3 9.9-3.6 10.7-5.3 5.9",
    "6": "M4.3-7.2C.4-11.2-5.4-6.6-5.4 2.4C-5.4 11.2 5.4 11 5.4 3.3C5.4-4-4.6-3.6-5.3 3.2",
    "7": "M-5.2-8.6H5.3C1.4-3-1.2 2.6-1.7 9",
    "8": "M0-.9C-5.9-1.7-5.6-9 0-9C5.6-9 5.9-1.7 0-.9C-7.4 0-7 9 0 9C7 9 7.4 0 0-.9Z",
    "9": "M-4.3 7.2C-.4 11.2 5.4 6.6 5.4-2.4C5.4-11.2-5.4-11-5.4-3.3C-5.4 4 4.6 3.6 5.3-3.2",
    "10": "M-7.6-5.8L-4.5-8.8V9M3.6-9C9.3-9 9.3 9 3.6 9C-2.1 9-2.1-9 3.6-9Z",
    "J": "M-1.8-8.8H3.3V3.6C3.3 10.4-4.9 10.6-5.1 4.2",
    "Q": "M0-9C8.2-9 8.2 9 0 9C-8.2 9-8.2-9 0-9ZM1.2 4.2L5.9 9.8",
    "K": "M-4.7-9V9M5-9L-4.5 2.2M-1.3-1.4L5.4 9",
    "A": "M-6.1 9L0-9L6.1 9M-3.9 3.2H3.9",
}

CROWN_OUTLINES: Final = {
    "K": "M-13 7L-15-5L-7 0L0-9L7 0L15-5L13 7Z",
    "Q": "M-12 7L-15-4C-11-1-8-2-6-6C-4-1-2-1 0-8C2-1 4-1 6-6C8-2 11-1 15-4L12 7Z",
    "J": "M-12 7V3C-12-3-7-6-1.6-6.4V-10H1.6V-6.4C7-6 12-3 12 3V7Z",
}

SIDE_PIP_XS: Final = (34.5, 65.5)
MIDDLE_X: Final = 50.0
FIRST_PIP_Y, LAST_PIP_Y = 27.0, 113.0
FOUR_PIPS: Final = tuple((x, y) for y in (0.0, 1.0) for x in SIDE_PIP_XS)
SIX_PIPS: Final = (*FOUR_PIPS, (SIDE_PIP_XS[0], 0.5), (SIDE_PIP_XS[1], 0.5))
EIGHT_PIPS: Final = tuple((x, row / 3) for row in range(4) for x in SIDE_PIP_XS)

# The positions of the pips: x on the card, and the fraction of the way from first to last row.
PIP_POSITIONS: Final = {
    "2": ((MIDDLE_X, 0.0), (MIDDLE_X, 1.0)),
    "3": ((MIDDLE_X, 0.0), (MIDDLE_X, 0.5), (MIDDLE_X, 1.0)),
    "4": FOUR_PIPS,
    "5": (*FOUR_PIPS, (MIDDLE_X, 0.5)),
    "6": SIX_PIPS,
    "7": (*SIX_PIPS, (MIDDLE_X, 0.25)),
    "8": (*SIX_PIPS, (MIDDLE_X, 0.25), (MIDDLE_X, 0.75)),
    "9": (*EIGHT_PIPS, (MIDDLE_X, 0.5)),
    "10": (*EIGHT_PIPS, (MIDDLE_X, 1 / 6), (MIDDLE_X, 5 / 6)),
}


class CardPainter(svg.Painter):
    """Draws cards of 100 by 140 units, top left corner at (0, 0), from its own definitions."""

    @svg.drawn_once
    def definitions(self) -> Markup:
        """The shared parts of all cards; include them once per picture, before the first card."""
        suits = (svg.path(d, id=self._id(s), fill="currentColor") for s, d in SUIT_OUTLINES.items())
        # a rank's colour and stroke width are set where it is used
        look = {"fill": "none", "stroke": "currentColor"}
        look |= {"stroke_linecap": "round", "stroke_linejoin": "round"}
        ranks = (svg.path(d, id=self._id(r), **look) for r, d in RANK_STROKES.items())
        sheet = svg.group(_blank_card(), id=self._id("sheet"))
        back = svg.group(*_back_parts(), id=self._id("back"))
        return svg.element("defs", *suits, *ranks, sheet, back)

    @svg.drawn_once
    def face(self, card: str) -> Markup:
        """A card in full, such as "7S" or "10H"."""
        rank, suit = card[:-1], card[-1]
        return self._card(card, self._indices(rank, suit), *self._centre_parts(rank, suit))

    @svg.drawn_once
    def thumb(self, card: str) -> Markup:
        """A card for small sizes and overlaps: rank and suit, large."""
        rank, suit = card[:-1], card[-1]
        index = self._rank_mark(rank, 25, 32, 1.9), self._suit_mark(suit, 25, 74, 1.6)
        return self._card(card, *index, self._suit_mark(suit, 67, 103, 2.5))

    @svg.drawn_once
    def back(self) -> Markup:
        """The back of a card."""
        return svg.element("use", href=f"#{self._id('back')}")

    def suit(self, suit: str, x: float, y: float, scale: float = 1) -> Markup:
        """A suit symbol ("S") centred at (x, y), 20 units high at scale 1."""
        return svg.group(self._suit_mark(suit, x, y, scale), color=SUIT_COLOURS[suit])

    # -- parts of a face ----------------------------------------------------------------------

    def _card(self, card: str, *parts: str) -> Markup:
        sheet = svg.element("use", href=f"#{self._id('sheet')}")
        return svg.group(sheet, *parts, data_card=card, color=SUIT_COLOURS[card[-1]])

    def _indices(self, rank: str, suit: str) -> Markup:
        """Rank over suit in one corner, and upside down in the opposite one."""
        corner = self._rank_mark(rank, 13, 18, 0.95), self._suit_mark(suit, 13, 38, 0.75)
        return svg.group(*corner, svg.transform(CARD_WIDTH, CARD_HEIGHT, *corner, turn=180))

    def _centre_parts(self, rank: str, suit: str) -> Iterator[Markup]:
        if rank in PIP_POSITIONS:
            yield from self._pips(rank, suit)
        elif rank in CROWN_OUTLINES:
            yield from self._figure(rank, suit)
        else:
            yield self._suit_mark(suit, MIDDLE_X, CARD_HEIGHT / 2, 2.9)

    def _pips(self, rank: str, suit: str) -> Iterator[Markup]:
        for x, down in PIP_POSITIONS[rank]:
            y = FIRST_PIP_Y + (LAST_PIP_Y - FIRST_PIP_Y) * down
            yield self._suit_mark(suit, x, y, 0.88, turn=180 if down > 0.5 else 0)

    def _figure(self, rank: str, suit: str) -> Iterator[Markup]:
        """A framed capital, inlaid, under its crown."""
        colour = SUIT_COLOURS[suit]
        frame = {"fill": colour, "fill_opacity": "0.08", "stroke": colour}
        yield svg.rect(26, 16, 48, 108, 4, **frame)
        crown = svg.path(CROWN_OUTLINES[rank]), svg.rect(-13, 9, 26, 3)
        yield svg.group(svg.transform(MIDDLE_X, 36, *crown), fill=colour)
        yield self._rank_mark(rank, MIDDLE_X, 74, 2.1, width=3.4)
        yield svg.group(self._rank_mark(rank, MIDDLE_X, 74, 2.1, width=0.7), color=PAPER_COLOUR)
        yield self._suit_mark(suit, MIDDLE_X, 111, 0.8)

    def _rank_mark(self, rank: str, x: float, y: float, scale: float, width: float = 2.9) -> Markup:
        return svg.use(self._id(rank), x, y, scale, stroke_width=width)

    def _suit_mark(self, suit: str, x: float, y: float, scale: float, turn: float = 0) -> Markup:
        return svg.use(self._id(suit), x, y, scale, turn)


def seen_mark(colour: str, x: float, y: float) -> tuple[Markup, Markup]:
    """The mark of a hidden card that the viewer has seen: a frame, and an eye at (x, y)."""
    frame = svg.rect(2, 2, 96, 136, 8, fill="none", stroke=colour, stroke_width=6)
    lid = svg.path("M-11 0Q0-14 11 0Q0 14-11 0Z", fill="#fff", stroke="#1c1607", stroke_width=2.5)
    eye = svg.circle(0, 0, 15, fill=colour), lid, svg.circle(0, 0, 4, fill="#1c1607")
    return frame, svg.transform(x, y, *eye)


def card_row(drawn: Sequence[Markup], width: float, scale: float) -> Iterator[Markup]:
    """Cards side by side, overlapping as far as necessary."""
    card = CARD_WIDTH * scale
    step = min(card + 4, (width - card) / max(len(drawn) - 1, 1))
    for place, one in enumerate(drawn):
        yield svg.transform(place * step, 0, one, scale=scale)


def _blank_card() -> Markup:
    """The card before anything is printed on it."""
    edge = {"stroke": "#000", "stroke_opacity": "0.4"}
    return svg.rect(0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, 8, fill=PAPER_COLOUR, **edge)


def _back_parts() -> Iterator[Markup]:
    """A lattice of small lozenges in a frame, the same from either end."""
    yield _blank_card()
    yield svg.rect(6, 6, CARD_WIDTH - 12, CARD_HEIGHT - 12, 5, fill=BACK_COLOUR)
    places = ((15.5 + 6 * k, 14 + 7 * row) for row in range(17) for k in range(row % 2, 11, 2))
    lozenges = "".join(f"M{x} {y}l4.5-5.2 4.5 5.2-4.5 5.2Z" for x, y in places)
    yield svg.path(lozenges, fill=GOLD_COLOUR, fill_opacity=0.5)
    yield svg.rect(9.5, 9.5, CARD_WIDTH - 19, CARD_HEIGHT - 19, 3, fill="none", stroke=GOLD_COLOUR)
