"""Cards as SVG: clay tiles with black or white lines from port to port, which continue on the next
tile. The colours differ in brightness, so that colour-blind viewers can distinguish them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import dist
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duality.cards import CARD_CODES, lines_of
from games.engines.duality.news_text import TURNED_SIGN

CARD_WIDTH: Final = 96.0
CARD_HEIGHT: Final = 64.0
CLAY_COLOUR: Final = "#b4774b"
RIM_COLOUR: Final = "#5d3a20"
LINE_COLOURS: Final = ("#15151b", "#fdfbf4")  # by colour
LINE_EDGE_COLOURS: Final = ("#15151b", "#4a2f1b")
GOLD_COLOUR: Final = "#ffc83d"
STRIPE_COLOURS: Final = ("#ffb000", "#2a6fdb")  # of the longest path, by colour
LINE_WIDTH: Final = 9.0

# By port, clockwise from N1: its position, and the direction into the card.
PORT_POINTS: Final = ((32, 0), (64, 0), (96, 32), (64, 64), (32, 64), (0, 32))
INWARD_DIRECTIONS: Final = ((0, 1), (0, 1), (-1, 0), (0, -1), (0, -1), (1, 0))

PortPair = tuple[int, int]


def curve_path(one: int, other: int) -> str:
    """The curve between two ports, at right angles to the rim at both ends."""
    reach = max(23.0, 0.45 * dist(PORT_POINTS[one], PORT_POINTS[other]))
    (x1, y1), (x2, y2) = PORT_POINTS[one], PORT_POINTS[other]
    curve = []
    for port in (one, other):
        (x, y), (right, down) = PORT_POINTS[port], INWARD_DIRECTIONS[port]
        curve.append(
            f"{svg.format_number(x + right * reach)} {svg.format_number(y + down * reach)}"
        )
    return f"M{x1} {y1}C{curve[0]} {curve[1]} {x2} {y2}"


def face(
    card: str,
    turned: bool,
    striped: Collection[PortPair] = (),
    shining: Collection[PortPair] = (),
    connections: int | None = None,
) -> Markup:
    """A card as it lies. Striped lines are on a longest path, shining ones on the winning path."""
    found = lines_of(CARD_CODES.index(card), turned)
    found.sort(key=lambda line: (line[1:] in shining, line[1:] in striped))  # drawn last, on top
    lines = [
        svg.group(*_line(colour, (one, other), striped, shining)) for colour, one, other in found
    ]
    labels = list(_labels(card, turned, connections))
    return svg.group(_tile(bool(shining)), *lines, *labels, data_card=card)


def back() -> Markup:
    """The back of a card: one half for each player."""
    half = f"M2 2H{CARD_WIDTH - 2}L2 {CARD_HEIGHT - 2}Z"
    curve: dict[str, svg.AttributeValue] = {
        "fill": "none",
        "stroke": CLAY_COLOUR,
        "stroke_width": 5,
    }
    return svg.group(
        svg.rect(1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, 6, fill=LINE_COLOURS[0], stroke=RIM_COLOUR),
        svg.path(half, fill=LINE_COLOURS[1], stroke_linejoin="round"),
        svg.path(f"M20 {CARD_HEIGHT / 2}C40 6 56 58 {CARD_WIDTH - 20} {CARD_HEIGHT / 2}", **curve),
        data_back="1",
    )


def empty_place(x: float, y: float, colour: int, name: str) -> Markup:
    """An empty place where a path of the colour may begin or continue."""
    stroke = ("#07080b", "#f4efe2")[colour]
    box = svg.rect(
        x + 5,
        y + 5,
        CARD_WIDTH - 10,
        CARD_HEIGHT - 10,
        6,
        fill="none",
        stroke=stroke,
        stroke_width=2,
        stroke_dasharray="6 5",
    )
    label = svg.centred_text(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, name, 12, fill=stroke)
    return svg.group(box, label)


# -- parts --------------------------------------------------------------------------------------


def _tile(is_shining: bool) -> Markup:
    stroke, width = (GOLD_COLOUR, 3) if is_shining else (RIM_COLOUR, 1)
    inset = width / 2
    size: dict[str, svg.AttributeValue] = {
        "stroke": stroke,
        "stroke_width": width,
        "fill": CLAY_COLOUR,
    }
    return svg.rect(inset, inset, CARD_WIDTH - width, CARD_HEIGHT - width, 6, **size)


def _line(
    colour: int, ends: PortPair, striped: Collection[PortPair], shining: Collection[PortPair]
) -> Iterator[Markup]:
    """A line, with a gap on both sides where it crosses another."""
    curve = curve_path(*ends)
    none: dict[str, svg.AttributeValue] = {"fill": "none"}
    under = GOLD_COLOUR if ends in shining else CLAY_COLOUR
    yield svg.path(
        curve, stroke=under, stroke_width=LINE_WIDTH + (8 if ends in shining else 5), **none
    )
    yield svg.path(curve, stroke=LINE_EDGE_COLOURS[colour], stroke_width=LINE_WIDTH + 1.2, **none)
    yield svg.path(curve, stroke=LINE_COLOURS[colour], stroke_width=LINE_WIDTH, **none)
    if ends in striped or ends in shining:
        yield svg.path(curve, stroke=STRIPE_COLOURS[colour], stroke_width=2.4, **none)


def _labels(card: str, turned: bool, connections: int | None) -> Iterator[Markup]:
    """The card's name, the turned sign and the number of connections, each in its corner."""
    look: dict[str, svg.AttributeValue] = {"fill": "#2a170a", "font_weight": "bold"}
    yield svg.text(4.5, CARD_HEIGHT - 5, card, 8, **look)
    if turned:
        yield svg.text(4.5, 13, TURNED_SIGN, 11, **look)
    if connections is not None:
        yield svg.circle(
            CARD_WIDTH - 9.5, CARD_HEIGHT - 9.5, 6.5, fill="#2a170a", fill_opacity=0.85
        )
        yield svg.centred_text(
            CARD_WIDTH - 9.5, CARD_HEIGHT - 9.5, str(connections), 9, fill="#fdf3e2"
        )
