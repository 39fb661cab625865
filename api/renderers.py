"""Which media types besides JSON are made here?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer


class JsonRenderer(BaseRenderer):
    """JSON; our shapes are written as they are."""

    media_type = "application/json"
    format = "json"
    charset = None  # JSON is UTF-8

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else orjson.dumps(data)


class TextRenderer(BaseRenderer):
    """A text that is ready as it is."""

    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str:
        return str(data)


class MarkdownRenderer(TextRenderer):
    media_type = "text/markdown"
    format = "md"


class SvgRenderer(TextRenderer):
    media_type = "image/svg+xml"
    format = "svg"


class PlainRenderer(TextRenderer):
    media_type = "text/plain"
    format = "txt"


class LinesRenderer(TextRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class MetricsRenderer(TextRenderer):
    """As Prometheus reads it; whatever else is accepted."""

    media_type = "text/plain"
    format = "metrics"
