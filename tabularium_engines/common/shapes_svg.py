"""Shapes of pictures: wide for tables and large screens, tall for phones, square for previews. An
engine that draws them has the method of `DrawsShapes`; of another one all pictures are its own."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeGuard, get_args

from tabularium_engines.common import svg
from tabularium_engines.common.svg import Markup

Shape = Literal["wide", "tall", "square"]
SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)
TALL_WIDTH: Final = 400.0  # about that of a phone, on which text of size 12.1 is 11 pixels high
TALL_MARGIN: Final = 12.0


class Plan(NamedTuple):
    """A table whose parts have their places."""

    size: tuple[float, float]
    parts: list[Markup]


class DrawsShapes(Protocol):
    """An engine that draws pictures in shapes; `wide` is the one of its `svg`."""

    def svg_in_shape(self, view: Any, shape: Shape) -> str:
        """The view as a picture of that shape, with the text as its description."""


def draws_shapes(engine: Any) -> TypeGuard[DrawsShapes]:
    """Whether an engine draws shapes. A class with an `svg` of its own that inherits the shapes has
    only that one picture."""
    for each in type(engine).__mro__:
        if "svg_in_shape" in vars(each):
            return True
        if "svg" in vars(each):
            break
    return False


def draw(engine: Any, view: Any, shape: Shape) -> str:
    """The view as a picture, in that shape if the engine draws shapes."""
    if shape == "wide" or not draws_shapes(engine):
        picture: str = engine.svg(view)
        return picture
    return engine.svg_in_shape(view, shape)


def square_of(plans: Iterable[Plan]) -> Plan:
    """The plan whose width and height differ least, in the middle of a square."""
    (width, height), parts = min(plans, key=lambda plan: abs(log(plan.size[0] / plan.size[1])))
    side = max(width, height)
    return Plan((side, side), [svg.transform((side - width) / 2, (side - height) / 2, *parts)])
