"""Which media types besides JSON are made here?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


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
