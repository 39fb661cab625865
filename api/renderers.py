"""DRF renderers of the media types, such as JSON, text, SVG and NDJSON, and content negotiation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

ANY_MEDIA_TYPE: Final = "*/*"


class JsonRenderer(BaseRenderer):
    """JSON; orjson serializes the shapes directly."""

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


class ContentNegotiation(DefaultContentNegotiation):
    """A client that accepts anything gets the first renderer, without a slow negotiation."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        if request.META.get("HTTP_ACCEPT", ANY_MEDIA_TYPE) == ANY_MEDIA_TYPE:
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


class TextRenderer(BaseRenderer):
    """A text, rendered as it is."""

    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> str | bytes:
        return b"" if data is None else str(data)  # empty bytes: DRF then drops the Content-Type


class MarkdownRenderer(TextRenderer):
    media_type = "text/markdown"
    format = "md"


class SvgRenderer(TextRenderer):
    media_type = "image/svg+xml"
    format = "svg"


class PngRenderer(BaseRenderer):
    """A PNG."""

    media_type = "image/png"
    format = "png"
    charset = None
    render_style = "binary"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return bytes(data or b"")


class WebpRenderer(PngRenderer):
    """A WebP."""

    media_type = "image/webp"
    format = "webp"


class BytesRenderer(PngRenderer):
    """Bytes without a media type of their own."""

    media_type = "application/octet-stream"
    format = "bin"


class PlainTextRenderer(TextRenderer):
    media_type = "text/plain"
    format = "txt"


class NdjsonRenderer(TextRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class MetricsRenderer(TextRenderer):
    """The Prometheus text format, also for clients that accept other formats."""

    media_type = "text/plain"
    format = "metrics"
