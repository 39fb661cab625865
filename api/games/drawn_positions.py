"""Positions as SVG: the look that a query asks for, and the drawing from a viewer's view."""

from __future__ import annotations

from typing import NamedTuple

from tabularium_engines.common import shapes_svg
from tabularium_engines.common.names_svg import add_names
from tabularium_engines.common.shapes_svg import Shape
from tabularium_log.projection.projection import Projection


class Look(NamedTuple):
    """How a position is drawn: its shape, and the names of the players, if they are to be seen."""

    shape: Shape
    names: tuple[str, ...] | None


def draw_position(table: Projection, viewer: int | None, look: Look) -> str:
    """The picture of a position, as the viewer sees it."""
    picture = shapes_svg.draw(table.engine, table.engine.view(table.state, viewer), look.shape)
    return picture if look.names is None else add_names(table.engine, picture, look.names)
