"""Responses with a shape as their JSON body, and its times in RFC 3339."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework.response import Response

from tabularium_log.projection.projection import format_time


def reply(shape: Any, status: int = 200, **headers: str) -> Response:
    """A response with a shape as its body."""
    http_headers = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Response(shape, status=status, headers=http_headers)


def format_optional_time(moment: datetime | None) -> str | None:
    """A time in RFC 3339, or None."""
    return None if moment is None else format_time(moment)


def format_required_time(moment: datetime) -> str:
    """A time in RFC 3339."""
    return format_time(moment)
