"""The differences between API levels are listed, and break no promise of docs/changes.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from api import api_level, deprecations, level_changes
from api.api_level import API_LEVEL, STORED_LEVELS
from api.deprecations import Deprecation
from api.document_differences import Difference, differences
from api.schema import openapi_document

Edit = Callable[[dict[str, Any]], None]
TEXT = {"type": "string"}
DELETED = "DELETE /webhooks/{webhook}"


def broken_promises(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The breaking differences of all levels that have no reason."""
    levels = level_changes.changes(document, api_level.levels_including(document))
    return [one for level in levels for one in level["breaking"] if one["reason"] is None]


def test_the_committed_file_is_this_one() -> None:
    """`make openapi` writes it."""
    listed = level_changes.changes(openapi_document())
    assert level_changes.CHANGES_FILE.read_text("utf-8") == level_changes.serialized(listed)
    assert [one["level"] for one in listed] == [*range(API_LEVEL, 1, -1)]


def test_each_level_differs_from_the_one_before() -> None:
    for one in level_changes.changes(openapi_document()):
        assert one["breaking"] or one["compatible"]


def test_no_promise_is_broken() -> None:
    assert not broken_promises(openapi_document())


def test_every_accepted_difference_occurs() -> None:
    occurring = {
        (level["level"], one["place"])
        for level in level_changes.changes(openapi_document())
        for one in level["breaking"]
    }
    assert level_changes.accepted_reasons().keys() <= occurring


def without_operation(document: dict[str, Any]) -> None:
    del document["paths"]["/api/v1/webhooks/{webhook}"]["delete"]


def edited(edit: Edit) -> dict[str, Any]:
    """The document after an edit."""
    document = deepcopy(openapi_document())
    edit(document)
    return document


def test_removing_an_operation_breaks_a_promise_until_its_deprecation_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = edited(without_operation)
    assert [one["place"] for one in broken_promises(document)] == [DELETED]
    ended = Deprecation(DELETED, date(2024, 1, 1), date(2025, 1, 1), "Delete nothing.")
    monkeypatch.setattr(deprecations, "DEPRECATIONS", (ended,))
    assert not broken_promises(document)
    announced = replace(ended, sunset=date(9999, 1, 1))
    monkeypatch.setattr(deprecations, "DEPRECATIONS", (announced,))
    assert [one["place"] for one in broken_promises(document)] == [DELETED]


def test_a_released_level_is_judged_by_the_day_of_its_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ending = Deprecation(DELETED, date(2024, 1, 1), date(2025, 1, 1), "Delete nothing.")
    monkeypatch.setattr(deprecations, "DEPRECATIONS", (ending,))
    gone = Difference(DELETED, "is gone", breaks=True)
    for day, is_permitted in ((date(2024, 12, 31), False), (ending.sunset, True)):
        level = replace(STORED_LEVELS[-1], released=day)
        assert bool(level_changes.reason(API_LEVEL + 1, level, gone)) == is_permitted
    another = replace(gone, change="is called otherwise")
    level = replace(STORED_LEVELS[-1], released=ending.sunset)
    assert level_changes.reason(API_LEVEL + 1, level, another) is None


# -- the comparison --------------------------------------------------------------------------------


def set_in(*path: str, to: Any) -> Edit:
    """Set a value of the document."""

    def edit(document: dict[str, Any]) -> None:
        for name in path[:-1]:
            document = document[name]
        document[path[-1]] = to

    return edit


def schema(name: str, *path: str, to: Any) -> Edit:
    return set_in("components", "schemas", name, *path, to=to)


def operation(path: str, method: str, *names: str, to: Any) -> Edit:
    return set_in("paths", f"/api/v1{path}", method, *names, to=to)


def parameter(name: str, **change: Any) -> Edit:
    """Add a parameter to the query of `GET /games`, or change it."""

    def edit(document: dict[str, Any]) -> None:
        parameters = document["paths"]["/api/v1/games"]["get"]["parameters"]
        found = next((one for one in parameters if one["name"] == name), None)
        if found is None:
            parameters.append({"in": "query", "name": name, "schema": {}, **change})
        else:
            found |= change

    return edit


def drop(name: str, part: str, member: str) -> Edit:
    """Remove a member of a schema, or its requirement."""

    def edit(document: dict[str, Any]) -> None:
        place = document["components"]["schemas"][name][part]
        place.pop(member) if isinstance(place, dict) else place.remove(member)

    return edit


def drop_parameter(document: dict[str, Any]) -> None:
    parameters = document["paths"]["/api/v1/games"]["get"]["parameters"]
    parameters[:] = [one for one in parameters if one["name"] != "phase"]


def require(name: str, member: str) -> Edit:
    return lambda document: document["components"]["schemas"][name]["required"].append(member)


def add_required(name: str, member: str) -> Edit:
    def edit(document: dict[str, Any]) -> None:
        schema(name, "properties", member, to=TEXT)(document)
        require(name, member)(document)

    return edit


def add_value(name: str, value: str) -> Edit:
    return lambda document: document["components"]["schemas"][name]["enum"].append(value)


def drop_value(name: str, value: str) -> Edit:
    return lambda document: document["components"]["schemas"][name]["enum"].remove(value)


NEW_OPERATION = {"operationId": "new", "responses": {}}
BREAKING: dict[str, tuple[Edit, str, str]] = {
    "operation": (without_operation, DELETED, "is gone"),
    "operation id": (
        operation("/me", "get", "operationId", to="myself"),
        "GET /me",
        "me is called myself",
    ),
    "parameter": (drop_parameter, "GET /games query phase", "is gone"),
    "new required parameter": (
        parameter("color", required=True),
        "GET /games query color",
        "is new and required",
    ),
    "parameter now required": (
        parameter("phase", required=True),
        "GET /games query phase",
        "is required",
    ),
    "parameter of another type": (
        parameter("phase", schema={"type": "integer"}),
        "GET /games query phase",
        "is no longer string",
    ),
    "bound of a parameter": (
        parameter("limit", schema={"type": "integer", "minimum": 1, "maximum": 3}),
        "GET /games query limit",
        "has the maximum 3",
    ),
    "key": (
        operation("/rules", "get", "security", to=[{"key": ["games:read"]}]),
        "GET /rules",
        "needs games:read instead of no key",
    ),
    "status": (
        operation("/guests", "post", "responses", "202", to={"description": "Later."}),
        "POST /guests 202",
        "is new",
    ),
    "media type": (
        operation("/me", "get", "responses", "200", "content", to={}),
        "GET /me 200 application/json",
        "is gone",
    ),
    "header": (
        operation("/me", "get", "responses", "200", "headers", to={}),
        "GET /me 200 header Request-Id",
        "is gone",
    ),
    "member of a reply": (drop("Me", "properties", "name"), "Me.name", "is gone"),
    "member of a reply now optional": (drop("Me", "required", "name"), "Me.name", "is optional"),
    "member of a reply now null": (
        schema("Me", "properties", "name", to={"type": ["string", "null"]}),
        "Me.name",
        "may be null",
    ),
    "format of a reply": (
        schema("Me", "properties", "created", to={"type": "string"}),
        "Me.created",
        "has no format",
    ),
    "member of a body": (drop("Rename", "properties", "name"), "Rename.name", "is gone"),
    "member of a body now required": (require("NewGame", "clock"), "NewGame.clock", "is required"),
    "new required member of a body": (
        add_required("Rename", "color"),
        "Rename.color",
        "is new and required",
    ),
    "value of a body": (
        drop_value("NewGameVisibility", "private"),
        "NewGame.visibility",
        "is no longer 'private'",
    ),
    "event": (
        lambda document: document["webhooks"].pop("game.over"),
        "webhook game.over",
        "is gone",
    ),
}
COMPATIBLE: dict[str, tuple[Edit, str, str]] = {
    "operation": (operation("/me", "trace", to=NEW_OPERATION), "TRACE /me", "is new"),
    "parameter": (parameter("color"), "GET /games query color", "is new"),
    "bound of a parameter": (
        parameter("limit", schema={"type": "integer", "minimum": 1, "maximum": 9999}),
        "GET /games query limit",
        "has the maximum 9999",
    ),
    "no key": (operation("/me", "get", "security", to=[]), "GET /me", "needs no key"),
    "member of a reply": (schema("Me", "properties", "color", to=TEXT), "Me.color", "is new"),
    "member of a body": (
        schema("Rename", "properties", "color", to=TEXT),
        "Rename.color",
        "is new",
    ),
    "value of a reply": (add_value("Phase", "paused"), "GameView.phase", "may be 'paused'"),
    "value gone from a reply": (
        drop_value("Phase", "over"),
        "GameView.phase",
        "is no longer 'over'",
    ),
    "kind of objects": (
        lambda document: document["components"]["schemas"]["View"]["oneOf"].append(
            {"$ref": "#/components/schemas/Ping"}
        ),
        "GameView.view",
        "may be Ping",
    ),
}


def found(edit: Edit, place: str) -> list[Difference]:
    """The differences at a place after an edit."""
    all_found = differences(openapi_document(), edited(edit))
    return [one for one in all_found if one.place == place]


@pytest.mark.parametrize("name", BREAKING)
def test_a_breaking_difference_is_found(name: str) -> None:
    edit, place, change = BREAKING[name]
    assert Difference(place, change, breaks=True) in found(edit, place)


@pytest.mark.parametrize("name", COMPATIBLE)
def test_a_compatible_difference_is_found(name: str) -> None:
    edit, place, change = COMPATIBLE[name]
    (difference,) = found(edit, place)
    assert difference.change.startswith(change)
    assert not difference.breaks


def test_a_document_does_not_differ_from_itself() -> None:
    assert not differences(openapi_document(), deepcopy(openapi_document()))


def test_names_and_texts_are_no_difference() -> None:
    """The name of a schema is that of a class in generated code, not a part of the JSON."""
    text = json.dumps(openapi_document()).replace('schemas/Me"', 'schemas/Myself"')
    document = json.loads(text)
    schemas = document["components"]["schemas"]
    schemas["Myself"] = schemas.pop("Me") | {"description": "Another text."}
    assert not differences(openapi_document(), document)
