"""Pictures in shapes: a wide one is the engine's own, a tall one can be read on a phone, a square
one is about as wide as high, and all show the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from games.engines.base import AnyEngine
from games.engines.common import shapes_svg, svg
from games.engines.common.random_generators import FastRng
from games.promises.variants import tables
from games.registry import RULESETS, Ruleset

PHONE_WIDTH = 390  # px
SMALLEST_TEXT = 9.0  # px
STEPS = (0, 12, 40)  # actions of a game: its start and its middle
SVG = f"{{{svg.XMLNS}}}"
SHAPED = [
    ruleset for ruleset, engine in RULESETS.items() if isinstance(engine, shapes_svg.DrawsShapes)
]
GAMES_WITH_SHAPES = {"law_of_the_dice", "duel_edged_sword", "duality", "law", "duel_of_law"}
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
    _, _, width, height = (ET.fromstring(picture).get("viewBox") or "").split()
    return float(width), float(height)


def cards(picture: str) -> Counter[str]:
    """The cards that a picture shows."""
    return Counter(re.findall(r'data-card="([^"]*)"', picture))


def test_these_games_draw_shapes() -> None:
    assert {ruleset.slug for ruleset in SHAPED} >= GAMES_WITH_SHAPES


@pytest.mark.parametrize("ruleset", SHAPED, ids=str)
class TestEveryGameWithShapes:
    def test_a_wide_picture_is_the_one_of_the_engine(self, ruleset: Ruleset) -> None:
        engine = RULESETS[ruleset]
        for view in views(engine):
            assert shapes_svg.draw(engine, view, "wide") == engine.svg(view)

    def test_a_tall_picture_can_be_read_on_a_phone(self, ruleset: Ruleset) -> None:
        engine = RULESETS[ruleset]
        for view in views(engine):
            picture = shapes_svg.draw(engine, view, "tall")
            width, height = size_of(picture)
            assert height > width
            size, words = min(texts(ET.fromstring(picture), PHONE_WIDTH / width))
            assert size >= SMALLEST_TEXT, words

    def test_a_square_picture_is_about_as_wide_as_high(self, ruleset: Ruleset) -> None:
        engine = RULESETS[ruleset]
        for view in views(engine):
            width, height = size_of(shapes_svg.draw(engine, view, "square"))
            tall_width, tall_height = size_of(shapes_svg.draw(engine, view, "tall"))
            assert 0.6 < width / height < 1.7
            assert width / height >= tall_width / tall_height

    def test_all_show_the_same(self, ruleset: Ruleset) -> None:
        engine = RULESETS[ruleset]
        for view in views(engine):
            wide, *others = (shapes_svg.draw(engine, view, shape) for shape in shapes_svg.SHAPES)
            for picture in others:
                assert svg.description_of(picture) == engine.text(view)
                assert cards(picture) == cards(wide)


def test_an_engine_without_shapes_draws_its_own_picture() -> None:
    class Plain:
        def svg(self, view: str) -> str:
            return f"<svg>{view}</svg>"

    drawn = {shapes_svg.draw(Plain(), "a view", shape) for shape in shapes_svg.SHAPES}
    assert drawn == {"<svg>a view</svg>"}


def test_the_squarest_plan_may_be_wide_or_tall() -> None:
    sizes = [(100.0, 300.0), (400.0, 300.0), (300.0, 420.0)]
    plans = [shapes_svg.Plan(size, []) for size in sizes]
    assert shapes_svg.squarest(plans).size == (400, 300)
