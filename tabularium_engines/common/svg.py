"""SVG output: functions for escaped, well-formed elements, and self-contained documents."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap
from typing import Final, ParamSpec, cast
from xml.sax.saxutils import escape, quoteattr, unescape

XMLNS: Final = "http://www.w3.org/2000/svg"
SERIF_FONTS: Final = "Georgia, 'Times New Roman', serif"
SANS_SERIF_FONTS: Final = "'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
TEXT_COLOUR: Final = "#f7f0dd"
GILT_COLOUR: Final = "#f2c14e"  # of awaited players
GLYPH_WIDTH: Final = 0.54  # of the font size: the width of a character, slightly more than average
LINE_SPACING: Final = 1.25  # from line to line, of the font size
NAME_COLOUR: Final = "#d5dbe3"  # of players, beside the titles of their seats
BOLD_WIDTH: Final = 0.72  # the same of a bold character
LEAST_NAME_ROOM: Final = 44.0  # below it a panel shows no name
CACHED_ELEMENTS: Final = 4096  # those that pictures have in common, some hundred bytes each
CACHED_DRAWINGS: Final = 512  # of each function, such as one that draws a card
ID_PREFIX: Final = "\ue000"  # of all ids, until the picture is whole and has its own prefix

_FORBIDDEN_CHARACTERS: Final = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNESCAPED_VALUE: Final = re.compile(r"[\w #.,:;()/=-]*")  # most values need no escaping

P = ParamSpec("P")
AttributeValue = str | float | None
StyledText = tuple[str, float, dict[str, str]]  # a paragraph, its font size and its look


class Markup(str):
    """Text that already is SVG and must not be escaped again."""

    __slots__ = ()


@dataclass(frozen=True)
class Box:
    """A rectangular area of the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2


# -- elements -----------------------------------------------------------------------------------


def element(name: str, *children: str, **attributes: AttributeValue) -> Markup:
    """An element: `stroke_width` becomes stroke-width, None is omitted, plain text is escaped."""
    return _cached_element(name, *children, **attributes)


def _new_element(name: str, *children: str, **attributes: AttributeValue) -> Markup:
    head = name + "".join(_attribute(key, value) for key, value in attributes.items())
    body = "".join(_child_markup(child) for child in children)
    return Markup(f"<{head}>{body}</{name}>" if body else f"<{head}/>")


# typed: text and markup of the same characters are different children
_cached_element: Final = lru_cache(CACHED_ELEMENTS, typed=True)(_new_element)


def drawn_once(draw: Callable[P, Markup]) -> Callable[P, Markup]:
    """A function that draws the same for the same arguments: its latest drawings are kept."""
    return cast("Callable[P, Markup]", lru_cache(CACHED_DRAWINGS)(draw))


def _attribute(key: str, value: AttributeValue) -> str:
    if value is None:
        return ""
    name = key.replace("_", "-")
    if not isinstance(value, str):
        return f' {name}="{format_number(value)}"'
    if _UNESCAPED_VALUE.fullmatch(value):
        return f' {name}="{value}"'
    return f" {name}={quoteattr(_replace_forbidden(value))}"


def _child_markup(child: str) -> str:
    return child if isinstance(child, Markup) else escape(_replace_forbidden(child))


def _replace_forbidden(text: str) -> str:
    """Replace the control characters that XML cannot represent."""
    return _FORBIDDEN_CHARACTERS.sub("\ufffd", text)


def format_number(value: float) -> str:
    """A length to a hundredth of a unit, in as few characters as possible."""
    rounded = round(value, 2)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


# -- shapes -------------------------------------------------------------------------------------


def group(*children: str, **attributes: AttributeValue) -> Markup:
    """Children as one element."""
    return element("g", *children, **attributes)


def thing(*children: str, pick: str, name: str) -> Markup:
    """Children that players point at: a thing that stands for the fields of actions in its mark
    (`pick`, see docs/pictures.md), and is named in words. No thing is within another one."""
    return group(_cached_element("title", name), *children, data_pick=pick)


def transform(x: float, y: float, *children: str, scale: float = 1, turn: float = 0) -> Markup:
    """Children whose origin is moved to (x, y), then turned by degrees and scaled."""
    return group(*children, transform=_transform_value(x, y, scale, turn))


@lru_cache(CACHED_ELEMENTS)
def _transform_value(x: float, y: float, scale: float, turn: float) -> str:
    parts = [f"translate({format_number(x)} {format_number(y)})"]
    if turn:
        parts.append(f"rotate({format_number(turn)})")
    if scale != 1:
        parts.append(f"scale({format_number(scale)})")
    return " ".join(parts)


def rect(
    x: float, y: float, width: float, height: float, radius: float = 0, **look: AttributeValue
) -> Markup:
    """A rectangle, rounded if there is a radius."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **look)


def circle(x: float, y: float, radius: float, **look: AttributeValue) -> Markup:
    """A circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=radius, **look)


def path(outline: str, **look: AttributeValue) -> Markup:
    """A path in SVG path syntax."""
    return element("path", d=outline, **look)


def panel(box: Box, radius: float = 8, **look: AttributeValue) -> Markup:
    """A rounded rectangle with a shadow."""
    shadow = rect(box.x + 1, box.y + 2.5, box.width, box.height, radius, opacity=0.35)
    return group(shadow, rect(box.x, box.y, box.width, box.height, radius, **look))


def table_top(
    size: tuple[float, float], frame: str, surface: str, radius: float, inset: float
) -> Markup:
    """A table top in a frame, which is `inset` units wide."""
    width, height = size
    inner = width - 2 * inset, height - 2 * inset, radius - inset + 2
    border = rect(0, 0, width, height, radius, fill=frame)
    return group(border, rect(inset, inset, *inner, fill=surface))


# -- text ---------------------------------------------------------------------------------------


def text(x: float, y: float, content: str, size: float, **look: AttributeValue) -> Markup:
    """One line of text; y is its baseline."""
    return element("text", content, x=x, y=y, font_size=size, **look)


def centred_text(x: float, y: float, content: str, size: float, **look: AttributeValue) -> Markup:
    """One line of text centred at (x, y), for capitals and digits."""
    return text(x, y + size * 0.36, content, size, text_anchor="middle", **look)


def text_width(content: str, size: float) -> float:
    """The approximate width of a line of text."""
    return len(content) * size * GLYPH_WIDTH


def bold_text_width(content: str, size: float) -> float:
    """The approximate width of a line of bold text, whose widest letters are half as wide again."""
    wide = sum(content.count(letter) for letter in "MWmw")
    return (len(content) + 0.5 * wide) * size * BOLD_WIDTH


def wrap_text(content: str, size: float, width: float) -> list[str]:
    """Text broken into lines of at most about `width`."""
    return list(_cached_lines(content, int(width / (size * GLYPH_WIDTH))))


@lru_cache(CACHED_ELEMENTS)
def _cached_lines(content: str, length: int) -> tuple[str, ...]:
    return tuple(wrap(content, length))


def paragraph(x: float, y: float, lines: list[str], size: float, **look: AttributeValue) -> Markup:
    """Stacked lines of text; y is the first baseline."""
    spaced = (text(x, y + LINE_SPACING * size * n, line, size) for n, line in enumerate(lines))
    return group(*spaced, **look)


def stack(
    x: float, y: float, paragraphs: Iterable[StyledText], width: float, gap: float
) -> tuple[Markup, float]:
    """Paragraphs of at most `width` below each other, the first baseline at y; and the y at which
    another one would begin, below the last gap."""
    parts = []
    for content, size, look in paragraphs:
        lines = wrap_text(content, size, width)
        parts.append(paragraph(x, y, lines, size, **look))
        y += LINE_SPACING * size * len(lines) + gap
    return group(*parts), y


def name_slot(seat: int, x: float, y: float, right: float, size: float) -> Markup:
    """The place of the name of the player in a panel, up to `right`: it is empty until
    `names_svg.add_names` fills it."""
    if right - x < LEAST_NAME_ROOM:
        return Markup("")
    room = format_number(right - x)
    look: dict[str, AttributeValue] = {"fill": NAME_COLOUR, "data_name": str(seat)}
    return element("text", x=x, y=y, font_size=size, data_room=room, **look)


def badges_width(badges: Iterable[tuple[str, str]], padding: float, size: float = 13) -> float:
    """The width of a row of badges, with a gap before it."""
    return sum(text_width(word, size) + 2 * padding + 6 for word, _ in badges)


def badge_row(
    badges: Iterable[tuple[str, str]], right: float, y: float, padding: float, size: float = 13
) -> Iterator[Markup]:
    """Words in bubbles of a colour each, from right to left."""
    for word, colour in badges:
        width = text_width(word, size) + 2 * padding
        right -= width
        yield rect(right, y, width, 21, 10.5, fill=colour)
        middle = right + width / 2
        yield centred_text(middle, y + 10.5, word, size, fill="#1c1607", font_weight="bold")
        right -= 6


# -- definitions and the document ---------------------------------------------------------------


class Painter:
    """Draws from definitions of its own, whose ids begin with the prefix of the picture. Painters
    of one kind and prefix draw the same, so that drawings can be kept."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.prefix)

    def _id(self, name: str) -> str:
        return f"{self.prefix}-{name}"


def use(
    name: str, x: float, y: float, scale: float = 1, turn: float = 0, **look: AttributeValue
) -> Markup:
    """A definition drawn at (x, y)."""
    return element("use", href=f"#{name}", transform=_transform_value(x, y, scale, turn), **look)


def gradient(name: str, *colours: str) -> Markup:
    """A definition of colours from top to bottom, used through `gradient_fill(name)`."""
    last = max(len(colours) - 1, 1)
    stops = (element("stop", offset=i / last, stop_color=c) for i, c in enumerate(colours))
    return element("linearGradient", *stops, id=name, x1=0, y1=0, x2=0, y2=1)


def gradient_fill(name: str) -> str:
    """The fill that refers to a gradient."""
    return f"url(#{name})"


def id_prefix(description: str) -> str:
    """The prefix of all ids of a picture, so that pictures can share a page. It takes the place of
    ID_PREFIX, with which parts are drawn: those of other pictures are the same."""
    return "p" + hashlib.sha256(description.encode()).hexdigest()[:8]


def document(
    size: tuple[float, float], prefix: str, title: str, description: str, *content: str
) -> str:
    """A self-contained picture with an accessible title and description."""
    width, height = size
    picture = _new_element(
        "svg",
        _new_element("title", title, id=f"{prefix}-title"),
        _new_element("desc", description, id=f"{prefix}-desc"),
        *content,
        xmlns=XMLNS,
        viewBox=f"0 0 {format_number(width)} {format_number(height)}",
        role="img",
        aria_labelledby=f"{prefix}-title {prefix}-desc",
        font_family=SANS_SERIF_FONTS,
    )
    return picture.replace(ID_PREFIX, prefix)


def description_of(picture: str) -> str:
    """The description of a picture that `document` has made."""
    _, _, rest = picture.partition("<desc ")
    return unescape(rest.partition(">")[2].partition("</desc>")[0])


def picture_of_page(size: tuple[float, float], page: str, *content: str) -> str:
    """A picture described by a page of text, whose first line is the title."""
    title, *_ = page.splitlines()
    return document(size, id_prefix(page), title, page, *content)
