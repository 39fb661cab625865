"""Pictures as PNG: drawn from the SVG that the viewer sees, with fonts of the package, by few child
processes at once, kept, and counted by a limit of their own."""

from __future__ import annotations

import re
import struct
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, Final

import pytest
from pytest_django import Settings

from api.games.pictures import drawer
from api.keys import key_cache
from api.limits import rate_limiting
from api.png import child, drawing
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.config.processes import PATIENCE, soon

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
TEXT: Final = re.compile(r"<text[^>]*/>|<text.*?</text>")


def size_of(png: bytes) -> tuple[int, int]:
    """The width and the height of a PNG."""
    assert png.startswith(SIGNATURE)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def fresh_picture(slug: str) -> str:
    """A picture of a fresh deal."""
    engine = ENGINES[slug]
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(1))
    return engine.svg(engine.view(state, 0))


def ask(program: Program, game: str, query: str = "", **headers: str) -> Any:
    """The response with a picture as PNG."""
    return program.get(f"{BASE}/games/{game}/picture.png{query}", headers=headers)


def test_every_game_is_drawn_with_its_words(slug: str) -> None:
    picture = fresh_picture(slug)
    _, _, width, height = map(float, re.findall(r'viewBox="([^"]+)"', picture)[0].split())
    png = child.draw(picture, 390)
    drawn_width, drawn_height = size_of(png)
    assert drawn_width == 390
    assert abs(drawn_height - 390 * height / width) <= 1
    assert child.draw(TEXT.sub("", picture), 390) != png


@pytest.mark.parametrize("family", ["Georgia, serif", "Arial, 'DejaVu Sans', sans-serif"])
def test_words_are_drawn_in_both_families(family: str) -> None:
    words = '<text y="20" font-family="{}" font-weight="bold">{}</text>'
    document = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30">{}</svg>'
    pngs = {child.draw(document.format(words.format(family, each)), 90) for each in ("Law", "XIV")}
    assert len(pngs) == 2
    assert child.draw(document.format(""), 90) not in pngs


def test_a_child_draws_it(world: World) -> None:
    drawer.cache_clear()
    response = ask(world.as_ada, world.playing(), "?width=64")
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert size_of(response.content)[0] == 64
    assert "Content-Encoding" not in response.headers


def test_each_viewer_gets_a_drawing_of_its_own_svg(
    world: World, drawn: list[tuple[str, int]]
) -> None:
    game = world.game_after(10)
    for program in (world.as_ada, world.as_bob, world.as_eve):
        for query in ("", "?seq=7", "?as=onlooker", "?shape=tall", "?names=1"):
            svg = program.get(f"{BASE}/games/{game}/picture.svg{query}").content
            assert ask(program, game, query).content == b"600 " + svg
    assert len({picture for picture, _ in drawn}) == len(drawn), "nothing is drawn twice"
    assert_refused(ask(world.as_ada, game, "?as=seat:1"), "not-your-seat")
    assert_refused(ask(world.as_eve, game, "?as=seat:0"), "not-your-seat")


@pytest.mark.usefixtures("drawn")
def test_it_is_refused_as_the_svg_is(world: World) -> None:
    assert_refused(ask(world.as_ada, world.gathering()), "not-started")
    assert_refused(ask(world.as_eve, world.playing(visibility="private")), "not-found")
    game = world.playing()
    assert_refused(ask(world.as_ada, game, "?seq=99"), "unknown-entry")
    for query in ("?width=63", "?width=1601", "?width=wide"):
        assert_refused(ask(world.as_ada, game, query), "invalid-parameter")


def test_the_latest_are_kept(world: World, drawn: list[tuple[str, int]]) -> None:
    game = world.playing()
    contents = [ask(world.as_ada, game, query).content for query in ("", "", "?width=64", "")]
    assert len(set(contents)) == 2
    assert [width for _, width in drawn] == [600, 64]


def test_no_more_is_kept_than_there_is_room_for(drawn: list[tuple[str, int]]) -> None:
    keeper = drawing.Drawer(1, kept_bytes=30)
    for tag in ("a", "b", "a", "c", "a", "b"):
        keeper.draw(tag, tag * 8, 90)
    assert [picture[0] for picture, _ in drawn] == ["a", "b", "c", "b"]


def test_a_current_copy_is_not_drawn(world: World, drawn: list[tuple[str, int]]) -> None:
    game = world.playing()
    first = ask(world.as_ada, game)
    assert first["Cache-Control"] == "private, no-cache"
    drawer.cache_clear()
    again = ask(world.as_ada, game, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert len(drawn) == 1
    assert ask(world.as_ada, game, "?width=64")["ETag"] != first["ETag"]
    named = ask(world.as_nobody, game, "?seq=4&as=onlooker")
    assert named["Cache-Control"] == "public, max-age=31536000, immutable"


def test_few_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, done = [Event(), Event()], Event()
    pending = iter(begun)

    def wait(picture: str, width: int) -> bytes:
        next(pending).set()
        assert done.wait(PATIENCE)
        return picture.encode()

    monkeypatch.setattr(drawing, "draw_in_child", wait)
    busy = drawing.Drawer(1)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(busy.draw, "a", "first", 90)
        assert begun[0].wait(PATIENCE)
        second = pool.submit(busy.draw, "b", "second", 90)
        assert soon(lambda: is_full(busy))
        with pytest.raises(drawing.DrawerBusy):
            busy.draw("c", "third", 90)
        assert not begun[1].is_set()
        done.set()
        assert (first.result(PATIENCE), second.result(PATIENCE)) == (b"first", b"second")
    assert busy.draw("a", "first", 90) == b"first"


def is_full(busy: drawing.Drawer) -> bool:
    """Whether it takes no more requests."""
    return bool(vars(busy._requests)["_value"] == 0)


def test_who_comes_when_all_draw_is_asked_to_come_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(picture: str, width: int) -> bytes:
        raise drawing.DrawerBusy

    drawer.cache_clear()
    monkeypatch.setattr(drawing, "draw_in_child", refuse)
    response = ask(world.as_ada, world.playing())
    assert_refused(response, "drawings-busy")
    assert response["Retry-After"] == "1"


def test_a_child_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "CHILD_COMMAND", ("sleep",))
    monkeypatch.setattr(drawing, "CHILD_SECONDS", 0.01)
    with pytest.raises(drawing.DrawerBusy):
        drawing.draw_in_child("", 3600)


def test_without_the_library_it_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "is_installed", lambda: False)
    assert_refused(ask(world.as_ada, world.playing()), "png-not-installed")


@pytest.mark.usefixtures("drawn")
def test_drawings_have_a_limit_of_their_own(world: World, settings: Settings, broker: str) -> None:
    key_cache.clear()
    settings.REDIS_URL = broker
    settings.LIMITS = {"drawings": (2, 3600), "read": (9, 3600)}
    rate_limiting.configured_buckets.cache_clear()
    game = world.playing()
    responses = [ask(world.as_ada, game) for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert responses[0]["RateLimit-Policy"] == '"drawings";q=2;w=3600'
    assert world.as_ada.get(f"{BASE}/games/{game}/picture.svg").status_code == 200
    rate_limiting.configured_buckets.cache_clear()
