"""Engines whose pictures break promise 17; all derive from the correct game in `lucky_draw`."""

from __future__ import annotations

from typing import Final

from tabularium_engines.common.shapes_svg import Shape
from tests.engines.lucky_draw import CARDS, LuckyDraw, View


class UnmarkedPicture(LuckyDraw):
    """17: nothing in the picture is marked."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("data-pick=", "data-card=")


class UnmarkedTallPicture(LuckyDraw):
    """17: nothing in the tall picture is marked."""

    def svg_in_shape(self, view: View, shape: Shape) -> str:
        picture = self.svg(view)
        return picture.replace("data-pick=", "data-card=") if shape == "tall" else picture


class MalformedMark(LuckyDraw):
    """17: a mark has no value."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace('"card=', '"card:')


class UnknownField(LuckyDraw):
    """17: a mark has a field that no action has."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace('"card=', '"rank=1 card=')


class ImpossibleValue(LuckyDraw):
    """17: a mark has a value that no action can have."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace('"card=', f'"card={CARDS} card=')


class ImpossibleWay(LuckyDraw):
    """17: a mark has fields that no action has together."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace('"card=', '"type=draw,card=0 card=')


class UntitledThing(LuckyDraw):
    """17: a thing has no title."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("<title>The pile</title>", "")


class ThingWithinThing(LuckyDraw):
    """17: a thing is within another one."""

    def svg(self, view: View) -> str:
        inner = '<g data-pick="type=draw"><title>The pile</title></g>'
        return super().svg(view).replace("in hand</title>", f"in hand</title>{inner}")


class PictureWithScript(LuckyDraw):
    """17: the picture has a script."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("</svg>", "<script/></svg>")


class PictureWithForeignElement(LuckyDraw):
    """17: the picture has an element of another vocabulary."""

    def svg(self, view: View) -> str:
        foreign = '<path xmlns="http://www.w3.org/1999/xhtml"/>'
        return super().svg(view).replace("</svg>", f"{foreign}</svg>")


class PictureWithDeclaration(LuckyDraw):
    """17: the picture names a style sheet before its first element."""

    def svg(self, view: View) -> str:
        return '<?xml-stylesheet href="https://example.com/a.css"?>' + super().svg(view)


class PictureWithHandler(LuckyDraw):
    """17: an element runs something when it is pointed at."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("<desc ", '<desc onclick="alert()" ')


class PictureWithStyle(LuckyDraw):
    """17: an element has a style."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("<desc ", '<desc style="fill: red" ')


class PictureWithLink(LuckyDraw):
    """17: an element refers to something outside the picture."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("</svg>", '<use href="https://example.com/#a"/></svg>')


class PictureWithOuterFill(LuckyDraw):
    """17: a fill is outside the picture."""

    def svg(self, view: View) -> str:
        fill = "url('https://example.com/#a')"
        return super().svg(view).replace("<desc ", f'<desc fill="{fill}" ')


class PictureWithOuterName(LuckyDraw):
    """17: an attribute is of another vocabulary."""

    def svg(self, view: View) -> str:
        link = 'xmlns:x="http://www.w3.org/1999/xlink" x:href="#a" '
        return super().svg(view).replace("<desc ", f"<desc {link}")


BROKEN_PICTURES: Final[tuple[type[LuckyDraw], ...]] = (
    UnmarkedPicture,
    UnmarkedTallPicture,
    MalformedMark,
    UnknownField,
    ImpossibleValue,
    ImpossibleWay,
    UntitledThing,
    ThingWithinThing,
    PictureWithScript,
    PictureWithForeignElement,
    PictureWithDeclaration,
    PictureWithHandler,
    PictureWithStyle,
    PictureWithLink,
    PictureWithOuterFill,
    PictureWithOuterName,
)
