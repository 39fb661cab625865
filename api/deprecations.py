"""Deprecations: parts of the API that still work, and end on a day that is announced a year before.
Replies (RFC 9745, RFC 8594), the OpenAPI document and docs/changes.md say so from one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import http_date
from rest_framework.request import Request

from api.openapi_schemas import SCHEMA_REF_PREFIX
from api.response_headers import DEPRECATION_HEADERS, header_components, header_references

KEPT_FOR: Final = timedelta(days=365)  # from the announcement on, at the least
API_ROOT: Final = "api/v1"
ROUTE_PARAMETER: Final = re.compile(r"<\w+:(\w+)>")
OPERATION_PLACE: Final = re.compile(r"([A-Z]+) (/\S*)(?: query (\w+))?")
SENT_MEMBERS: Final = "sent_members"  # attribute of a request


@dataclass(frozen=True)
class Deprecation:
    """A part of the API that ends. The place is an operation (`GET /games`), a parameter of its
    query (`GET /games query phase`), or a member of a schema (`NewGame.rated`)."""

    place: str
    since: date
    sunset: date
    instead: str  # a sentence

    @property
    def sentence(self) -> str:
        """The description of a deprecated part."""
        return f"Deprecated since {self.since}; ends on {self.sunset}. {self.instead}"


# A row stays: after its sunset it permits that its place is gone.
DEPRECATIONS: tuple[Deprecation, ...] = ()


# -- in replies -----------------------------------------------------------------------------------


def note_members(request: Request, shape: str, body: Any) -> None:
    """Remember which members of a shape a request sends."""
    if DEPRECATIONS and isinstance(body, dict):
        vars(request)[SENT_MEMBERS] = {f"{shape}.{name}" for name in body}


def add_headers(request: Request, response: HttpResponseBase) -> None:
    """Name the earliest dates of all deprecated parts that a request uses."""
    used = list(_used_by(request)) if DEPRECATIONS else []
    if used:
        response["Deprecation"] = f"@{_seconds(min(one.since for one in used))}"
        response["Sunset"] = http_date(_seconds(min(one.sunset for one in used)))
        response["Link"] = f'<{reverse("docs")}>; rel="deprecation"; type="text/html"'


def _used_by(request: Request) -> Iterator[Deprecation]:
    match = request.resolver_match
    path = ROUTE_PARAMETER.sub(r"{\1}", match.route if match else "").removeprefix(API_ROOT)
    method = "GET" if request.method == "HEAD" else request.method
    operation = f"{method} {path or '/'}"
    parameters = {f"{operation} query {name}" for name in request.query_params}
    places = {operation} | parameters | vars(request).get(SENT_MEMBERS, set())
    return (one for one in DEPRECATIONS if one.place in places)


def _seconds(day: date) -> int:
    """The beginning of a day, in seconds."""
    return int(datetime.combine(day, time(), UTC).timestamp())


# -- in the document ------------------------------------------------------------------------------


def mark_deprecated(document: dict[str, Any]) -> None:
    """Mark all deprecated parts of a document, and describe the headers of the replies to them."""
    for one in DEPRECATIONS:
        for part in deprecated_parts(document, one.place):
            part["deprecated"] = True
            part["description"] = f"{part.get('description', '')}\n\n{one.sentence}".strip()
            _describe_headers(document, _operations_with(document, one.place))


def deprecated_parts(document: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """The part of a document at a place; none if it is gone."""
    match = OPERATION_PLACE.fullmatch(place)
    if match is None:
        schema, _, member = place.partition(".")
        properties = document["components"]["schemas"].get(schema, {}).get("properties", {})
        return [properties[member]] if member in properties else []
    operations = _operations_with(document, place)
    if match[3] is None:
        return operations
    parameters = [one for operation in operations for one in operation.get("parameters", ())]
    return [one for one in parameters if one["in"] == "query" and one["name"] == match[3]]


def _operations_with(document: dict[str, Any], place: str) -> list[dict[str, Any]]:
    """The operations that a client can call with the part at a place."""
    match = OPERATION_PLACE.fullmatch(place)
    if match is not None:
        path = f"/{API_ROOT}{match[2].rstrip('/')}"
        operations = document["paths"].get(path, {})
        return [operations[match[1].lower()]] if match[1].lower() in operations else []
    body = {"$ref": SCHEMA_REF_PREFIX + place.partition(".")[0]}
    return [
        operation
        for operations in document["paths"].values()
        for operation in operations.values()
        if any(
            content["schema"] == body
            for content in operation.get("requestBody", {}).get("content", {}).values()
        )
    ]


def _describe_headers(document: dict[str, Any], operations: Iterable[dict[str, Any]]) -> None:
    for operation in operations:
        document["components"]["headers"] |= header_components(DEPRECATION_HEADERS)
        for response in operation["responses"].values():
            response["headers"] |= header_references(DEPRECATION_HEADERS)
