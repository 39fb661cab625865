"""Gnomon cards as SVG: shapes, stripes and strokes, with letters in the corner, so that pattern,
colour and shape are recognisable without colour vision and when cards overlap."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.cards import (
    COLOURS,
    COMPLETE_CODES,
    KIND_CODES,
    PATTERNS,
    SHAPES,
)
from games.engines.duel_edged_sword.news_text import card_text

SvgStyle = dict[str, svg.AttributeValue]

CARD_WIDTH: Final = 100.0
CARD_HEIGHT: Final = 140.0
PAPER_COLOUR: Final = "#fffdf6"
INK_COLOUR: Final = "#1d2233"
GREY_COLOUR: Final = "#6a7183"
GILT_COLOUR: Final = "#f2c14e"
BACK_COLOUR: Final = "#39426b"
# distinguishable with colour blindness
INK_BY_COLOUR: Final = {
    "red": "#c8401f",
    "green": "#0a8a63",
    "blue": "#1f5fb8",
}

CIRCLE_RADIUS: Final = 30.0
STRIPE_HEIGHTS: Final = (-22.5, -13.5, -4.5, 4.5, 13.5, 22.5)  # heights of the stripes in a shape

# Each around (0, 0) and about 60 high.
SHAPE_OUTLINES: Final = {
    "circle": "M-30 0a30 30 0 1 1 60 0a30 30 0 1 1-60 0Z",
    "square": "M-27-27H27V27H-27Z",
    "triangle": "M0-31L32 26H-32Z",
}
TICK_PATH: Final = "M-22 2L-7 18L23-18"
CROSS_PATH: Final = "M-18-18L18 18M18-18L-18 18"


def features_of_complete(card: Card) -> tuple[str, str, str]:
    """Pattern, colour and shape of a Complete."""
    initials = zip(card, (PATTERNS, COLOURS, SHAPES), strict=True)
    pattern, colour, shape = (
        next(name for name in names if name[0] == letter.lower()) for letter, names in initials
    )
    return pattern, colour, shape


class CardPainter:
    """Draws cards of 100 by 140 units, top left corner at (0, 0), from its own definitions."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def definitions(self) -> Markup:
        """The shared parts of all cards; include them once per picture, before the first card."""
        figures = (
            self._shape_definition(pattern, shape) for pattern in PATTERNS for shape in SHAPES
        )
        kinds = (svg.group(*self._kind_symbol(kind), id=self._id(kind)) for kind in KIND_CODES)
        back = svg.group(*_back_parts(), id=self._id("back"))
        return svg.element("defs", *figures, *kinds, back)

    def face(self, card: Card) -> Markup:
        """A card that lies open or is held."""
        return svg.group(*self._face_parts(card), data_card=card)

    def face_down(self, card: Card) -> Markup:
        """A card that lies face down in a row, labelled with its name, which is public."""
        slip = svg.rect(7, 8, 86, 28, 6, fill="#dfe3f2")
        words = svg.text(
            12, 28, card_text(card), _name_font_size(card), fill=INK_COLOUR, font_style="italic"
        )
        return svg.group(self.back(), slip, words, data_card=card)

    def back(self) -> Markup:
        """The back of a card."""
        return svg.element("use", href=f"#{self._id('back')}")

    def symbol(self, card: Card, x: float, y: float, size: float) -> Markup:
        """The distinctive symbol of a card, centred at (x, y), `size` high."""
        if card in COMPLETE_CODES:
            pattern, colour, shape = features_of_complete(card)
            return self._use_symbol(
                f"{pattern}-{shape}", x, y, size / 62, color=INK_BY_COLOUR[colour]
            )
        return self._use_symbol(card, x, y, size / 62)

    # -- parts ----------------------------------------------------------------------------------

    def _face_parts(self, card: Card) -> Iterator[Markup]:
        if card in COMPLETE_CODES:
            yield _blank_card(PAPER_COLOUR)
            yield svg.rect(4, 4, 92, 132, 6, fill="none", stroke="#c99a25", stroke_width=3)
            yield self.symbol(card, 50, 80, 66)
            yield svg.text(11, 34, card, 25, fill=INK_COLOUR, font_weight="bold", letter_spacing=1)
            return
        is_dark = card == "false"
        yield _blank_card("#232a44" if is_dark else "#e9ebf2")
        if is_dark:
            yield svg.rect(3, 3, 94, 134, 7, fill="none", stroke="#c6cde8", stroke_width=2.5)
        yield self.symbol(card, 50, 84, 66)
        ink = "#fff" if is_dark else INK_COLOUR
        yield svg.text(9, 31, card_text(card), _name_font_size(card), fill=ink, font_weight="bold")

    def _shape_definition(self, pattern: str, shape: str) -> Markup:
        """A shape with its pattern, in the colour set where it is used."""
        fill = "currentColor" if pattern == "filled" else "#fff"
        edge = {"stroke": "currentColor", "stroke_linejoin": "round"}
        outline = svg.path(SHAPE_OUTLINES[shape], fill=fill, stroke_width=5, **edge)
        stripes = [svg.path(_stripe_path(shape), fill="none", stroke_width=4.5, **edge)]
        inside = stripes if pattern == "partial" else []
        return svg.group(outline, *inside, id=self._id(f"{pattern}-{shape}"))

    def _kind_symbol(self, kind: Card) -> Iterator[Markup]:
        """The symbol of one of the eleven kinds, around (0, 0)."""
        if kind in SHAPES:
            yield svg.path(SHAPE_OUTLINES[kind], fill="#fff", stroke="#fff", stroke_width=9)
            dashes: SvgStyle = {"stroke": GREY_COLOUR, "stroke_width": 5, "stroke_dasharray": "9 6"}
            yield svg.path(SHAPE_OUTLINES[kind], fill="#d9dce4", **dashes)
        elif kind in COLOURS:
            yield _blot(INK_BY_COLOUR[kind])
            letter = kind[0].upper()
            yield svg.centred_text(0, 0, letter, 38, fill="#fff", font_weight="bold")
        elif kind in PATTERNS:
            yield from _swatch(kind)
        else:
            yield from _verdict(kind)

    def _use_symbol(self, what: str, x: float, y: float, scale: float, color: str = "") -> Markup:
        return svg.use(self._id(what), x, y, scale, color=color or None)

    def _id(self, what: str) -> str:
        return f"{self.prefix}-{what}"


def _stripe_path(shape: str) -> str:
    """Horizontal stripes that fill a shape partially."""
    return "".join(
        f"M{-_half_width(shape, y):.1f} {y}H{_half_width(shape, y):.1f}" for y in STRIPE_HEIGHTS
    )


def _half_width(shape: str, y: float) -> float:
    """Half the width of a shape at some height."""
    if shape == "circle":
        return sqrt(CIRCLE_RADIUS * CIRCLE_RADIUS - y * y)
    return 27.0 if shape == "square" else (y + 31) * 32 / 57


def _name_font_size(card: Card) -> float:
    """The largest font size, up to 22, at which the name fits the card's width."""
    return min(22.0, 134 / len(card))


def _blank_card(fill: str) -> Markup:
    """The card before anything is printed on it."""
    edge: SvgStyle = {"stroke": "#000", "stroke_opacity": 0.45}
    return svg.rect(0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, 9, fill=fill, **edge)


def _back_parts() -> Iterator[Markup]:
    """Crossed blades in a frame."""
    yield _blank_card("#e3e6f1")
    yield svg.rect(5, 5, 90, 130, 6, fill=BACK_COLOUR)
    yield svg.rect(9, 9, 82, 122, 4, fill="none", stroke="#8d97c7", stroke_width=1.5)
    blade = "M-4 30V-26L0-36L4-26V30M-13 30H13M0 30V42"
    look: SvgStyle = {
        "fill": "none",
        "stroke": "#aab3dd",
        "stroke_width": 3,
        "stroke_linejoin": "round",
    }
    for turn in (-32, 32):
        yield svg.transform(50, 82, svg.path(blade, **look), turn=turn)


def _blot(colour: str) -> Markup:
    """Colour without a shape."""
    outline = (
        "M-6-31C8-34 14-24 22-23C33-21 34-8 30 0C27 7 34 17 25 24C17 31 9 25 0 29"
        "C-10 34-22 31-25 21C-28 13-34 9-32-2C-31-10-26-12-24-19C-21-28-14-29-6-31Z"
    )
    return svg.path(outline, fill=colour, stroke="#fff", stroke_width=3)


def _swatch(pattern: str) -> Iterator[Markup]:
    """A band of a pattern, without a shape or a colour."""
    fill = GREY_COLOUR if pattern == "filled" else "#fff"
    yield svg.rect(-32, -20, 64, 40, 14, fill=fill, stroke=GREY_COLOUR, stroke_width=5)
    if pattern == "partial":
        lines = "M-27-10H27M-30 0H30M-27 10H27"
        yield svg.path(lines, fill="none", stroke=GREY_COLOUR, stroke_width=5)


def _verdict(kind: Card) -> Iterator[Markup]:
    """True is a tick on a light disc, False a cross on a dark one."""
    fill, ink = ("#fff", "#22304f") if kind == "true" else ("#22304f", "#fff")
    yield svg.circle(0, 0, 30, fill=fill, stroke="#22304f" if kind == "true" else "#fff")
    strokes = TICK_PATH if kind == "true" else CROSS_PATH
    look = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    small = svg.path(strokes, fill="none", stroke=ink, stroke_width=9, **look)
    yield svg.transform(0, 0, small, scale=0.8)
