"""How does a card look? A clay tile over which lines flow from port to port, black or white, and
which flow on from tile to tile; told apart by brightness alone, whatever eyes see them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import dist
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality.cards import CODES, lines_of
from games.engines.duality.news import TURNED

WIDTH: Final = 96.0
HEIGHT: Final = 64.0
CLAY: Final = "#b4774b"
RIM: Final = "#5d3a20"
INK: Final = ("#15151b", "#fdfbf4")  # by colour
OUTLINE: Final = ("#15151b", "#4a2f1b")
GOLD: Final = "#ffc83d"
STRIPES: Final = ("#ffb000", "#2a6fdb")  # along the longest path, by colour
LINE: Final = 9.0

# By port, clockwise from N1: where it is, and which way leads into the card.
POINTS: Final = ((32, 0), (64, 0), (96, 32), (64, 64), (32, 64), (0, 32))
INWARD: Final = ((0, 1), (0, 1), (-1, 0), (0, -1), (0, -1), (1, 0))

Ends = tuple[int, int]


def outline(one: int, other: int) -> str:
    """The curve from port to port, at right angles to the rim at both ends."""
    reach = max(23.0, 0.45 * dist(POINTS[one], POINTS[other]))
    (x1, y1), (x2, y2) = POINTS[one], POINTS[other]
    curve = []
    for port in (one, other):
        (x, y), (right, down) = POINTS[port], INWARD[port]
        curve.append(f"{svg.number(x + right * reach)} {svg.number(y + down * reach)}")
    return f"M{x1} {y1}C{curve[0]} {curve[1]} {x2} {y2}"


def face(
    card: str,
    turned: bool,
    striped: Collection[Ends] = (),
    shining: Collection[Ends] = (),
    connections: int | None = None,
) -> Markup:
    """A card as it lies. Striped lines are on a longest path, shining ones on the path that won."""
    found = lines_of(CODES.index(card), turned)
    found.sort(key=lambda line: (line[1:] in shining, line[1:] in striped))  # these go on top
    lines = [
        svg.group(*_line(colour, (one, other), striped, shining)) for colour, one, other in found
    ]
    labels = list(_labels(card, turned, connections))
    return svg.group(_tile(bool(shining)), *lines, *labels, data_card=card)


def back() -> Markup:
    """A card that nobody may see: one half for each player."""
    half = f"M2 2H{WIDTH - 2}L2 {HEIGHT - 2}Z"
    curve: dict[str, svg.Value] = {"fill": "none", "stroke": CLAY, "stroke_width": 5}
    return svg.group(
        svg.rect(1, 1, WIDTH - 2, HEIGHT - 2, 6, fill=INK[0], stroke=RIM),
        svg.path(half, fill=INK[1], stroke_linejoin="round"),
        svg.path(f"M20 {HEIGHT / 2}C40 6 56 58 {WIDTH - 20} {HEIGHT / 2}", **curve),
        data_back="1",
    )


def place(x: float, y: float, colour: int, name: str) -> Markup:
    """An empty place where a path of the colour may begin or go on."""
    stroke = ("#07080b", "#f4efe2")[colour]
    box = svg.rect(
        x + 5,
        y + 5,
        WIDTH - 10,
        HEIGHT - 10,
        6,
        fill="none",
        stroke=stroke,
        stroke_width=2,
        stroke_dasharray="6 5",
    )
    label = svg.centred(x + WIDTH / 2, y + HEIGHT / 2, name, 12, fill=stroke)
    return svg.group(box, label)


# -- parts --------------------------------------------------------------------------------------


def _tile(is_shining: bool) -> Markup:
    stroke, width = (GOLD, 3) if is_shining else (RIM, 1)
    inset = width / 2
    size: dict[str, svg.Value] = {"stroke": stroke, "stroke_width": width, "fill": CLAY}
    return svg.rect(inset, inset, WIDTH - width, HEIGHT - width, 6, **size)


def _line(
    colour: int, ends: Ends, striped: Collection[Ends], shining: Collection[Ends]
) -> Iterator[Markup]:
    """A line, with a gap beside it where it crosses another."""
    curve = outline(*ends)
    none: dict[str, svg.Value] = {"fill": "none"}
    under = GOLD if ends in shining else CLAY
    yield svg.path(curve, stroke=under, stroke_width=LINE + (8 if ends in shining else 5), **none)
    yield svg.path(curve, stroke=OUTLINE[colour], stroke_width=LINE + 1.2, **none)
    yield svg.path(curve, stroke=INK[colour], stroke_width=LINE, **none)
    if ends in striped or ends in shining:
        yield svg.path(curve, stroke=STRIPES[colour], stroke_width=2.4, **none)


def _labels(card: str, turned: bool, connections: int | None) -> Iterator[Markup]:
    """The card's name in one corner, in others whether it is turned and what it connects."""
    look: dict[str, svg.Value] = {"fill": "#2a170a", "font_weight": "bold"}
    yield svg.text(4.5, HEIGHT - 5, card, 8, **look)
    if turned:
        yield svg.text(4.5, 13, TURNED, 11, **look)
    if connections is not None:
        yield svg.circle(WIDTH - 9.5, HEIGHT - 9.5, 6.5, fill="#2a170a", fill_opacity=0.85)
        yield svg.centred(WIDTH - 9.5, HEIGHT - 9.5, str(connections), 9, fill="#fdf3e2")
