"""The six dice as SVG: bone solids with distinct outlines and a number on the face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup

BONE_COLOUR: Final = "#f3e8cf"
SHADE_COLOUR: Final = "#d9c6a0"
CARVED_COLOUR: Final = "#43301c"


@dataclass(frozen=True)
class Solid:
    """A die around (0, 0): its outline, the top face, the edges between, the number's position."""

    outline: str
    face: str
    edges: str
    number_offset: float  # how far below the middle the number is
    number_size: float


SOLIDS: Final = {
    4: Solid("M0-40L42 30H-42Z", "M0-40L42 30H-42Z", "", 10, 30),
    6: Solid(
        "M-34-26Q-34-34-26-34H26Q34-34 34-26V26Q34 34 26 34H-26Q-34 34-34 26Z",
        "M-28-28H28V28H-28Z",
        "M-28-28L-33-33M28-28L33-33M28 28L33 33M-28 28L-33 33",
        0,
        36,
    ),
    8: Solid("M0-42L38-16V16L0 42L-38 16V-16Z", "M0-42L38 16H-38Z", "M-38 16L0 42L38 16", 0, 30),
    10: Solid(
        "M0-42L42-8V8L0 42L-42 8V-8Z",
        "M0-42L26 8L0 20L-26 8Z",
        "M26 8H42M-26 8H-42M0 20V42",
        -5,
        30,
    ),
    12: Solid(
        "M0-42L24.7-34L39.9-13V13L24.7 34L0 42L-24.7 34L-39.9 13V-13L-24.7-34Z",
        "M0-26L24.7-8L15.3 21H-15.3L-24.7-8Z",
        "M0-26V-42M24.7-8L39.9-13M15.3 21L24.7 34M-15.3 21L-24.7 34M-24.7-8L-39.9-13",
        0,
        30,
    ),
    20: Solid(
        "M0-42L36.4-21V21L0 42L-36.4 21V-21Z",
        "M0-31L29 18H-29Z",
        "M0-31V-42M0-31L36.4-21M0-31L-36.4-21M29 18L36.4-21M29 18L36.4 21M29 18L0 42"
        "M-29 18L0 42M-29 18L-36.4 21M-29 18L-36.4-21",
        4,
        26,
    ),
}


def die(sides: int, shown: str, glow: str | None = None) -> Markup:
    """A die of 84 by 84 units around (0, 0), optionally with a coloured glow."""
    solid = SOLIDS[sides]
    line = {"stroke": CARVED_COLOUR, "stroke_linejoin": "round"}
    glow = svg.path(
        solid.outline, fill="none", stroke=glow, stroke_width=9, stroke_linejoin="round"
    )
    return svg.group(
        *([glow] if glow else []),
        svg.path(solid.outline, fill=SHADE_COLOUR, stroke_width=2, **line),
        svg.path(solid.face, fill=BONE_COLOUR),
        svg.path(solid.face + solid.edges, fill="none", stroke_width=1, stroke_opacity=0.6, **line),
        svg.centred_text(
            0, solid.number_offset, shown, solid.number_size, fill=CARVED_COLOUR, font_weight="bold"
        ),
    )
