"""The six dice as SVG: bone solids with distinct outlines and a number on the face."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.engines.common import svg
from games.engines.common.svg import Markup

BONE_COLOUR: Final = "#f3e8cf"
SHADE_COLOUR: Final = "#d9c6a0"
CARVED_COLOUR: Final = "#43301c"


class Solid(NamedTuple):
    """A die around (0, 0): its outline, the top face, the edges between, the number's position."""

    outline: str
    face: str
    edges: str
    number_offset: float  # how far below the middle the number is
    number_size: float


D6_OUTLINE: Final = "M-34-26Q-34-34-26-34H26Q34-34 34-26V26Q34 34 26 34H-26Q-34 34-34 26Z"
D6_EDGES: Final = "M-28-28L-33-33M28-28L33-33M28 28L33 33M-28 28L-33 33"
D10_FACE: Final = "M0-42L26 8L0 20L-26 8Z"
D12_OUTLINE: Final = "M0-42L24.7-34L39.9-13V13L24.7 34L0 42L-24.7 34L-39.9 13V-13L-24.7-34Z"
D12_FACE: Final = "M0-26L24.7-8L15.3 21H-15.3L-24.7-8Z"
D12_EDGES: Final = "M0-26V-42M24.7-8L39.9-13M15.3 21L24.7 34M-15.3 21L-24.7 34M-24.7-8L-39.9-13"
D20_OUTLINE: Final = "M0-42L36.4-21V21L0 42L-36.4 21V-21Z"
D20_EDGES: Final = (
    "M0-31V-42M0-31L36.4-21M0-31L-36.4-21M29 18L36.4-21M29 18L36.4 21M29 18L0 42"
    "M-29 18L0 42M-29 18L-36.4 21M-29 18L-36.4-21"
)
SOLIDS: Final = {
    4: Solid("M0-40L42 30H-42Z", "M0-40L42 30H-42Z", "", 10, 30),
    6: Solid(D6_OUTLINE, "M-28-28H28V28H-28Z", D6_EDGES, 0, 36),
    8: Solid("M0-42L38-16V16L0 42L-38 16V-16Z", "M0-42L38 16H-38Z", "M-38 16L0 42L38 16", 0, 30),
    10: Solid("M0-42L42-8V8L0 42L-42 8V-8Z", D10_FACE, "M26 8H42M-26 8H-42M0 20V42", -5, 30),
    12: Solid(D12_OUTLINE, D12_FACE, D12_EDGES, 0, 30),
    20: Solid(D20_OUTLINE, "M0-31L29 18H-29Z", D20_EDGES, 4, 26),
}


def die(sides: int, shown: str, glow: str | None = None) -> Markup:
    """A die of 84 by 84 units around (0, 0), optionally with a coloured glow."""
    outline, face, edges, y, size = SOLIDS[sides]
    line = {"stroke": CARVED_COLOUR, "stroke_linejoin": "round"}
    return svg.group(
        svg.path(outline, fill="none", stroke=glow, stroke_width=9, stroke_linejoin="round"),
        svg.path(outline, fill=SHADE_COLOUR, stroke_width=2, **line),
        svg.path(face, fill=BONE_COLOUR),
        svg.path(face + edges, fill="none", stroke_width=1, stroke_opacity=0.6, **line),
        svg.centred_text(0, y, shown, size, fill=CARVED_COLOUR, font_weight="bold"),
    )
