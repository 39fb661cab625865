"""The names below a picture: escaped, cut, without unseen signs, with a hue for each seat; the
picture above them is as before."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import names_svg, shapes_svg, svg
from tabularium_engines.common.names_svg import HUES, add_names, readable_name
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.engines.test_shapes import GAMES_WITH_SHAPES, PHONE_WIDTH, SMALLEST_TEXT, size_of, texts

SVG = f"{{{svg.XMLNS}}}"
PICTURE = svg.picture_of_page((400, 300), "A page", svg.circle(1, 1, 1))


def band_of(picture: str) -> ET.Element:
    """The element with the names."""
    return next(each for each in ET.fromstring(picture) if each.get("data-names"))


def words(picture: str) -> list[str]:
    """The texts of the names."""
    return [each.text or "" for each in band_of(picture).iter(f"{SVG}text")]


def test_each_seat_has_its_title_and_name() -> None:
    picture = add_names(None, PICTURE, ["Ada", "Bob & <Co>"])
    assert words(picture) == ["Seat 0", "Ada", "Seat 1", "Bob & <Co>"]
    assert [each.get("fill") for each in band_of(picture).iter(f"{SVG}circle")] == list(HUES[:2])


def test_the_picture_above_is_as_before() -> None:
    picture = add_names(None, PICTURE, ["Ada", "Bob"])
    assert size_of(picture) == (400, 300 + 2 * names_svg.PLATE_HEIGHT + 20)
    start = picture.index("<title")
    assert picture[start:].startswith(PICTURE[PICTURE.index("<title") :].removesuffix("</svg>"))


def test_a_panel_shows_as_much_of_a_name_as_fits() -> None:
    slots = svg.name_slot(1, 20, 30, 120, 15), svg.name_slot(0, 20, 60, 50, 15)
    picture = add_names(None, svg.picture_of_page((400, 300), "A page", *slots), ["Ada", "B<" * 9])
    found = {each.get("data-name"): each.text for each in ET.fromstring(picture).iter(f"{SVG}text")}
    assert found["1"] == "B<B<B<B<…"
    assert "0" not in found, "there is no room for it"


@pytest.mark.parametrize("slug", sorted(GAMES_WITH_SHAPES))
def test_panels_have_places_for_names(slug: str) -> None:
    engine = ENGINES[slug]
    seats = engine.about.seats[1]
    view = engine.view(engine.start(engine.about.options(), seats, FastRng(1)), None)
    for shape in shapes_svg.SHAPES:
        picture = add_names(engine, shapes_svg.draw(engine, view, shape), ["Ada"] * seats)
        shown = [each for each in ET.fromstring(picture).iter() if each.get("data-name")]
        assert len(shown) >= seats - 1, "the panel of an awaited seat may have no room"
        assert {each.text for each in shown} == {"Ada"}


@pytest.mark.parametrize("slug", ENGINES)
def test_the_names_of_all_seats_fit_every_picture(slug: str) -> None:
    engine = ENGINES[slug]
    for seats in range(engine.about.seats[0], engine.about.seats[1] + 1):
        view = engine.view(engine.start(engine.about.options(), seats, FastRng(1)), None)
        for shape in shapes_svg.SHAPES:
            picture = add_names(engine, shapes_svg.draw(engine, view, shape), ["W" * 60] * seats)
            assert len(set(words(picture)[::2])) == seats, "each seat has a title of its own"
            fills = [each.get("fill") for each in band_of(picture).iter(f"{SVG}circle")]
            assert len(set(fills)) == seats
        if not shapes_svg.draws_shapes(engine):
            continue
        tall = add_names(engine, shapes_svg.draw(engine, view, "tall"), ["Ada"] * seats)
        width, _ = size_of(tall)
        assert min(texts(band_of(tall), PHONE_WIDTH / width))[0] >= SMALLEST_TEXT


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("a\u0000b\nc\u202ed", "a b c d"),  # a sign that turns the direction of text round
        ("\ue000-back", "-back"),
        ("W" * 24, "W" * 24),
        ("W" * 25, "W" * 23 + "…"),
        ("字" * 13, "字" * 11 + "…"),
        ("e\u0301" * 24, "e\u0301" * 24),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u202e", ""),
    ],
)
def test_a_name_is_made_readable(name: str, shown: str) -> None:
    assert readable_name(name) == shown


def test_ids_of_the_picture_are_not_in_reach_of_names() -> None:
    picture = add_names(None, PICTURE, [svg.ID_PREFIX, '"><script>'])
    assert not re.search("<script", picture)
    assert svg.ID_PREFIX not in picture
