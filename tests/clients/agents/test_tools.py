"""The list of tools: short, whole, and with the arguments that the API takes."""

from __future__ import annotations

from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from mcp.types import ListToolsResult

from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_client.mcp_server.server import listed
from tabularium_client.mcp_server.tools import BY_NAME, TOOLS, Tool
from tests.support.committed_document import committed_document

A_LIST: Final = 8_000  # bytes
OPENAPI: Final = committed_document()
SCHEMAS: Final = OPENAPI["components"]["schemas"]
OPERATIONS: Final = {
    operation["operationId"]: operation
    for path in OPENAPI["paths"].values()
    for operation in path.values()
    if isinstance(operation, dict) and "operationId" in operation
}
# the tools whose arguments are sent as they are
SENT: Final = [tool for tool in TOOLS if tool.name in OPERATIONS and not tool.is_reading]
OWN: Final = {"act": {"offer", "words", "within"}}  # arguments that the API does not know


def members(operation: Any) -> dict[str, tuple[Any, bool]]:
    """The parameters and the members of the body of an operation, and whether it needs them."""
    found = {each["name"]: (each["schema"], True) for each in operation["parameters"]}
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = SCHEMAS[content["schema"]["$ref"].rpartition("/")[2]] if content else {}
    needed = body.get("required", ())
    return found | {
        name: (each, name in needed) for name, each in body.get("properties", {}).items()
    }


def words(schema: Any) -> set[str]:
    """The values of a schema that takes a few words."""
    if "$ref" in schema:
        return words(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    return set(schema.get("enum", ()))


def test_the_list_leaves_room_for_a_game() -> None:
    result = ListToolsResult(tools=[listed(tool) for tool in TOOLS])
    assert len(result.model_dump_json(by_alias=True, exclude_none=True).encode()) <= A_LIST


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_is_described_in_itself(tool: Tool) -> None:
    Draft202012Validator.check_schema(tool.input_schema)
    assert tool.description.endswith(".")
    assert "http" not in str(listed(tool))
    assert "GET" not in tool.description
    assert not (tool.is_reading and tool.is_destructive)


@pytest.mark.parametrize("tool", SENT, ids=lambda tool: tool.name)
def test_the_arguments_are_those_of_the_api(tool: Tool) -> None:
    found, own = members(OPERATIONS[tool.name]), OWN.get(tool.name, set())
    arguments = {**tool.needed, **tool.others}
    assert arguments.keys() - own <= found.keys()
    needed = {name for name, (_, is_needed) in found.items() if is_needed and name in arguments}
    assert needed <= tool.needed.keys() | {"seat"}
    for name in arguments.keys() - own:
        taken = words(found[name][0])
        assert set(arguments[name].get("enum", taken)) == taken


def test_most_tools_send_their_arguments() -> None:
    assert len(SENT) >= 14


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({}, ""),
        ({"game": "g", "choice": "c", "extra": 1}, ""),
        ({"game": "g", "choice": "c", "within": -1}, "/within"),
        ({"game": "g", "choice": "c", "offer": "1"}, "/offer"),
        ({"game": "g", "choice": "c", "action": "{}"}, "/action"),
    ],
)
def test_other_arguments_are_refused(arguments: Any, pointer: str) -> None:
    with pytest.raises(ToolRefusal) as refused:
        BY_NAME["act"].checked(arguments)
    assert (refused.value.code, refused.value.pointer) == ("invalid-arguments", pointer)
