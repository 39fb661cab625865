"""The API contract: every response that a test gets, from Django's test client or from a server,
must be one that the OpenAPI document promises."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from copy import deepcopy
from email.message import Message
from functools import cache, cached_property
from typing import Any, Final

import brotli  # type: ignore[import-untyped]
import jsonschema_rs
import orjson

from api import schema
from api.cross_origin import EXPOSED_HEADERS
from api.problem_catalogue import PROBLEM_KINDS
from api.response_headers import ALWAYS_SENT
from games import request_trace

BASE: Final = "/api/v1"
# a page, and an address that others use
UNDESCRIBED: Final = {f"{BASE}/docs", f"{BASE}/"}
DOCUMENT_URI: Final = "urn:tabularium:openapi"  # to which references are resolved
PROBLEM: Final = "application/problem+json"
Headers = Mapping[str, str] | Message
PROBLEM_MEMBERS: Final = {"type", "title", "status", "code", "detail", "request_id"}  # of each
DECOMPRESS: Final = {"gzip": gzip.decompress, "br": brotli.decompress}
ENDLESS: Final = ("text/event-stream", "application/x-ndjson")


class Contract:
    """The OpenAPI document, and the operations and problems seen so far."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = strict(document)
        self.paths = {template: pattern_of(template) for template in self.document["paths"]}
        self.called: set[str] = set()  # operation ids
        self.problems: set[str] = set()  # codes
        self._validators: dict[bytes, jsonschema_rs.Validator] = {}  # by schema
        resources = [(DOCUMENT_URI, self.document)]
        self._registry = jsonschema_rs.Registry(resources, draft=jsonschema_rs.Draft202012)

    @cached_property
    def operations(self) -> dict[str, dict[str, Any]]:
        """The description of every operation, with its method and path, by operation id."""
        return {
            description["operationId"]: description | {"method": method.upper(), "path": path}
            for path, methods in self.document["paths"].items()
            for method, description in methods.items()
        }

    def template(self, path: str) -> str | None:
        """The path template that this path matches, preferring the fewest parameters."""
        templates = [each for each, pattern in self.paths.items() if pattern.fullmatch(path)]
        return min(templates, key=lambda each: each.count("{"), default=None)

    def check(self, method: str, path: str, status: int, headers: Headers, content: bytes) -> None:
        """Assert that this response is described."""
        label = f"{method} {path}: {status}"
        assert request_trace.REQUEST_ID_PATTERN.fullmatch(headers["Request-Id"]), label
        assert headers["Cache-Control"], label
        if not path.startswith(BASE) or path in UNDESCRIBED:
            return
        template = self.template(path)
        methods = {} if template is None else self.document["paths"][template]
        description = methods.get("get" if method == "HEAD" else method.lower())
        if method == "OPTIONS" and status == 204:
            assert content == b"", label
            return
        if encoding := headers.get("Content-Encoding"):
            content = DECOMPRESS[encoding](content)
        if description is None:
            assert status in (404, 405, 401, 400, 406, 429, 500), label
            description = {"operationId": "", "responses": {}}
        else:
            self.called.add(description["operationId"])
        self._check_body(label, description, status, headers, b"" if method == "HEAD" else content)

    def _check_body(
        self,
        label: str,
        description: dict[str, Any],
        status: int,
        headers: Headers,
        content: bytes,
    ) -> None:
        media_type = headers.get("Content-Type", "").partition(";")[0]
        self._check_headers(label, description, status, headers)
        if status >= 400:
            assert media_type == PROBLEM, label
            if content:
                operation = description["operationId"] if description["responses"] else ""
                self._check_problem(label, operation, status, headers, content)
            return
        response_schema = description["responses"].get(str(status))
        assert response_schema is not None, f"{label} is not described"
        if not response_schema.get("content"):
            assert content == b"", label
            return
        assert media_type in response_schema["content"], f"{label} is of type {media_type}"
        if media_type.endswith("json") and content and media_type not in ENDLESS:
            self._validate((description["operationId"], str(status), media_type), content, label)

    def _check_headers(
        self, label: str, description: dict[str, Any], status: int, headers: Headers
    ) -> None:
        """Assert that each header that browsers may read is described, and fits its schema, and
        that none is missing of those that each response has."""
        responses = description["responses"]
        described = responses.get(str(status), responses.get(f"{status // 100}XX", {})).get(
            "headers", {}
        )
        missing = [name for name in ALWAYS_SENT if responses and name not in headers]
        assert not missing, f"{label} lacks {missing}"
        for name in EXPOSED_HEADERS:
            if name not in headers or not responses:
                continue
            assert name in described, f"{label} has {name}"
            header_schema = self.document["components"]["headers"][name]["schema"]
            value = int(headers[name]) if header_schema["type"] == "integer" else headers[name]
            assert self.validator(header_schema).is_valid(value), f"{label}: {name}: {value}"

    def _check_problem(
        self, label: str, operation: str, status: int, headers: Headers, content: bytes
    ) -> None:
        self._validate((operation, f"{status // 100}XX", PROBLEM), content, label)
        document = orjson.loads(content)
        code = document["code"]
        assert document["status"] == PROBLEM_KINDS[code].status == status, label
        assert document.keys() - PROBLEM_MEMBERS <= {*PROBLEM_KINDS[code].members}, label
        assert document["request_id"] == headers["Request-Id"], label
        assert document["type"] == f"{BASE}/problems/{code}", label
        assert ("WWW-Authenticate" in headers) == (status == 401), label
        assert "Allow" in headers or status != 405, label
        assert headers["Cache-Control"] == "no-store", label
        self.problems.add(code)

    def _validate(self, place: tuple[str, ...], content: bytes, label: str) -> None:
        validator = self.validator(self._schema(place))
        error = next(iter(validator.iter_errors(orjson.loads(content))), None)
        assert error is None, f"{label} is not as described: {error}"

    def _schema(self, place: tuple[str, ...]) -> Any:
        operation, status, media_type = place
        if not operation:
            return {"$ref": "#/components/schemas/Problem"}
        return self.operations[operation]["responses"][status]["content"][media_type]["schema"]

    def validator(self, description: Any) -> Any:
        """The validator for a schema of the document, without the parts that it does not need. Many
        replies share one: it takes megabytes."""
        text = orjson.dumps(description).replace(b'"$ref":"#', f'"$ref":"{DOCUMENT_URI}#'.encode())
        if text not in self._validators:
            self._validators[text] = jsonschema_rs.Draft202012Validator(
                orjson.loads(text), registry=self._registry, validate_formats=True
            )
        return self._validators[text]


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
    for schema_document in copy["components"]["schemas"].values():
        if "properties" in schema_document:
            schema_document.setdefault("additionalProperties", False)
    return copy
