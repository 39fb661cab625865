"""Cards as SVG: clay tiles with black or white lines from port to port, which continue on the next
tile. The colours differ in brightness, so that colour-blind viewers can distinguish them."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import Final, Literal

from tabularium_engines.common import svg
from tabularium_engines.common.svg import AttributeValue, Markup
from tabularium_engines.duality.cards import CARD_CODES, lines_of
from tabularium_engines.duality.news_text import TURNED_SIGN

CARD_WIDTH: Final = 96.0
CARD_HEIGHT: Final = 64.0
CLAY_COLOUR: Final = "#b4774b"
RIM_COLOUR: Final = "#5d3a20"
INK_COLOUR: Final = "#2a170a"
LINE_COLOURS: Final = ("#15151b", "#fdfbf4")  # by colour
LINE_EDGE_COLOURS: Final = ("#15151b", "#4a2f1b")
EMPTY_PLACE_COLOURS: Final = ("#07080b", "#f4efe2")
GOLD_COLOUR: Final = "#ffc83d"
STRIPE_COLOURS: Final = ("#ffb000", "#2a6fdb")  # of the longest path, by colour
LINE_WIDTH: Final = 9.0
NAME_SIZE: Final = 8.0  # of a card …
LARGE_NAME_SIZE: Final = 12.2  # … and of one in a hand on a phone
UPENDED_SIZE: Final = 17.2  # of all letters of an upended board, which is scaled down
PLACE_NAME_COLOUR: Final = "#f4efe2"

# By port, clockwise from N1: its position, and the direction into the card.
PORT_POINTS: Final = ((32, 0), (64, 0), (96, 32), (64, 64), (32, 64), (0, 32))
INWARD_DIRECTIONS: Final = ((0, 1), (0, 1), (-1, 0), (0, -1), (0, -1), (1, 0))

PortPair = tuple[int, int]
LabelStyle = Literal["small", "large", "upended"]


@svg.drawn_once
def face(  # noqa: PLR0913  # all in which cards on the table differ
    card: str,
    turned: bool,
    striped: tuple[PortPair, ...] = (),
    shining: tuple[PortPair, ...] = (),
    connections: int | None = None,
    *,
    is_seen_turned: bool = False,
    labels: LabelStyle = "small",
) -> Markup:
    """A card as it lies, seen from Black's side or turned by half from White's. Striped lines are
    on a longest path, shining ones on the winning path."""
    rim, width = (GOLD_COLOUR, 3) if shining else (RIM_COLOUR, 1)
    tile = frame(0, 0, width / 2, stroke=rim, stroke_width=width, fill=CLAY_COLOUR)
    found = lines_of(CARD_CODES.index(card), turned)
    found.sort(key=lambda line: (line[1:] in shining, line[1:] in striped))  # drawn last, on top
    lines = [
        _line(colour, (one, other), (one, other) in striped, (one, other) in shining)
        for colour, one, other in found
    ]
    if is_seen_turned:
        lines = [svg.transform(CARD_WIDTH, CARD_HEIGHT, *lines, turn=180)]
    if labels == "upended":
        parts = _upended_labels(card, turned, connections)
    else:
        parts = _labels(card, turned, connections, is_large=labels == "large")
    return svg.group(tile, *lines, *parts, data_card=card)


def back() -> Markup:
    """The back of a card: one half for each player."""
    half = f"M2 2H{CARD_WIDTH - 2}L2 {CARD_HEIGHT - 2}Z"
    curve = f"M20 {CARD_HEIGHT / 2}C40 6 56 58 {CARD_WIDTH - 20} {CARD_HEIGHT / 2}"
    return svg.group(
        frame(0, 0, 1, fill=LINE_COLOURS[0], stroke=RIM_COLOUR),
        svg.path(half, fill=LINE_COLOURS[1], stroke_linejoin="round"),
        svg.path(curve, fill="none", stroke=CLAY_COLOUR, stroke_width=5),
        data_back="1",
    )


def empty_place(x: float, y: float, colour: int, name: str, is_upended: bool = False) -> Markup:
    """An empty place where a path of the colour may begin or continue."""
    stroke = EMPTY_PLACE_COLOURS[colour]
    box = frame(x, y, 5, fill="none", stroke=stroke, stroke_width=2, stroke_dasharray="6 5")
    middle = x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2
    if is_upended:
        short = name.replace(" ", "")
        words = svg.centred_text(0, 0, short, UPENDED_SIZE, fill=PLACE_NAME_COLOUR)
        return svg.group(box, svg.transform(*middle, words, turn=-90))
    return svg.group(box, svg.centred_text(*middle, name, 12, fill=PLACE_NAME_COLOUR))


def frame(x: float, y: float, inset: float, **look: AttributeValue) -> Markup:
    """A rectangle inside the rim of a card whose top left corner is (x, y)."""
    width, height = CARD_WIDTH - 2 * inset, CARD_HEIGHT - 2 * inset
    return svg.rect(x + inset, y + inset, width, height, 6, **look)


def curve_path(one: int, other: int) -> str:
    """The curve between two ports, at right angles to the rim at both ends."""
    reach = max(23.0, 0.45 * dist(PORT_POINTS[one], PORT_POINTS[other]))
    return f"M{_point(one)}C{_point(one, reach)} {_point(other, reach)} {_point(other)}"


def _point(port: int, depth: float = 0) -> str:
    """The point straight into the card from a port."""
    (x, y), (right, down) = PORT_POINTS[port], INWARD_DIRECTIONS[port]
    return f"{svg.format_number(x + right * depth)} {svg.format_number(y + down * depth)}"


@svg.drawn_once
def _line(colour: int, ends: PortPair, is_striped: bool, is_shining: bool) -> Markup:
    """A line, with a gap on both sides where it crosses another."""
    strokes = [
        (GOLD_COLOUR, LINE_WIDTH + 8) if is_shining else (CLAY_COLOUR, LINE_WIDTH + 5),
        (LINE_EDGE_COLOURS[colour], LINE_WIDTH + 1.2),
        (LINE_COLOURS[colour], LINE_WIDTH),
    ]
    if is_striped or is_shining:
        strokes.append((STRIPE_COLOURS[colour], 2.4))
    curve = curve_path(*ends)
    return svg.group(
        *(svg.path(curve, stroke=ink, stroke_width=width, fill="none") for ink, width in strokes)
    )


def _upended_labels(card: str, turned: bool, connections: int | None) -> Iterator[Markup]:
    """Large labels of a card that is seen turned by a quarter, in the corners as they are seen: of
    the name its number, the turned sign and the number of connections."""
    look = {"fill": INK_COLOUR, "font_weight": "bold"}
    number = svg.text(3, -4, card.removeprefix("D"), UPENDED_SIZE, **look)
    yield svg.transform(CARD_WIDTH, CARD_HEIGHT, _plate(1, -18, 28, 16.5), number, turn=-90)
    if turned:
        sign = svg.text(3, 17, TURNED_SIGN, UPENDED_SIZE, **look)
        yield svg.transform(0, CARD_HEIGHT, sign, turn=-90)
    if connections is not None:
        number = svg.centred_text(0, 0, str(connections), UPENDED_SIZE, fill="#fdf3e2")
        disc = svg.circle(0, 0, 10.5, fill=INK_COLOUR)
        yield svg.transform(CARD_WIDTH - 12, 12, disc, number, turn=-90)


def _plate(x: float, y: float, width: float, height: float) -> Markup:
    """The ground of a large name, above the lines."""
    return svg.rect(x, y, width, height, 3, fill=CLAY_COLOUR)


def _labels(
    card: str, turned: bool, connections: int | None, is_large: bool = False
) -> Iterator[Markup]:
    """The card's name, the turned sign and the number of connections, each in its corner."""
    base = CARD_HEIGHT - 5
    if is_large:
        yield _plate(1.5, base - 11, 27.5, 14)
        yield svg.text(3, base, card, LARGE_NAME_SIZE, fill=INK_COLOUR)
    else:
        yield svg.text(4.5, base, card, NAME_SIZE, fill=INK_COLOUR, font_weight="bold")
    if turned:
        yield svg.text(4.5, 13, TURNED_SIGN, 11, fill=INK_COLOUR, font_weight="bold")
    if connections is not None:
        x, y = CARD_WIDTH - 9.5, CARD_HEIGHT - 9.5
        yield svg.circle(x, y, 6.5, fill=INK_COLOUR, fill_opacity=0.85)
        yield svg.centred_text(x, y, str(connections), 9, fill="#fdf3e2")
