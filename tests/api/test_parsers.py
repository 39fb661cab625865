"""JSON bodies are parsed strictly: limited nesting, unique members, no content encoding."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.exceptions import ParseError

from api.parsers import MAX_NESTING_DEPTH, nesting_depth, parse_json
from tests.api.contract import BASE
from tests.api.test_conventions import assert_problem
from tests.api.world import World

TWICE = [
    ('{"a": 1, "a": 1}', "a"),
    ('{"b": [{"c": {"a": 1, "x": 2, "a": 3}}]}', "a"),
    ('{"a": 1, "\\u0061": 2}', "a"),
    ('{"": 1, "": 2}', ""),
    ('[{"a": {}, "b": {"seed": 1, "seed": 1}}]', "seed"),
]
SINGLE = ['{"a": {"a": {"a": 1}}}', '[{"a": 1}, {"a": 1}]', '{"a": "a", "b": "{\\"b\\": 1}"}', "1"]


@pytest.mark.parametrize(("text", "name"), TWICE)
def test_a_member_that_is_given_twice_is_named(text: str, name: str) -> None:
    with pytest.raises(ParseError, match=f"The member '{name}' is repeated."):
        parse_json(text.encode())


@pytest.mark.parametrize("text", SINGLE)
def test_members_of_different_objects_may_be_called_alike(text: str) -> None:
    assert parse_json(text.encode()) == json.loads(text)


def nested_text(count: int, kind: str) -> str:
    """This many nested arrays or objects."""
    opening, closing = {"list": ("[", "]"), "object": ('{"a":', "}")}[kind]
    return opening * count + "1" + closing * count


@pytest.mark.parametrize("kind", ["list", "object"])
def test_a_body_may_be_so_deep(kind: str) -> None:
    assert parse_json(nested_text(MAX_NESTING_DEPTH, kind).encode())
    for count in (MAX_NESTING_DEPTH + 1, 600, 20_000):
        with pytest.raises(ParseError, match=f"at most {MAX_NESTING_DEPTH} deep"):
            parse_json(nested_text(count, kind).encode())


def test_depth_is_not_what_stands_in_strings_or_side_by_side() -> None:
    wide = json.dumps([["[" * 100, '\\"[[', {"{" * 100: []}] * 100])
    assert parse_json(wide.encode()) == json.loads(wide)
    assert nesting_depth(wide.encode()) == 4


@pytest.mark.django_db
class TestRequests:
    def test_with_a_member_twice(self, world: World) -> None:
        body = b'{"rules": "law_of_the_dice", "rules": "law_of_the_dice"}'
        problem = assert_problem(world.as_ada.send(f"{BASE}/games", body), 400, "invalid-json")
        assert "'rules'" in problem["detail"]

    def test_that_are_nested_without_end(self, world: World) -> None:
        deep = '{"rules": "law_of_the_dice", "options": ' + nested_text(600, "list") + "}"
        assert_problem(world.as_ada.send(f"{BASE}/games", deep), 400, "invalid-json")

    @pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip", "unknown"])
    def test_that_are_encoded(self, world: World, coding: str) -> None:
        for path, kind in (
            ("/guests", "application/json"),
            ("/verifications", "application/x-ndjson"),
        ):
            extra: Any = {"headers": {"Content-Encoding": coding}, "content_type": kind}
            response = world.as_ada.send(f"{BASE}{path}", b"{}", **extra)
            assert_problem(response, 415, "unsupported-media-type")

    @pytest.mark.parametrize("charset", ["utf-7", "iso-8859-1", '"utf-16"', "unknown"])
    def test_in_another_charset(self, world: World, charset: str) -> None:
        for path, kind in (
            ("/guests", "application/json"),
            ("/verifications", "application/x-ndjson"),
        ):
            extra: Any = {"content_type": f"{kind}; charset={charset}"}
            response = world.as_ada.send(f"{BASE}{path}", b"{}", **extra)
            assert_problem(response, 415, "unsupported-media-type")

    @pytest.mark.parametrize("charset", ["UTF-8", '"utf-8"', "utf8"])
    def test_in_utf_8(self, world: World, charset: str) -> None:
        extra: Any = {"content_type": f"application/json; charset={charset}"}
        assert world.as_ada.send(f"{BASE}/guests", b"{}", **extra).status_code == 201

    def test_with_a_flood_of_parameters(
        self, world: World, caplog: pytest.LogCaptureFixture
    ) -> None:
        query = "&".join(f"a{number}=1" for number in range(1_200))
        for path in ("/games", "/me/games", "/rules/law/picture.svg"):
            problem = assert_problem(world.as_ada.get(f"{BASE}{path}?{query}"), 400, "bad-request")
            assert "1000 parameters" in problem["detail"]
        assert not [line for line in caplog.records if line.levelname in ("WARNING", "ERROR")]

    def test_that_say_that_they_are_not(self, world: World) -> None:
        extra: Any = {"headers": {"Content-Encoding": "Identity"}}
        assert world.as_ada.send(f"{BASE}/guests", {}, **extra).status_code == 201
