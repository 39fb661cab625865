"""Validation of times (RFC 3339) and names that clients send in request bodies."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from api import graphemes
from api.errors import Refusal
from games.column_lengths import NAME_BYTES

UTC_OFFSET_PATTERN: Final = re.compile(r"(Z|[+-]\d\d:\d\d)$", re.IGNORECASE)


def parse_time(text: str | None, pointer: str) -> datetime | None:
    """Parse a time sent by a client: RFC 3339, with its offset."""
    if text is None:
        return None
    moment = rfc3339_time(text)
    if moment is None:
        raise invalid_member_refusal(pointer, "malformed", "must be an RFC 3339 time")
    return moment


def rfc3339_time(text: str) -> datetime | None:
    """The time; None if it is not one in RFC 3339 with its offset."""
    if not UTC_OFFSET_PATTERN.search(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def validate_name(text: str, limit: int, pointer: str) -> str:
    """A name sent by a client; refused if it is too long or has invisible characters."""
    if not graphemes.is_displayable(text):
        detail = "must have only printable, visible characters"
        raise invalid_member_refusal(pointer, "not-printable", detail, "bad-name")
    if graphemes.count_graphemes(text) > limit or len(text.encode()) > NAME_BYTES:
        detail = f"must be at most {limit} characters, {NAME_BYTES} bytes"
        raise invalid_member_refusal(pointer, "too-long", detail, "bad-name")
    return text


def invalid_member_refusal(
    pointer: str, code: str, detail: str, problem: str = "invalid-body"
) -> Refusal:
    """The refusal of a member that fits the shape of the body but has a bad value."""
    error = {"pointer": pointer, "code": code, "detail": detail}
    return Refusal(problem, f"{pointer}: {detail}.", [error])
