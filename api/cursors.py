"""How does a client go on to the next page of a list? With a cursor that says where it begins."""

from __future__ import annotations

import base64
import binascii
import re

from api.errors import Refusal


def closed(place: str) -> str:
    """The cursor of a place in a list."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def opened(cursor: str, kind: re.Pattern[str]) -> re.Match[str]:
    """The place in a list of that kind, or the refusal of a cursor that is none of ours."""
    try:
        place = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (ValueError, binascii.Error):
        place = ""
    found = kind.fullmatch(place)
    if found is None:
        errors = [{"parameter": "cursor", "code": "invalid", "detail": "None of ours."}]
        raise Refusal("invalid-parameter", "The cursor is none of ours.", errors)
    return found
