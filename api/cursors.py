"""Pagination cursors: encoding and decoding the place where the next page of a list begins."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final, TypeVar

from api.errors import Refusal

ROW_ID_PATTERN: Final = re.compile(r"\w+", re.ASCII)
Row = TypeVar("Row")


def newest_page(rows: Any, query: dict[str, Any]) -> tuple[list[Any], str | None]:
    """A page of rows, newest first, and the cursor of the next page. Ids sort by time."""
    if query.get("cursor"):
        rows = rows.filter(pk__lt=decode_cursor(query["cursor"], ROW_ID_PATTERN)[0])
    limit = query["limit"]
    page, has_more = cut_page(list(rows.order_by("-pk")[: limit + 1]), limit)
    return page, encode_cursor(page[-1].pk) if has_more else None


def cut_page(rows: list[Row], limit: int) -> tuple[list[Row], bool]:
    """A page of so many rows, and whether there are more; one row more was fetched to know."""
    return rows[:limit], len(rows) > limit


def encode_cursor(position: str) -> str:
    """The cursor of a position in a list."""
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, pattern: re.Pattern[str]) -> re.Match[str]:
    """The position that a cursor encodes, matched by the list's pattern; refused if it does not
    match."""
    try:
        position = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (ValueError, binascii.Error):
        position = ""
    match = pattern.fullmatch(position)
    if match is None:
        errors = [{"parameter": "cursor", "code": "invalid", "detail": "Not a valid cursor."}]
        raise Refusal(
            "invalid-parameter", "The cursor is invalid: use the `next_cursor` of a page.", errors
        )
    return match
