"""The API contract: every answer that a test gets, from Django's test client or from a server, must
be one that the OpenAPI document promises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from email.message import Message
from functools import cache
from typing import Any, Final

import jsonschema_rs
import orjson

from api import schema
from api.problem_catalogue import PROBLEM_KINDS
from games import trace_context

BASE: Final = "/api/v1"
UNDESCRIBED: Final = {f"{BASE}/openapi.json", f"{BASE}/docs"}  # the description itself
PROBLEM: Final = "application/problem+json"
Headers = Mapping[str, str] | Message
ENDLESS: Final = ("text/event-stream", "application/x-ndjson")


class Contract:
    """The OpenAPI document, and the operations and problems seen so far."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = strict(document)
        self.paths = {template: pattern_of(template) for template in self.document["paths"]}
        self.called: set[str] = set()  # operation ids
        self.problems: set[str] = set()  # codes
        self._validators: dict[tuple[str, ...], jsonschema_rs.Validator] = {}

    @property
    def operations(self) -> dict[str, dict[str, Any]]:
        """The description of every operation, with its method and path, by operation id."""
        return {
            described["operationId"]: described | {"method": method.upper(), "path": path}
            for path, methods in self.document["paths"].items()
            for method, described in methods.items()
        }

    def template(self, path: str) -> str | None:
        """The path template that this path matches, preferring the fewest parameters."""
        fitting = [each for each, pattern in self.paths.items() if pattern.fullmatch(path)]
        return min(fitting, key=lambda each: each.count("{"), default=None)

    def check(self, method: str, path: str, status: int, headers: Headers, content: bytes) -> None:
        """Assert that this answer is described."""
        asked = f"{method} {path}: {status}"
        assert trace_context.REQUEST_ID_PATTERN.fullmatch(headers["Request-Id"]), asked
        assert headers["Cache-Control"], asked
        if not path.startswith(BASE) or path in UNDESCRIBED:
            return
        template = self.template(path)
        methods = {} if template is None else self.document["paths"][template]
        described = methods.get("get" if method == "HEAD" else method.lower())
        if described is None:
            assert status in (404, 405, 401, 400, 406, 429, 500), asked
            described = {"operationId": "", "responses": {}}
        else:
            self.called.add(described["operationId"])
        self._check_body(asked, described, status, headers, b"" if method == "HEAD" else content)

    def _check_body(
        self,
        asked: str,
        described: dict[str, Any],
        status: int,
        headers: Headers,
        content: bytes,
    ) -> None:
        media_type = headers.get("Content-Type", "").partition(";")[0]
        if status >= 400:
            assert media_type == PROBLEM, asked
            if content:
                self._check_problem(asked, status, headers, content)
            return
        told = described["responses"].get(str(status))
        assert told is not None, f"{asked} is not described"
        if not told.get("content"):
            assert content == b"", asked
            return
        assert media_type in told["content"], f"{asked} is of type {media_type}"
        if media_type.endswith("json") and content and media_type not in ENDLESS:
            self._validate((described["operationId"], str(status), media_type), content, asked)

    def _check_problem(self, asked: str, status: int, headers: Headers, content: bytes) -> None:
        self._validate(("", "default", PROBLEM), content, asked)
        document = orjson.loads(content)
        code = document["code"]
        assert document["status"] == PROBLEM_KINDS[code].status == status, asked
        assert document["request_id"] == headers["Request-Id"], asked
        assert document["type"] == f"{BASE}/problems/{code}", asked
        assert ("WWW-Authenticate" in headers) == (status == 401), asked
        assert "Allow" in headers or status != 405, asked
        assert headers["Cache-Control"] == "no-store", asked
        self.problems.add(code)

    def _validate(self, place: tuple[str, ...], content: bytes, asked: str) -> None:
        if place not in self._validators:
            self._validators[place] = self.validator(self._schema(place))
        wrong = next(iter(self._validators[place].iter_errors(orjson.loads(content))), None)
        assert wrong is None, f"{asked} is not as described: {wrong}"

    def _schema(self, place: tuple[str, ...]) -> Any:
        operation, status, media_type = place
        if not operation:
            return {"$ref": "#/components/schemas/Problem"}
        return self.operations[operation]["responses"][status]["content"][media_type]["schema"]

    def validator(self, described: Any) -> Any:
        """A validator for a schema of the document."""
        whole = {"allOf": [described], "components": self.document["components"]}
        return jsonschema_rs.Draft202012Validator(whole)


@cache
def contract() -> Contract:
    """The contract of the current API."""
    return Contract(schema.openapi_document())


def pattern_of(template: str) -> re.Pattern[str]:
    """A pattern for the paths of a template."""
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


def strict(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with closed objects: clients must tolerate unknown members in replies, our tests
    must not."""
    copy = deepcopy(dict(document))
    for described in copy["components"]["schemas"].values():
        if "properties" in described:
            described.setdefault("additionalProperties", False)
    return copy
