"""The OpenAPI document is correct and complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.renderers import OpenApiYamlRenderer

from api import api_level, schema, urls
from api.schema import EXAMPLES_FILE
from tests.api.contract import BASE, UNDESCRIBED, contract
from tests.api.examples import examples, serialized

API = Path(schema.__file__).parent


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    schema.openapi_document.cache_clear()
    with GENERATOR_STATS.silence():
        generated = schema.openapi_document()
    assert not GENERATOR_STATS
    return generated


def test_every_address_is_described(document: dict[str, Any]) -> None:
    routes = {re.sub(r"<\w+:(\w+)>", r"{\1}", str(url.pattern)) for url in urls.urlpatterns}
    assert set(document["paths"]) == {BASE + route for route in routes} - UNDESCRIBED
    assert document["openapi"] == "3.1.1"


def test_every_operation_says_that_it_may_refuse(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            content = operation["responses"]["default"]["content"]["application/problem+json"]
            assert content["schema"] == {"$ref": "#/components/schemas/Problem"}


def test_every_body_and_reply_has_a_name(document: dict[str, Any]) -> None:
    for operation in contract().operations.values():
        kinds = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (kind["content"] for kind in kinds if "content" in kind):
            body_schema = content.get("application/json", {}).get("schema", {"$ref": ""})
            assert "$ref" in body_schema, operation


def test_bodies_and_replies_are_described_in_one_way() -> None:
    """By `operation`, with shapes; webhooks are described in a module of their own."""
    sources = {path.relative_to(API).as_posix(): path.read_text() for path in API.rglob("*.py")}
    extended = {name for name, text in sources.items() if "extend_schema" in text}
    assert extended == {"schema.py", "webhooks/openapi.py"}


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """All objects in the document, at any depth."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            yield from schemas(inner)


def test_what_may_be_said_is_of_the_type_that_is_named(document: dict[str, Any]) -> None:
    for enum_schema in schemas(document["components"]["schemas"]):
        if isinstance(enum_schema.get("enum"), list) and isinstance(enum_schema.get("type"), str):
            validator = contract().validator({"type": enum_schema["type"]})
            assert all(map(validator.is_valid, enum_schema["enum"])), enum_schema


def test_no_description_is_indented(document: dict[str, Any]) -> None:
    """Markdown would render it as code."""
    for described_schema in schemas(document["components"]["schemas"]):
        lines = str(described_schema.get("description", "")).splitlines()
        assert not [line for line in lines if line.startswith(" ")], described_schema


def test_the_committed_document_is_this_one(document: dict[str, Any]) -> None:
    """`make openapi` writes it."""
    rendered = OpenApiYamlRenderer().render(document, renderer_context={})
    assert (API / "openapi.yaml").read_bytes() == rendered


def test_another_document_has_another_level(document: dict[str, Any]) -> None:
    """`make openapi` raises the level."""
    assert api_level.digests_including(document) == api_level.STORED_LEVELS["digests"]
    assert len(set(api_level.STORED_LEVELS["digests"])) == api_level.API_LEVEL
    assert document["info"]["x-api-level"] == api_level.API_LEVEL
    assert Client().get("/api/v1").json()["api_level"] == api_level.API_LEVEL
    edited = deepcopy(document)
    edited["components"]["schemas"]["Me"]["required"].remove("name")
    assert len(api_level.digests_including(edited)) == api_level.API_LEVEL + 1


@pytest.mark.django_db
def test_examples_are_what_is_answered_today() -> None:
    """`make openapi` writes the examples."""
    assert EXAMPLES_FILE.read_text(encoding="utf-8") == serialized(examples())


def test_examples_are_as_described() -> None:
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    for name, example in examples.items():
        operation = contract().operations[name]
        reply = operation["responses"][str(example["status"])]["content"]["application/json"]
        assert reply["example"] == example["reply"]
        contract().validator(reply["schema"]).validate(example["reply"])
        if "body" in example:
            body = operation["requestBody"]["content"]["application/json"]
            assert body["example"] == example["body"]
            contract().validator(body["schema"]).validate(example["body"])
