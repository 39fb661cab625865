"""Pictures in shapes: a wide one is the engine's own, a tall one can be read on a phone, a square
one is as wide as high, and all show the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg, svg
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises.variants import tables

pytestmark = pytest.mark.one_mode  # pictures are never compiled
PHONE_WIDTH = 366  # px of a picture on a screen that is 390 wide
SMALLEST_TEXT = 11.0  # px
STEPS = (0, 12, 40)  # actions of a game: its start and its middle
SVG = f"{{{svg.XMLNS}}}"
SHAPED = [ruleset for ruleset, engine in RULESETS.items() if shapes_svg.draws_shapes(engine)]
GAMES_WITH_SHAPES = {"law_of_the_dice", "duel_edged_sword", "duality", "law", "duel_of_law"}
VIEW_BOX = re.compile(r'<svg [^>]*viewBox="\S+ \S+ (\S+) (\S+)"')  # of the root
SCALE = re.compile(r"scale\(([\d.]+)\)")


def views(engine: AnyEngine) -> Iterator[Any]:
    """Views of the start and of the middle of games at tables of every size and variant."""
    for number, table in enumerate(tables(engine)):
        rng = FastRng(number)
        state = engine.start(table.options, table.seats, rng)
        for step in range(max(STEPS) + 1):
            if step in STEPS or not state.to_act:
                yield engine.view(state, 0)
                yield engine.view(state, None)
            if not state.to_act:
                break
            seat = engine.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)


def texts(element: ET.Element, scale: float) -> Iterator[tuple[float, str]]:
    """The texts in an element, each with its size."""
    if match := SCALE.search(element.get("transform", "")):
        scale *= float(match[1])
    if element.tag == f"{SVG}text":
        yield float(element.get("font-size", "0")) * scale, element.text or ""
    for child in element:
        yield from texts(child, scale)


def size_of(picture: str) -> tuple[float, float]:
    """The width and the height of a picture."""
    found = VIEW_BOX.match(picture)
    assert found
    return float(found[1]), float(found[2])


def cards(picture: str) -> Counter[str]:
    """The cards that a picture shows."""
    return Counter(re.findall(r'data-card="([^"]*)"', picture))


def test_these_games_draw_shapes() -> None:
    assert {ruleset.slug for ruleset in SHAPED} >= GAMES_WITH_SHAPES


class Drawn(NamedTuple):
    """A view, and its picture in each shape."""

    view: Any
    pictures: dict[str, str]


@pytest.fixture(scope="module", params=SHAPED, ids=str)
def drawn(request: pytest.FixtureRequest) -> tuple[AnyEngine, list[Drawn]]:
    """The pictures of all views of one ruleset, drawn once for all tests of it."""
    engine = RULESETS[request.param]
    return engine, [
        Drawn(view, {shape: shapes_svg.draw(engine, view, shape) for shape in shapes_svg.SHAPES})
        for view in views(engine)
    ]


class TestEveryGameWithShapes:
    @pytest.mark.lane("slow", core=1)
    def test_a_wide_picture_is_the_one_of_the_engine(
        self, drawn: tuple[AnyEngine, list[Drawn]]
    ) -> None:
        engine, all_drawn = drawn
        for view, pictures in all_drawn:
            assert pictures["wide"] == engine.svg(view)

    @pytest.mark.lane("slow", core=2)
    def test_a_tall_picture_can_be_read_on_a_phone(
        self, drawn: tuple[AnyEngine, list[Drawn]]
    ) -> None:
        for _, pictures in drawn[1]:
            width, height = size_of(pictures["tall"])
            assert height > width
            size, words = min(texts(ET.fromstring(pictures["tall"]), PHONE_WIDTH / width))
            assert size >= SMALLEST_TEXT, words

    @pytest.mark.lane("slow", core=2)
    def test_a_square_picture_is_as_wide_as_high(
        self, drawn: tuple[AnyEngine, list[Drawn]]
    ) -> None:
        for _, pictures in drawn[1]:
            width, height = size_of(pictures["square"])
            assert width == height

    @pytest.mark.lane("slow", core=2)
    def test_all_show_the_same(self, drawn: tuple[AnyEngine, list[Drawn]]) -> None:
        engine, all_drawn = drawn
        for view, pictures in all_drawn:
            for shape in {*shapes_svg.SHAPES} - {"wide"}:
                assert svg.description_of(pictures[shape]) == engine.text(view)
                assert cards(pictures[shape]) == cards(pictures["wide"])


def test_an_engine_without_shapes_draws_its_own_picture() -> None:
    class Plain:
        def svg(self, view: str) -> str:
            return f"<svg>{view}</svg>"

    class Shaped:
        def svg(self, view: str) -> str:
            return "<svg/>"

        def svg_in_shape(self, view: str, shape: shapes_svg.Shape) -> str:
            return f"<svg>{shape}</svg>"

    class OwnPicture(Shaped):
        def svg(self, view: str) -> str:
            return f"<svg>{view}</svg>"

    for engine in (Plain(), OwnPicture()):
        drawn = {shapes_svg.draw(engine, "a view", shape) for shape in shapes_svg.SHAPES}
        assert drawn == {"<svg>a view</svg>"}
    assert shapes_svg.draw(Shaped(), "a view", "tall") == "<svg>tall</svg>"


def test_the_squarest_plan_is_in_the_middle_of_a_square() -> None:
    sizes = [(100.0, 300.0), (400.0, 300.0), (300.0, 420.0)]
    square = shapes_svg.square_of(shapes_svg.Plan(size, [svg.group()]) for size in sizes)
    assert square == shapes_svg.Plan((400, 400), [svg.transform(0, 50, svg.group())])
