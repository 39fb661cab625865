"""Schemathesis hooks: path parameters that exist, so that requests get further than 404, exports
as bytes, no invented cursors, since a cursor comes from the page before, and no idempotency key
twice, since its stored response may name what has been deleted since."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import schemathesis

LONGEST_CURSOR = 200
IDEMPOTENCY_KEY = "Idempotency-Key"
EXISTING: dict[str, list[str]] = json.loads(Path(os.environ["EXISTING"]).read_text())
sent_idempotency_keys: set[str] = set()


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    """Any generated value as bytes."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Send no invented cursor and no idempotency key twice, and write whole numbers as integers."""
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and len(cursor) <= LONGEST_CURSOR:
        del case.query["cursor"]
    idempotency_key = str((case.headers or {}).get(IDEMPOTENCY_KEY))
    if idempotency_key in sent_idempotency_keys:
        case.headers.pop(IDEMPOTENCY_KEY, None)
    sent_idempotency_keys.add(idempotency_key)
    if isinstance(case.body, dict):  # an assigned body is validated again, even a missing one
        case.body = with_whole_numbers(case.body)


def with_whole_numbers(document: Any) -> Any:
    """The document with 1 for 1.0: JSON Schema considers them equal, many languages do not."""
    if isinstance(document, float) and document.is_integer():
        return int(document)
    if isinstance(document, list):
        return [with_whole_numbers(item) for item in document]
    if isinstance(document, dict):
        return {name: with_whole_numbers(value) for name, value in document.items()}
    return document


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Mostly use existing values, each chosen by the generated one."""
    return {
        name: choose_value(EXISTING[name], str(value)) if name in EXISTING else value
        for name, value in (path_parameters or {}).items()
    }


def choose_value(existing: list[str], generated: str) -> str:
    """An existing value, or (one time in eight) the generated one."""
    number = sum(generated.encode(errors="replace"))
    return generated if number % 8 == 0 else existing[number % len(existing)]
