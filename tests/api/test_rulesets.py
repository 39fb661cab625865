"""The catalogue is right about every game: its description, schemas, rule text and picture."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from django.test import Client

from api.option_forms import option_fields
from api.ruleset_types import Part, typed, typed_news
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES


def test_health_tells_how_the_engines_run(client: Client) -> None:
    versions = {slug: engine.about.version for slug, engine in ENGINES.items()}
    health = client.get("/api/v1/healthz").json()
    assert health == {"status": "ok", "engines": compiled_engines.engine_mode(), "rules": versions}


def test_the_list_holds_every_game_as_its_own_page_does(client: Client) -> None:
    page = client.get("/api/v1/rules").json()
    assert [item["slug"] for item in page["items"]] == list(ENGINES)
    assert page["next_cursor"] is None
    for item in page["items"]:
        assert client.get(item["links"]["self"]).json() == item


def test_every_link_leads_somewhere(client: Client, slug: str, db: None) -> None:
    for link in client.get(f"/api/v1/rules/{slug}").json()["links"].values():
        assert client.get(link).status_code == 200


def test_the_entry_point_leads_everywhere(client: Client) -> None:
    for link in client.get("/api/v1").json()["links"].values():
        assert client.get(link).status_code == 200


@pytest.mark.parametrize("part", ["options", "action", "news", "view"])
def test_schemas_are_valid_json_schema(client: Client, slug: str, part: str) -> None:
    schema = client.get(f"/api/v1/rules/{slug}/schemas/{part}").json()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(schema)


def test_fields_of_forms_have_titles(client: Client, slug: str) -> None:
    """In words: `to_act` is "To act"."""
    parts = {
        part: client.get(f"/api/v1/rules/{slug}/schemas/{part}").json()
        for part in ("options", "action")
    }
    for kind in (parts["options"], *parts["action"]["oneOf"]):
        for name, field in kind["properties"].items():
            if name != "type":
                assert field["title"] == name.replace("_", " ").capitalize()


def test_a_view_and_the_options_fit_their_schemas(client: Client, slug: str) -> None:
    engine = ENGINES[slug]
    options = engine.about.options()
    view = engine.view(engine.start(options, engine.about.seats[0], FastRng(1)), None)
    parts: tuple[tuple[Part, Any], ...] = (("options", options), ("view", view))
    for part, value in parts:
        schema = client.get(f"/api/v1/rules/{slug}/schemas/{part}").json()
        jsonschema_rs.validate(schema, typed(slug, engine.about.version, part, value))
    jsonschema_rs.validate(  # the type of options may be left out
        client.get(f"/api/v1/rules/{slug}/schemas/options").json(), json_codec.to_json(options)
    )


def test_news_fit_their_schema(client: Client, slug: str) -> None:
    engine = ENGINES[slug]
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(1))
    schema = client.get(f"/api/v1/rules/{slug}/schemas/news").json()
    items = typed_news(slug, [*engine.news(state, 0), *engine.news(state, None)])
    assert items
    for item in items:
        jsonschema_rs.validate(schema, item)
        assert not jsonschema_rs.is_valid(schema, item | {"type": f"{slug}.unheard"})


def test_the_text_is_the_rule_book(client: Client, slug: str) -> None:
    response = client.get(f"/api/v1/rules/{slug}/text")
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    assert response.content.decode().startswith("# ")


def test_the_picture_is_svg_and_depends_on_seed_and_seats_alone(client: Client, slug: str) -> None:
    path, (fewest, most) = f"/api/v1/rules/{slug}/picture.svg", ENGINES[slug].about.seats
    first = client.get(path, {"seed": 1, "seats": most})
    assert first["Content-Type"].startswith("image/svg+xml")
    assert ET.fromstring(first.content).tag.endswith("svg")
    assert client.get(path, {"seed": 1, "seats": most}).content == first.content
    assert client.get(path, {"seed": 2, "seats": most}).content != first.content
    fewer = client.get(path, {"seed": 1, "seats": fewest})
    assert (fewer.content == first.content) == (fewest == most)


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ({"seats": "0"}, ["seats"]),
        ({"seats": "two"}, ["seats"]),
        ({"seed": "-1"}, ["seed"]),
        ({"seed": "9007199254740992"}, ["seed"]),
        ({"seed": "x", "seats": "y"}, ["seed", "seats"]),
    ],
)
def test_a_bad_picture_query_is_refused_with_all_its_errors(
    client: Client, slug: str, query: dict[str, str], parameters: list[str]
) -> None:
    response = client.get(f"/api/v1/rules/{slug}/picture.svg", query)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid-parameter"
    assert [error["parameter"] for error in response.json()["errors"]] == parameters


def test_a_picture_of_too_many_seats_is_refused(client: Client, slug: str) -> None:
    response = client.get(f"/api/v1/rules/{slug}/picture.svg", {"seats": "99"})
    assert (response.status_code, response.json()["code"]) == (422, "wrong-seats")
    assert response.json()["errors"][0]["parameter"] == "seats"


def test_options_are_fields_of_a_form(client: Client) -> None:
    fields = {
        (slug, option["name"]): option
        for slug in ENGINES
        for option in client.get(f"/api/v1/rules/{slug}").json()["options"]
    }
    assert fields["law_of_the_dice", "suit_by"] == {
        "name": "suit_by",
        "title": "Suit by",
        "description": "Who chooses the suit of a count: all players by vote, or a die.",
        "kind": "choice",
        "choices": [{"value": "vote", "title": "Vote"}, {"value": "die", "title": "Die"}],
        "minimum": None,
        "maximum": None,
        "may_be_null": False,
        "default": "vote",
    }
    kept, points = (fields["law_of_the_dice", name] for name in ("laws_kept", "points_to_win"))
    assert (kept["kind"], kept["default"]) == ("switch", False)
    assert (points["kind"], points["minimum"], points["maximum"]) == ("number", 1, 10)
    first = fields["law", "first"]
    assert (first["kind"], first["may_be_null"], first["default"]) == ("number", True, None)
    assert [each["title"] for each in fields["duality", "file"]["choices"]] == list("234567")


def test_each_value_of_a_field_makes_a_table(client: Client, slug: str) -> None:
    engine = ENGINES[slug]
    schema = client.get(f"/api/v1/rules/{slug}/schemas/options").json()
    fields = client.get(f"/api/v1/rules/{slug}").json()["options"]
    plain = json_codec.to_json(engine.about.options())
    assert {field["name"]: field["default"] for field in fields} == plain
    for field in fields:
        assert field["description"].endswith(".")
        assert schema["properties"][field["name"]]["title"] == field["title"]
        for value in values_of(field):
            options = {field["name"]: value}
            jsonschema_rs.validate(schema, options)
            json_codec.from_json(engine.about.options, options)
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(schema, {field["name"]: "neither"})


def values_of(field: dict[str, Any]) -> list[Any]:
    """The values that a form offers, the numbers by their ends."""
    kinds = {
        "choice": [choice["value"] for choice in field["choices"]],
        "switch": [True, False],
        "number": [field["minimum"], field["maximum"]],
    }
    return kinds[field["kind"]] + ([None] if field["may_be_null"] else [])


def test_options_that_no_form_has_are_told_apart() -> None:
    @dataclass(frozen=True)
    class Odd:
        """Options of a package."""

        name: str = "x"
        pair: tuple[int, ...] = ()

    engine: Any = SimpleNamespace(about=SimpleNamespace(options=Odd))
    assert [(field.kind, field.description) for field in option_fields(engine)] == [
        ("text", ""),
        ("other", ""),
    ]
