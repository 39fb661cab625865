"""The schemas of the tools' arguments are those of the API, for every action and variant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from games.engines.common.json_codec import to_json
from games.promises import random_games
from games.promises.variants import tables
from games.registry import ENGINES
from tabularium_client.mcp_server.input_schemas import ApiDocument
from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_client.mcp_server.tools import BY_NAME, TOOLS, Tool
from tests.support.committed_document import committed_document

OPENAPI: Final = committed_document()
DOCUMENT: Final = ApiDocument(OPENAPI)
SCHEMAS: Final = {tool.name: tool.input_schema(DOCUMENT) for tool in TOOLS}
GAME: Final = "game_" + 32 * "0"
A_TOOL_LIST: Final = 50_000  # bytes that all schemas take together


def validator(name: str) -> jsonschema_rs.Validator:
    """A validator of the arguments of a tool."""
    return jsonschema_rs.validator_for(SCHEMAS[name])


def references(schema: Any) -> Iterator[str]:
    """All references in a schema."""
    if isinstance(schema, dict):
        yield from [schema["$ref"]] if "$ref" in schema else []
        for each in schema.values():
            yield from references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_is_a_whole_json_schema_of_an_object(tool: Tool) -> None:
    schema = SCHEMAS[tool.name]
    Draft202012Validator.check_schema(schema)
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert schema["properties"].keys() >= set(schema["required"])
    assert all(each.keys() & {"description", "$ref"} for each in schema["properties"].values())
    assert {each.removeprefix("#/$defs/") for each in references(schema)} == set(
        schema.get("$defs", {})
    )
    assert "discriminator" not in json.dumps(schema)
    assert tool.description(DOCUMENT).endswith(".")


def test_all_of_them_leave_room_for_a_game() -> None:
    assert len(json.dumps(list(SCHEMAS.values()))) < A_TOOL_LIST


@pytest.mark.parametrize("slug", ENGINES)
def test_every_action_of_a_game_fits_and_no_other(slug: str) -> None:
    engine, act = ENGINES[slug], validator("act")
    game = random_games.play(engine, engine.about.options(), engine.about.seats[0], 5)
    answer = {"game": GAME, "seat": 0, "choice": "0"}
    actions = [
        engine.action_json(each.before, each.seat, each.action)
        for each in game.positions
        if each.before is not None and each.seat is not None
    ]
    assert actions
    for action in actions:
        act.validate({**answer, "action": action})
        for name in action:
            wrong = {**deepcopy(action), name: "nonsense"}
            assert not act.is_valid({**answer, "action": wrong})
        assert not act.is_valid({**answer, "action": {**action, "extra": 1}})


@pytest.mark.parametrize("slug", ENGINES)
def test_the_actions_may_be_those_of_one_ruleset(slug: str) -> None:
    schema = BY_NAME["act"].input_schema(ApiDocument(OPENAPI, [slug]))
    kinds = set(re.findall(r'"const": "(\w+\.\w+)"', json.dumps(schema)))
    codec = ENGINES[slug].action_codec
    assert {codec.type_of(kind) for kind in ENGINES[slug].about.actions} <= kinds
    assert all(kind.startswith(f"{slug}.") for kind in kinds)
    assert len(json.dumps(schema)) < len(json.dumps(SCHEMAS["act"])) / 2


def test_a_ruleset_that_the_server_does_not_have() -> None:
    with pytest.raises(ToolRefusal, match="no ruleset chess"):
        ApiDocument(OPENAPI, ["chess"])


@pytest.mark.parametrize("slug", ENGINES)
def test_every_variant_fits(slug: str) -> None:
    create = validator("create_game")
    for table in tables(ENGINES[slug]):
        seats = [{"kind": "me"}] * table.seats
        create.validate({"rules": slug, "seats": seats, "options": to_json(table.options)})
    assert not create.is_valid({"rules": slug, "seats": seats, "options": {"nonsense": 1}})


def test_no_seed_is_promised_that_no_tool_opens() -> None:
    seat = {"kind": "me", "seed_hash": "0" * 64}
    assert not validator("create_game").is_valid({"rules": "law", "seats": [seat]})
    assert "seed_hash" not in json.dumps(SCHEMAS)


def test_the_api_checks_the_members_of_its_bodies() -> None:
    tool = BY_NAME["act"]
    checked = Draft202012Validator(tool.checked_schema(DOCUMENT))
    answer: dict[str, Any] = {"game": GAME, "seat": 0, "choice": "0", "action": "nonsense"}
    assert checked.is_valid(answer)
    assert not checked.is_valid(answer | {"within": -1})
    assert not checked.is_valid({**answer, "extra": 1})
    del answer["action"]
    assert not checked.is_valid(answer)
