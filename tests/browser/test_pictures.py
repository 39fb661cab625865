"""Texts in pictures as Chromium draws them, in every ruleset and shape, early, in the middle and at
the end of games: large enough on a phone, in good contrast, within their panels, and none on
another one. Only things that are laid on cards, such as the next one of a hand, cover texts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg
from tabularium_engines.common.names_svg import add_names
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset
from tests.engines.test_shapes import PHONE_WIDTH, SMALLEST_TEXT, size_of
from tests.examples.small_games import load_file
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a picture sees nothing of the store"),
]
MEASURE: Final = Path(__file__).with_name("measure_picture.js").read_text(encoding="utf-8")
FONTS: Final = Path(__file__).parents[2] / "api" / "png" / "fonts"
EXAMPLES: Final = Path(__file__).parents[2] / "examples"
FONT: Final = "Measured"
FILES: Final = {400: "DejaVuSans.ttf", 700: "DejaVuSans-Bold.ttf"}  # wider than Arial
LEAST_CONTRAST: Final = 4.5
EARLY: Final = 4  # actions
LOOKS: Final[tuple[Any, ...]] = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "active"},
)
Measure = Callable[[str], list[dict[str, Any]]]


def style() -> str:
    """The fonts of PNG pictures, so that all machines measure alike."""
    faces = (
        f"@font-face {{ font-family: {FONT}; font-weight: {weight};"
        f" src: url(data:font/ttf;base64,{b64encode((FONTS / file).read_bytes()).decode()}) }}"
        for weight, file in FILES.items()
    )
    return "\n".join([*faces, f"text {{ font-family: {FONT} }}", "body { margin: 0 }"])


@pytest.fixture(scope="module")
def sheet(chromium: Browser) -> Iterator[Page]:
    """A page without anything but fonts; it is wider than every picture."""
    page = chromium.new_page(viewport={"width": 2400, "height": 1000})
    page.set_content(f"<style>{style()}</style><body></body>")
    page.evaluate(
        f"Promise.all(['1em {FONT}', 'bold 1em {FONT}'].map((f) => document.fonts.load(f)))"
    )
    page.add_script_tag(content=MEASURE)
    yield page
    page.close()


def states(engine: AnyEngine, seats: int) -> Iterator[Any]:
    """The states of a random game: early, in the middle and at the end."""
    stops = [EARLY, (length := play(engine, seats, -1)[0]) // 2, length]
    return (play(engine, seats, stop)[1] for stop in stops)


def play(engine: AnyEngine, seats: int, stop: int) -> tuple[int, Any]:
    """The number of actions of a random game up to its end, or to this one; and the state then."""
    rng = FastRng(7)
    state, actions = engine.start(engine.about.options(), seats, rng), 0
    while state.to_act and actions != stop:
        seat = engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
        actions += 1
    return actions, state


def named(engine: AnyEngine, picture: str, seats: int) -> str:
    """The picture with long names."""
    return add_names(engine, picture, ["Wilhelmina Wentworth-Westmacott"] * seats)


def faults(page: Page, picture: str, scale: float | None) -> list[str]:
    """The faults of the texts of a picture; letters have a least size in a scale."""
    found = []
    for text in page.evaluate("measurePicture", picture):
        words = text["words"]
        found += [f"{words}: {fault}" for fault in text["faults"]]
        if text["contrast"] < LEAST_CONTRAST:
            found.append(f"{words}: contrast {text['contrast']:.1f}")
        if scale is not None and text["size"] * scale < SMALLEST_TEXT:
            found.append(f"{words}: {text['size'] * scale:.2f} pixels")
    return found


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_every_text_of_a_picture_can_be_read(sheet: Page, ruleset: Ruleset) -> None:
    engine, found = RULESETS[ruleset], {}
    is_newest = ENGINES[ruleset.slug] is engine
    for seats in sorted(set(engine.about.seats)):
        for number, state in enumerate(states(engine, seats)):
            view = engine.view(state, 0)
            for shape in shapes_svg.SHAPES if is_newest else ("tall",):
                picture = named(engine, shapes_svg.draw(engine, view, shape), seats)
                scale = PHONE_WIDTH / size_of(picture)[0] if shape == "tall" else None
                found[seats, number, shape] = faults(sheet, picture, scale)
    assert not {where: what for where, what in found.items() if what}


@pytest.mark.parametrize("name", ["four_in_a_row", "kuhn_poker"])
def test_so_can_those_that_the_kit_draws(sheet: Page, name: str) -> None:
    engine, found = load_file(EXAMPLES / name / f"{name}.py"), {}
    for number, state in enumerate(states(engine, 2)):
        for shape in shapes_svg.SHAPES:
            picture = shapes_svg.draw(engine, engine.view(state, 0), shape)
            scale = PHONE_WIDTH / size_of(picture)[0] if shape == "tall" else None
            found[number, shape] = faults(sheet, picture, scale)
    assert not {where: what for where, what in found.items() if what}


def test_a_picture_looks_the_same_in_all_colours(sheet: Page) -> None:
    """Its ground is its own, so neither a dark page nor forced colours change it."""
    engine = next(iter(ENGINES.values()))
    picture = engine.svg(engine.view(next(states(engine, engine.about.seats[1])), 0))
    measured = []
    for look in LOOKS:
        sheet.emulate_media(**look)
        measured.append(sheet.evaluate("measurePicture", picture))
    sheet.emulate_media(**LOOKS[0])
    assert measured[0] == measured[1] == measured[2]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<text x="5" y="20" font-size="12" fill="#777">Pale</text>', "Pale: contrast"),
        ('<text x="60" y="20" font-size="12">Too long</text>', "Too long: leaves its panel"),
        ('<text x="5" y="20">One</text><text x="9" y="24">Two</text>', "One: lies on"),
        ('<text x="5" y="20">Below</text><rect width="20" height="30"/>', "Below: covered"),
        ('<text x="5" y="20" font-size="9">Small</text>', "Small: 9.00 pixels"),
    ],
)
def test_the_measurement_finds_faults(sheet: Page, text: str, fault: str) -> None:
    ground = '<rect width="100" height="40" fill="#eee"/>'
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40">'
    whole = f'{head}<rect width="200" height="40" fill="#ccc"/>{ground}{text}</svg>'
    assert [each for each in faults(sheet, whole, 1) if each.startswith(fault)]
