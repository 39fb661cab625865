"""Streams are refused like other requests; without an event loop they send all entries and end."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from api.keys import create_key
from tests.api.program import Program
from tests.api.streams.serving import EVENTS, LINES
from tests.api.world import BASE, World


@pytest.fixture
def world(db: None) -> World:
    """In this process: Django's test client has no event loop."""
    return World()


def content(program: Program, path: str, **headers: str) -> bytes:
    """The whole content of a stream."""
    response: Any = program.get(path, headers=headers)
    return b"".join(response.streaming_content)


class TestWithoutAnEventLoop:
    def test_all_that_has_happened_is_told(self, world: World) -> None:
        path = f"{BASE}/games/{world.over()}/stream"
        lines = content(world.as_ada, path, Accept=LINES)
        log = world.as_ada.get(path.replace("/stream", "/log")).json()["items"]
        assert [orjson.loads(line) for line in lines.splitlines()] == log

    def test_events_have_their_ids(self, world: World) -> None:
        events = content(world.as_ada, f"{BASE}/games/{world.over()}/stream?after=2", Accept=EVENTS)
        assert events.startswith(b"retry: 2000\n\nid: 3\nevent: entry\n")

    def test_where_all_games_stand_is_told(self, world: World) -> None:
        game = world.playing()
        (line,) = content(world.as_bob, f"{BASE}/me/stream", Accept=LINES).splitlines()
        assert orjson.loads(line)["game"] == game

    def test_nobody_waits(self, world: World) -> None:
        path = f"{BASE}/games/{world.playing()}/log?after=4"
        response = world.as_ada.get(path, headers={"Prefer": "wait=25"})
        assert response.json() == {"items": [], "next_after": None}
        assert "Preference-Applied" not in response.headers


class TestRefusals:
    def test_without_a_key_there_is_no_stream_of_ones_own(self, world: World) -> None:
        assert world.as_nobody.get(f"{BASE}/me/stream").status_code == 401

    def test_a_key_must_be_for_reading(self, world: World) -> None:
        program = Program(create_key(world.ada, "", ("games:play",), None)[1])
        for path in ("/me/stream", f"/games/{world.playing()}/stream"):
            problem = program.get(BASE + path).json()
            assert problem["code"] == "insufficient-scope"

    @pytest.mark.parametrize(
        ("path", "after"),
        [("/games/{}/stream", "x"), ("/games/{}/stream", "-1"), ("/me/stream", "5")],
    )
    def test_an_id_must_be_one_of_ours(self, world: World, path: str, after: str) -> None:
        path = BASE + path.format(world.playing())
        for response in (
            world.as_ada.get(path, {"after": after}),
            world.as_ada.get(path, headers={"Last-Event-ID": after}),
        ):
            assert (response.status_code, response.json()["code"]) == (400, "invalid-parameter")

    def test_other_forms_are_not_made(self, world: World) -> None:
        path = f"{BASE}/games/{world.playing()}/stream"
        assert world.as_ada.get(path, headers={"Accept": "text/html"}).status_code == 406

    def test_nobody_is_told_what_the_place_of_another_sees(self, world: World) -> None:
        path = f"{BASE}/games/{world.playing()}/stream?as=seat:1"
        assert world.as_ada.get(path).json()["code"] == "not-your-seat"

    def test_the_game_says_where_its_stream_is(self, world: World) -> None:
        game = world.playing()
        table = world.as_ada.get(f"{BASE}/games/{game}").json()
        assert table["links"]["stream"] == f"{BASE}/games/{game}/stream"
