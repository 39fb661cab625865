"""Canonical JSON: RFC 8785, restricted to the values on which every language agrees."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

import orjson

INTEGER_LIMIT: Final = 2**53  # beyond it, languages disagree about a number
OPTIONS: Final = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER  # below INTEGER_LIMIT
SCALARS: Final = frozenset({str, int, bool, type(None)})


class NotCanonicalError(ValueError):
    """The document has no canonical form here, or the text is not in it."""


def encode_canonical(document: Any) -> str:
    """The canonical text of a document: objects with sorted ASCII keys, no floats, no blanks."""
    try:
        if not _is_of_json(document):
            _check_value(document)
        return orjson.dumps(document, option=OPTIONS).decode()
    except (orjson.JSONEncodeError, RecursionError) as problem:
        raise NotCanonicalError(_reason(document)) from problem


def decode_canonical(text: str) -> Any:
    """The document of a canonical text; raises NotCanonicalError for any other text."""
    with suppress(ValueError, RecursionError):
        document = orjson.loads(text)
        if encode_canonical(document) == text:
            return document
    try:
        encode_canonical(json.loads(text))  # again, as this library states the reason
    except (ValueError, RecursionError) as problem:
        raise NotCanonicalError(f"is not canonical JSON: {problem}") from problem
    raise NotCanonicalError("is not in canonical form")


def _reason(document: Any) -> str:
    """Why the encoder refuses a document."""
    try:
        _check_value(document)
    except NotCanonicalError as reason:
        return str(reason)
    except RecursionError:
        pass
    return "it is nested too deeply"


def _is_of_json(document: Any) -> bool:
    """Whether all types are those of this JSON and all keys ASCII; the encoder checks the rest."""
    kind = type(document)
    if kind is dict:
        for key in document:
            if type(key) is not str or not key.isascii():
                return False
        document = document.values()
    elif kind is not list and kind is not tuple:
        return kind in SCALARS
    for item in document:  # noqa: SIM110  # a generator takes longer
        if type(item) not in SCALARS and not _is_of_json(item):
            return False
    return True


def _check_value(document: Any) -> None:  # noqa: C901  # one branch per type
    kind = type(document)
    if kind is dict:
        for key, value in document.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonicalError(f"the key {key!r} is not an ASCII string")
            _check_value(value)
    elif kind is list or kind is tuple:
        for item in document:
            _check_value(item)
    elif kind is str:
        _check_text(document)
    elif kind is int:
        if not -INTEGER_LIMIT < document < INTEGER_LIMIT:
            raise NotCanonicalError("a number is beyond 2^53")
    elif document is not None and kind is not bool:
        raise NotCanonicalError(f"{kind.__name__} is not a type of this JSON")


def _check_text(text: str) -> None:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise NotCanonicalError("a string contains a lone surrogate")
