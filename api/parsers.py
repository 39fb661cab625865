"""How is a body read? Strictly: JSON in UTF-8 and nothing like it, or lines of an export."""

from __future__ import annotations

from collections.abc import Mapping
from io import BufferedReader, RawIOBase
from typing import IO, Any, Final

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

BLOCK: Final = 64 * 1024  # bytes that are read at once


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
        return BufferedReader(Unread(stream), BLOCK)


class Unread(RawIOBase):
    """A body as it comes, by its `read` alone: a2wsgi's `readline` with a limit does not wait for
    what has not come yet."""

    def __init__(self, body: IO[Any]) -> None:
        self._body = body

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As much of it as there is room for."""
        content = self._body.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)
