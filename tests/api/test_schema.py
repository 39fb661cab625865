"""Does the OpenAPI document tell the truth, and all of it?"""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS

from api import schema, urls
from games.registry import ENGINES

UNDESCRIBED = {"/openapi.json", "/docs"}  # they are the description


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    schema.openapi.cache_clear()
    with GENERATOR_STATS.silence():
        made = schema.openapi()
    assert not GENERATOR_STATS
    return made


def test_every_address_is_described(document: dict[str, Any]) -> None:
    routes = {re.sub(r"<\w+:(\w+)>", r"{\1}", str(url.pattern)) for url in urls.urlpatterns}
    assert set(document["paths"]) == {"/api/v1" + route for route in routes - UNDESCRIBED}
    assert document["openapi"] == "3.1.1"


def test_every_operation_says_that_it_may_refuse(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            told = operation["responses"]["default"]["content"]["application/problem+json"]
            assert told["schema"] == {"$ref": "#/components/schemas/Problem"}


@pytest.mark.parametrize("given", [{}, {"code": "not-found", "part": "options"}, {"code": "no"}])
def test_answers_are_as_described(document: dict[str, Any], given: dict[str, str]) -> None:
    client = Client()
    for path, operations in document["paths"].items():
        values = {"slug": next(iter(ENGINES)), "code": "x", "part": "x", **given}
        response = client.get(path.format(**values))
        described = operations["get"]["responses"]
        content = described.get(str(response.status_code), described["default"])["content"]
        media_type = response["Content-Type"].partition(";")[0]
        if "json" in media_type:
            fitting = content[media_type]["schema"]
            jsonschema_rs.validate(
                {**fitting, "components": document["components"]}, response.json()
            )
        else:
            assert media_type in content
