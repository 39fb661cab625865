"""Gnomon cards as SVG: shapes, stripes and strokes, with letters in the corner, so that pattern,
colour and shape are recognisable without colour vision and when cards overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import svg
from tabularium_engines.common.svg import Markup
from tabularium_engines.duel_edged_sword import cards
from tabularium_engines.duel_edged_sword.actions import Card
from tabularium_engines.duel_edged_sword.news_text import card_text

CARD_WIDTH: Final = 100.0
CARD_HEIGHT: Final = 140.0
PAPER_COLOUR: Final = "#fffdf6"
INK_COLOUR: Final = "#1d2233"
GREY_COLOUR: Final = "#6a7183"
FAINT_OPACITY: Final = 0.2  # of a kind of which there is no card
GOLD_COLOUR: Final = "#c99a25"  # the edge of a Complete
# distinguishable with colour blindness
INK_BY_COLOUR: Final = {"red": "#c03a1b", "green": "#087a57", "blue": "#1f5fb8"}
LARGE_NAME_SIZE: Final = 21.4  # of a kind, on a phone
INITIAL_SIZE: Final = 38.0  # of the initial of a colour, in its blot
SYMBOL_HEIGHT: Final = 62.0  # as it is defined

# Each around (0, 0) and about 60 high.
SHAPE_OUTLINES: Final = {
    "circle": "M-30 0a30 30 0 1 1 60 0a30 30 0 1 1-60 0Z",
    "square": "M-27-27H27V27H-27Z",
    "triangle": "M0-31L32 26H-32Z",
}
STRIPE_HEIGHTS: Final = (-22.5, -13.5, -4.5, 4.5, 13.5, 22.5)  # heights of the stripes in a shape
HALF_WIDTHS: Final = {  # half the width of a shape at these heights
    "circle": (19.8, 26.8, 29.7, 29.7, 26.8, 19.8),
    "square": (27.0, 27.0, 27.0, 27.0, 27.0, 27.0),
    "triangle": (4.8, 9.8, 14.9, 19.9, 25.0, 30.0),
}
BLOT_OUTLINE: Final = (
    "M-6-31C8-34 14-24 22-23C33-21 34-8 30 0C27 7 34 17 25 24C17 31 9 25 0 29"
    "C-10 34-22 31-25 21C-28 13-34 9-32-2C-31-10-26-12-24-19C-21-28-14-29-6-31Z"
)
TICK_PATH: Final = "M-22 2L-7 18L23-18"
CROSS_PATH: Final = "M-18-18L18 18M18-18L-18 18"
BLADE: Final = "M-4 30V-26L0-36L4-26V30M-13 30H13M0 30V42"


class CardPainter(svg.Painter):
    """Draws cards of 100 by 140 units, top left corner at (0, 0), from its own definitions."""

    @svg.drawn_once
    def definitions(self) -> Markup:
        """The shared parts of all cards; include them once per picture, before the first card."""
        symbols = {
            **{f"{p}-{s}": _patterned_shape(p, s) for p in cards.PATTERNS for s in cards.SHAPES},
            **{kind: _kind_symbol(kind) for kind in cards.KIND_CODES},
            **{f"{colour}-blot": [_blot(colour)] for colour in cards.COLOURS},
            "back": _back_parts(),
        }
        parts = (svg.group(*symbol, id=self._id(name)) for name, symbol in symbols.items())
        return svg.element("defs", *parts)

    @svg.drawn_once
    def face(self, card: Card) -> Markup:
        """A card that lies open or is held."""
        return svg.group(*self._face_parts(card), data_card=card)

    @svg.drawn_once
    def face_down(self, card: Card) -> Markup:
        """A card that lies face down in a row, labelled with its name, which is public."""
        back = svg.element("use", href=f"#{self._id('back')}")
        return svg.group(back, *self._slip(card), data_card=card)

    def _slip(self, card: Card) -> Iterator[Markup]:
        """The label of a card that lies face down."""
        yield svg.rect(7, 8, 86, 28, 6, fill="#dfe3f2")
        size = _name_font_size(card)
        yield svg.text(12, 28, card_text(card), size, fill=INK_COLOUR, font_style="italic")

    def _name(self, card: Card, ink: str) -> Markup:
        """The name of a kind, on a card that lies open."""
        size = _name_font_size(card)
        return svg.text(9, 31, card_text(card), size, fill=ink, font_weight="bold")

    @svg.drawn_once
    def tile(self, card: Card, width: float) -> Markup:
        """A small picture of a Complete, 44 high."""
        look = {"fill": PAPER_COLOUR, "stroke": GOLD_COLOUR, "stroke_width": "1.5"}
        letters = svg.text(3, 13, card, 12.4, fill=INK_COLOUR, font_weight="bold")
        symbol = self.symbol(card, width / 2, 29.5, 22)
        return svg.group(svg.rect(0, 0, width, 44, 5, **look), letters, symbol, data_card=card)

    def symbol(self, card: Card, x: float, y: float, size: float) -> Markup:
        """The distinctive symbol of a card, centred at (x, y), `size` high."""
        if card in cards.KIND_CODES:
            return svg.use(self._id(card), x, y, size / SYMBOL_HEIGHT)
        pattern, colour, shape = cards.FEATURES_OF_COMPLETES[card]
        name, ink = self._id(f"{pattern}-{shape}"), INK_BY_COLOUR[colour]
        return svg.use(name, x, y, size / SYMBOL_HEIGHT, color=ink)

    def faint_symbol(self, kind: Card, x: float, y: float, size: float, ink: str) -> Markup:
        """The symbol of a kind of which there is no card: pale, but the initial of a colour can be
        read."""
        name = f"{kind}-blot" if kind in cards.COLOURS else kind
        pale = svg.use(self._id(name), x, y, size / SYMBOL_HEIGHT, opacity=FAINT_OPACITY)
        if kind not in cards.COLOURS:
            return pale
        return svg.group(pale, _initial(kind, x, y, size / SYMBOL_HEIGHT, ink))

    def _face_parts(self, card: Card) -> Iterator[Markup]:
        if card in cards.COMPLETE_CODES:
            yield _blank_card(PAPER_COLOUR)
            yield svg.rect(4, 4, 92, 132, 6, fill="none", stroke=GOLD_COLOUR, stroke_width=3)
            yield self.symbol(card, 50, 80, 66)
            yield svg.text(11, 34, card, 25, fill=INK_COLOUR, font_weight="bold", letter_spacing=1)
            return
        is_dark = card == "false"
        yield _blank_card("#232a44" if is_dark else "#e9ebf2")
        if is_dark:
            yield svg.rect(3, 3, 94, 134, 7, fill="none", stroke="#c6cde8", stroke_width=2.5)
        yield self.symbol(card, 50, 84, 66)
        ink = "#fff" if is_dark else INK_COLOUR
        yield self._name(card, ink)


class LargePrintPainter(CardPainter):
    """Draws the names of kinds so large that they can be read on a phone."""

    def _slip(self, card: Card) -> Iterator[Markup]:
        yield svg.rect(3, 7, 94, 30, 6, fill="#dfe3f2")
        look = {"fill": INK_COLOUR, "font_style": "italic"}
        yield svg.text(6.5, 29.5, card_text(card), LARGE_NAME_SIZE, **look)

    def _name(self, card: Card, ink: str) -> Markup:
        return svg.text(6.5, 31, card_text(card), LARGE_NAME_SIZE, fill=ink)


def _name_font_size(card: Card) -> float:
    """The largest font size, up to 22, at which the name fits the card's width."""
    return min(22.0, 134 / len(card))


def _blank_card(fill: str) -> Markup:
    """The card before anything is printed on it."""
    width, height = CARD_WIDTH - 1, CARD_HEIGHT - 1
    return svg.rect(0.5, 0.5, width, height, 9, fill=fill, stroke="#000", stroke_opacity=0.45)


def _back_parts() -> Iterator[Markup]:
    """Crossed blades in a frame."""
    yield _blank_card("#e3e6f1")
    yield svg.rect(5, 5, 90, 130, 6, fill="#39426b")
    yield svg.rect(9, 9, 82, 122, 4, fill="none", stroke="#8d97c7", stroke_width=1.5)
    blade = svg.path(BLADE, fill="none", stroke="#aab3dd", stroke_width=3, stroke_linejoin="round")
    for turn in (-32, 32):
        yield svg.transform(50, 82, blade, turn=turn)


# -- symbols around (0, 0) ------------------------------------------------------------------------


def _patterned_shape(pattern: str, shape: str) -> Iterator[Markup]:
    """A shape with its pattern, in the colour set where it is used."""
    fill = "currentColor" if pattern == "filled" else "#fff"
    edge = {"stroke": "currentColor", "stroke_linejoin": "round"}
    yield svg.path(SHAPE_OUTLINES[shape], fill=fill, stroke_width=5, **edge)
    if pattern == "partial":
        widths = zip(STRIPE_HEIGHTS, HALF_WIDTHS[shape], strict=True)
        stripes = "".join(f"M-{width} {y}H{width}" for y, width in widths)
        yield svg.path(stripes, fill="none", stroke_width=4.5, **edge)


def _kind_symbol(kind: Card) -> Iterator[Markup]:
    """The symbol of one of the eleven kinds."""
    if kind in cards.SHAPES:
        return _shape(SHAPE_OUTLINES[kind])
    if kind in cards.COLOURS:
        return iter((_blot(kind), _initial(kind, 0, 0, 1, "#fff")))
    return _swatch(kind) if kind in cards.PATTERNS else _verdict(kind == "true")


def _shape(outline: str) -> Iterator[Markup]:
    """A shape without a pattern or a colour, its edge dashed."""
    yield svg.path(outline, fill="#fff", stroke="#fff", stroke_width=9)
    yield svg.path(
        outline, fill="#d9dce4", stroke=GREY_COLOUR, stroke_width=5, stroke_dasharray="9 6"
    )


def _blot(colour: str) -> Markup:
    """Colour without a shape."""
    return svg.path(BLOT_OUTLINE, fill=INK_BY_COLOUR[colour], stroke="#fff", stroke_width=3)


def _initial(colour: str, x: float, y: float, scale: float, ink: str) -> Markup:
    """The initial of a colour in its blot."""
    size = INITIAL_SIZE * scale
    return svg.centred_text(x, y, colour[0].upper(), size, fill=ink, font_weight="bold")


def _swatch(pattern: str) -> Iterator[Markup]:
    """A band of a pattern, without a shape or a colour; the hollow one is a ring."""
    fill = {"filled": GREY_COLOUR, "partial": "#fff", "hollow": "none"}[pattern]
    yield svg.rect(-32, -20, 64, 40, 14, fill="none", stroke="#fff", stroke_width=11)
    yield svg.rect(-32, -20, 64, 40, 14, fill=fill, stroke=GREY_COLOUR, stroke_width=5)
    if pattern == "partial":
        stripes = "M-27-10H27M-30 0H30M-27 10H27"
        yield svg.path(stripes, fill="none", stroke=GREY_COLOUR, stroke_width=5)


def _verdict(is_true: bool) -> Iterator[Markup]:
    """True is a tick on a light disc, False a cross on a dark one."""
    fill, ink = ("#fff", "#22304f") if is_true else ("#22304f", "#fff")
    yield svg.circle(0, 0, 30, fill=fill, stroke=ink)
    strokes = TICK_PATH if is_true else CROSS_PATH
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    small = svg.path(strokes, fill="none", stroke=ink, stroke_width=9, **ends)
    yield svg.transform(0, 0, small, scale=0.8)
