"""Shapes of pictures: wide for tables and large screens, tall for phones, square for previews. An
engine that draws them has the method of `DrawsShapes`; of another one all pictures are its own."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args, runtime_checkable

from games.engines.common.svg import Markup

Shape = Literal["wide", "tall", "square"]
SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)
TALL_WIDTH: Final = 400.0  # about that of a phone, so that text of size 10 can be read there
TALL_MARGIN: Final = 12.0


class Plan(NamedTuple):
    """A table whose parts have their places."""

    size: tuple[float, float]
    parts: list[Markup]


@runtime_checkable
class DrawsShapes(Protocol):
    """An engine that draws pictures in shapes; `wide` is the one of its `svg`."""

    def svg_in_shape(self, view: Any, shape: Shape) -> str:
        """The view as a picture of that shape, with the text as its description."""


def draw(engine: Any, view: Any, shape: Shape) -> str:
    """The view as a picture, in that shape if the engine draws shapes."""
    if shape == "wide" or not isinstance(engine, DrawsShapes):
        picture: str = engine.svg(view)
        return picture
    return engine.svg_in_shape(view, shape)


def squarest(plans: Iterable[Plan]) -> Plan:
    """The plan whose width and height differ least."""
    return min(plans, key=lambda plan: abs(log(plan.size[0] / plan.size[1])))
