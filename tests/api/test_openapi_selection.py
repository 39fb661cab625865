"""The OpenAPI document of one ruleset has its types, whole and no others."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from django.test import Client

from api.openapi_schemas import SCHEMA_REF_PREFIX, reachable_schemas
from api.ruleset_types import Part, type_of, typed, typed_news
from api.schema import openapi_document
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES, RULESETS
from tests.api.test_conventions import assert_problem

PATH = "/api/v1/openapi.json"


def read(client: Client, **query: str) -> dict[str, Any]:
    """The document that the server gives, in which every reference leads somewhere."""
    response = client.get(PATH, query)
    assert response.status_code == 200
    document: dict[str, Any] = response.json()
    schemas = document["components"]["schemas"]
    parts = [document["paths"], document["webhooks"], schemas]
    assert reachable_schemas(parts, schemas) <= schemas.keys()
    for union in (one for one in schemas.values() if "discriminator" in one):
        mapping = union["discriminator"]["mapping"]
        assert [one["$ref"] for one in union["oneOf"]] == [*mapping.values()]
        assert {one.removeprefix(SCHEMA_REF_PREFIX) for one in mapping.values()} <= schemas.keys()
    return document


def types_in(document: dict[str, Any], union: str) -> set[str]:
    return {*document["components"]["schemas"][union]["discriminator"]["mapping"]}


def validate(document: dict[str, Any], name: str, value: Any) -> None:
    """Check a value by a schema of the document."""
    parts = {"$ref": SCHEMA_REF_PREFIX + name, "components": document["components"]}
    jsonschema_rs.Draft202012Validator(parts).validate(value)


@pytest.mark.parametrize("versions", ["newest", "all"])
def test_it_has_the_types_of_its_ruleset(client: Client, slug: str, versions: str) -> None:
    engine, whole = ENGINES[slug], openapi_document()
    document = read(client, rules=slug, versions=versions)
    described = {
        one.version
        for one in RULESETS
        if one.slug == slug and (versions == "all" or one.version == engine.about.version)
    }
    parts: tuple[tuple[str, Part], ...] = (("Options", "options"), ("View", "view"))
    for union, part in parts:
        expected = {type_of(slug, version, part) for version in described}
        assert types_in(document, union) == expected
    for union in ("Action", "LoggedAction", "NewsItem"):
        kept = {one for one in types_in(whole, union) if one.partition(".")[0] in (slug, "table")}
        found = types_in(document, union)
        assert found == kept if versions == "all" else found <= kept
    assert document["paths"].keys() == whole["paths"].keys()


def test_it_describes_a_game(client: Client, slug: str) -> None:
    engine = ENGINES[slug]
    document = read(client, rules=slug)
    assert document == read(client, rules=slug, versions="newest")
    about, rng = engine.about, FastRng(1)
    state = engine.start(about.options(), about.seats[0], rng)
    seat = next(seat for seat in range(about.seats[0]) if state.legal_actions(seat))
    for code in state.legal_actions(seat)[:20]:
        validate(document, "Action", engine.action_codec.json_from_int(code))
    for item in typed_news(slug, engine.news(state, seat)):
        validate(document, "NewsItem", item)
    view = engine.view(state, seat)
    validate(document, "View", typed(slug, about.version, "view", view))
    options = typed(slug, about.version, "options", about.options())
    validate(document, "Options", options)
    validate(document, "NewOptions", options)
    for operations in document["paths"].values():
        for operation in operations.values():
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    if "example" in content:
                        reference = content["schema"]["$ref"].removeprefix(SCHEMA_REF_PREFIX)
                        validate(document, reference, content["example"])


def test_it_is_small_and_may_be_kept(client: Client, slug: str) -> None:
    response = client.get(PATH, {"rules": slug}, headers={"Accept-Encoding": "br"})
    assert (response["Content-Encoding"], response["Cache-Control"]) == (
        "br",
        "public, max-age=300",
    )
    plain = client.get(PATH, {"rules": slug}).content
    assert len(response.content) < len(plain) / 10
    assert len(plain) < 0.7 * len(client.get(PATH).content)
    again = client.get(
        PATH,
        {"rules": slug},
        headers={"Accept-Encoding": "br", "If-None-Match": response["ETag"]},
    )
    assert (again.status_code, again["ETag"]) == (304, response["ETag"])
    assert client.get(PATH, headers={"Accept-Encoding": "br"})["ETag"] != response["ETag"]


def test_the_whole_document_has_all_types_unless_it_is_asked_for_less(client: Client) -> None:
    assert read(client) == read(client, versions="all") == openapi_document()
    newest = read(client, versions="newest")
    expected = {type_of(slug, one.about.version, "view") for slug, one in ENGINES.items()}
    assert types_in(newest, "View") == expected
    assert newest["paths"] == openapi_document()["paths"]


def test_a_ruleset_that_is_not_there_is_refused(client: Client) -> None:
    assert_problem(client.get(PATH, {"rules": "chess"}), 422, "unknown-rules")
    assert_problem(client.get(PATH, {"versions": "1"}), 400, "invalid-parameter")
