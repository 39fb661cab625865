"""Sizes of things in pictures: of each, so much is seen that a finger can point at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import cos, radians, sin
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg, svg
from tabularium_engines.common.playing_card_svg import CardPainter
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tabularium_engines.promises.variants import tables

pytestmark = pytest.mark.one_mode  # pictures are never compiled
SVG = "{http://www.w3.org/2000/svg}"
SMALLEST = 24.0  # units, which are pixels at the picture's own size
STEPS = (0, 12, 40)  # actions of a game: its start and its middle
TOO_LARGE = {("duel_of_law", "tall")}  # a wide tableau has to be enlarged on a phone
TRANSFORMS = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
UNSHOWN = {f"{SVG}defs", f"{SVG}title", f"{SVG}desc"}

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


class Area(NamedTuple):
    """A rectangle, by its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def is_large(self) -> bool:
        return self.right - self.left >= SMALLEST and self.bottom - self.top >= SMALLEST

    def without(self, other: Area) -> Iterator[Area]:
        """The largest rectangles that are left if another one lies on this one."""
        is_beside = other.left >= self.right or other.right <= self.left
        if is_beside or other.top >= self.bottom or other.bottom <= self.top:
            yield self
            return
        yield self._replace(right=other.left)
        yield self._replace(left=other.right)
        yield self._replace(bottom=other.top)
        yield self._replace(top=other.bottom)


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The transformation by the inner matrix, and then by the outer one."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        *(a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j),
        *(a * k + c * m + e, b * k + d * m + f),
    )


def matrix_of(element: ET.Element) -> Matrix:
    """The transformation of an element."""
    found = IDENTITY
    for kind, text in TRANSFORMS.findall(element.get("transform", "")):
        first, *others = map(float, text.split())
        second = others[0] if others else 0.0
        turn = radians(first)
        steps: dict[str, Matrix] = {
            "translate": (1, 0, 0, 1, first, second),
            "scale": (first, 0, 0, first, 0, 0),
            "rotate": (cos(turn), sin(turn), -sin(turn), cos(turn), 0, 0),
        }
        found = times(found, steps[kind])
    return found


def area_of(element: ET.Element, matrix: Matrix) -> Area | None:
    """The area of a rectangle or a circle; None of other elements."""
    values = {name: float(element.get(name, "0")) for name in ("x", "y", "cx", "cy", "r")}
    if element.tag == f"{SVG}rect":
        left, top = values["x"], values["y"]
        right, bottom = left + float(element.get("width", 0)), top + float(element.get("height", 0))
    elif element.tag == f"{SVG}circle":
        left, top = values["cx"] - values["r"], values["cy"] - values["r"]
        right, bottom = left + 2 * values["r"], top + 2 * values["r"]
    else:
        return None
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (left, right) for y in (top, bottom)]
    xs, ys = zip(*((a * x + c * y + e, b * x + d * y + f) for x, y in corners), strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys))


class Drawn:
    """The areas of the things in a picture, in the order in which they are drawn."""

    def __init__(self, picture: str) -> None:
        root = ET.fromstring(picture)
        self.by_id = {element.get("id"): element for element in root.iter()}
        self.things: list[tuple[str, list[Area]]] = []
        self.read(root, IDENTITY, None)

    def read(self, element: ET.Element, outer: Matrix, areas: list[Area] | None) -> None:
        """Collect the areas in an element, those of a thing in a list of its own."""
        matrix = times(outer, matrix_of(element))
        if (mark := element.get("data-pick")) is not None:
            areas = []
            self.things.append((mark, areas))
        if areas is not None and (area := area_of(element, matrix)):
            areas.append(area)
        if element.tag == f"{SVG}use":
            self.read(self.by_id[element.get("href", "")[1:]], matrix, areas)
        for child in element:
            if child.tag not in UNSHOWN:
                self.read(child, matrix, areas)

    def small_things(self) -> Iterator[str]:
        """The marks of things of which too little is seen."""
        for place, (mark, areas) in enumerate(self.things):
            seen = [area for area in areas if area.is_large]
            for _, others in self.things[place + 1 :]:
                for other in others:
                    seen = [part for area in seen for part in area.without(other) if part.is_large]
            if not seen:
                yield mark


def views(engine: AnyEngine) -> Iterator[Any]:
    """Views of seats that act, at the start and in the middle of games at some tables."""
    for number, table in enumerate(tables(engine)[::3]):
        rng = FastRng(number)
        state = engine.start(table.options, table.seats, rng)
        for step in range(max(STEPS) + 1):
            if not state.to_act:
                break
            seat = engine.awaited_seats(state)[0]
            if step in STEPS:
                yield engine.view(state, seat)
            state.apply(seat, state.random_action(seat, rng), rng)


CASES = [
    (ruleset, shape)
    for ruleset in RULESETS
    for shape in shapes_svg.SHAPES
    if (ruleset.slug, shape) not in TOO_LARGE
]


@pytest.mark.lane("slow", core=5)
@pytest.mark.parametrize(("ruleset", "shape"), CASES, ids=str)
def test_enough_of_a_thing_is_seen(ruleset: Ruleset, shape: shapes_svg.Shape) -> None:
    engine = RULESETS[ruleset]
    for view in views(engine):
        drawn = Drawn(shapes_svg.draw(engine, view, shape))
        assert not list(drawn.small_things()), view


@pytest.mark.parametrize(("step", "small"), [(24, []), (23.9, ["card=2S"]), (-24, [])])
def test_cards_that_lie_on_each_other_are_too_small(step: float, small: list[str]) -> None:
    cards = CardPainter("p")
    things = (
        svg.transform(
            place * step, 0, svg.thing(cards.face(card), pick=f"card={card}", name=card), turn=90
        )
        for place, card in enumerate(("2S", "3S"))
    )
    drawn = Drawn(svg.document((200, 200), "p", "Cards", "Cards", cards.definitions(), *things))
    assert list(drawn.small_things()) == small
