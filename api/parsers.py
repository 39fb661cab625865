"""How is a body read? Strictly: JSON in UTF-8 and nothing like it, or lines of an export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


class JsonParser(BaseParser):
    """One JSON document; NaN and its kind are none."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise RequestDataTooBig(f"A body may have {most} bytes here.")
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as problem:
            raise ParseError(f"The body is not JSON: {problem}.") from problem


class LinesParser(BaseParser):
    """An export, line by line, as it comes."""

    media_type = "application/x-ndjson"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return stream
