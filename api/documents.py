"""How do our values become replies? As JSON of the shapes, times in RFC 3339."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

from rest_framework.response import Response

from api import graphemes
from api.errors import Refusal
from games.models import NAME_BYTES
from games.table.scribe import moment

OFFSET: Final = re.compile(r"(Z|[+-]\d\d:\d\d)$", re.IGNORECASE)


def reply(shape: Any, status: int = 200, **headers: str) -> Response:
    """A reply of some shape."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Response(shape, status=status, headers=named)


def time(when: datetime | None) -> str | None:
    """A time as clients get it."""
    return None if when is None else moment(when)


def known_time(when: datetime) -> str:
    """A time that is never missing."""
    return moment(when)


def read_time(text: str | None, pointer: str) -> datetime | None:
    """A time that a client sent: RFC 3339, with its offset."""
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text.upper()).astimezone(UTC) if OFFSET.search(text) else None
    except (ValueError, OverflowError):
        when = None
    if when is None:
        raise invalid(pointer, "malformed", "must be a time in RFC 3339")
    return when


def short(text: str, most: int, pointer: str) -> str:
    """A name that a client sent, if it is no longer than that and shows all that it has."""
    if not graphemes.is_writable(text):
        detail = "must be printable, without invisible signs"
        raise invalid(pointer, "not-printable", detail, "bad-name")
    if graphemes.count(text) > most or len(text.encode()) > NAME_BYTES:
        detail = f"must be at most {most} characters, {NAME_BYTES} bytes"
        raise invalid(pointer, "too-long", detail, "bad-name")
    return text


def invalid(pointer: str, code: str, detail: str, problem: str = "invalid-body") -> Refusal:
    """The refusal of a member that the body's shape allows, and that is wrong all the same."""
    error = {"pointer": pointer, "code": code, "detail": detail}
    return Refusal(problem, f"{pointer}: {detail}.", [error])
