"""The table of operations in `operations.js`, held against the OpenAPI document: the pages call
nothing that it does not describe."""

from __future__ import annotations

import re
from typing import Any, Final

import orjson
import pytest

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tests.support.committed_document import committed_document

DOCUMENT: Final = committed_document()
SOURCE: Final = (PROJECT_ROOT / "web/assets/operations.js").read_text()
ROW: Final = re.compile(r"^  (\w+): (\[.*\]),$", re.MULTILINE)
OPERATIONS: Final = {name: orjson.loads(row) for name, row in ROW.findall(SOURCE)}
CALL: Final = re.compile(r'\.(?:call|lines|address)\(\s*"(\w+)"')


def described(method: str, path: str) -> dict[str, Any]:
    """An operation of the document; parameters of a path may have other names there."""
    plain = re.sub(r"\{\w+\}", "{}", path)
    (found,) = [
        item[method.lower()]
        for route, item in DOCUMENT["paths"].items()
        if re.sub(r"\{\w+\}", "{}", route) == f"/api/v1{plain}"
    ]
    return dict(found)


def members(operation: dict[str, Any], kind: str) -> set[str]:
    """The members of an operation's JSON body: all `properties`, or those that are `required`."""
    content = operation.get("requestBody", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    if not reference:
        return set()
    shape = DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]]
    return set(shape.get(kind, ()))


def test_every_line_of_the_table_is_read() -> None:
    table = SOURCE.partition("= {")[2].partition("};")[0]
    assert len(OPERATIONS) == len(table.strip().splitlines()) > 20


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_that_of_the_document(name: str) -> None:
    method, path, query, body = OPERATIONS[name]
    operation = described(method, path)
    parameters = operation.get("parameters", [])
    assert set(query) <= {one["name"] for one in parameters if one["in"] == "query"}
    assert set(body) <= members(operation, "properties")
    assert members(operation, "required") <= set(body)


def test_the_scripts_call_operations_of_the_table_alone() -> None:
    scripts = sorted((PROJECT_ROOT / "web/assets").rglob("*.js"))
    called = {name for script in scripts for name in CALL.findall(script.read_text())}
    assert called
    assert called <= set(OPERATIONS)


def test_an_operation_that_does_not_exist_is_found() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        described("GET", "/nothing")
