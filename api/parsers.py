"""DRF parsers of request bodies, which are strict: JSON in UTF-8, or an export as NDJSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from api.errors import Refusal

MAX_NESTING_DEPTH: Final = 64  # arrays and objects
JSON_STRING_PATTERN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
UTF_8: Final = ("utf-8", "utf8")
ACCEPTED_CONTENT_ENCODINGS: Final = ("", "identity")


class JsonParser(BaseParser):
    """One JSON document; NaN and Infinity are rejected."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return parse_json(read_body(stream, parser_context))


class RawParser(BaseParser):
    """The bytes of a body of any media type."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return read_body(stream, parser_context)


class NdjsonParser(BaseParser):
    """An export as NDJSON: the parsed value is the unread stream."""

    media_type = "application/x-ndjson"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        check_request_encoding(parser_context)
        return stream


def read_body(stream: IO[Any], parser_context: Mapping[str, Any] | None) -> bytes:
    """A whole body, within the limit of a body in memory."""
    check_request_encoding(parser_context)
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body: bytes = stream.read(limit + 1)
    if len(body) > limit:
        raise RequestDataTooBig(f"The body may have at most {limit} bytes.")
    return body


def check_request_encoding(parser_context: Mapping[str, Any] | None) -> None:
    """Refuse a body with a Content-Encoding, or in another charset than UTF-8."""
    if parser_context and "request" in parser_context:
        request = parser_context["request"]
        check_content_encoding(request.META.get("HTTP_CONTENT_ENCODING", ""))
        _, parameters = parse_header_parameters(request.content_type)
        if (charset := parameters.get("charset", "utf-8")).lower() not in UTF_8:
            raise Refusal("unsupported-media-type", f"Bodies are in UTF-8, not in {charset}.")


def check_content_encoding(encoding: str) -> None:
    """Refuse any Content-Encoding but identity: ignoring it would misread the body."""
    if encoding.strip().lower() not in ACCEPTED_CONTENT_ENCODINGS:
        detail = "Content-Encoding is not supported: send the body unencoded."
        raise Refusal("unsupported-media-type", detail)


def parse_json(body: bytes) -> Any:
    """Parse a JSON document; refuse deep nesting and duplicate members."""
    if nesting_depth(body) > MAX_NESTING_DEPTH:
        raise ParseError(f"The body may nest arrays and objects at most {MAX_NESTING_DEPTH} deep.")
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as problem:
        raise ParseError(f"The body is not JSON: {problem}.") from problem
    # a document that is written back as it came repeats no member
    if b"{" in body and orjson.dumps(document) != body:
        json.loads(body, object_pairs_hook=_check_unique_members)
    return document


def nesting_depth(body: bytes) -> int:
    """The nesting depth of a possibly invalid JSON body; 0 if it cannot exceed the limit."""
    if body.count(b"[") + body.count(b"{") <= MAX_NESTING_DEPTH:
        return 0
    max_depth = depth = 0
    for byte in JSON_STRING_PATTERN.sub(b"", body):
        if byte in b"[{":
            depth += 1
            max_depth = max(max_depth, depth)
        elif byte in b"]}":
            depth -= 1
    return max_depth


def _check_unique_members(members: Sequence[tuple[str, Any]]) -> None:
    names = [name for name, _ in members]
    if len(names) > len(set(names)):
        duplicate = next(name for name in names if names.count(name) > 1)
        raise ParseError(f"The member {duplicate!r} is repeated.")
