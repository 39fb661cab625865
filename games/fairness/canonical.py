"""Which bytes stand for a document? RFC 8785, restricted to what every language agrees on."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

LARGEST: Final = 2**53  # beyond it, a number is not the same number in every language


class NotCanonical(ValueError):
    """A document that has no canonical form here."""


def canonical(document: Any) -> str:
    """The one text of a document: objects with ASCII keys in order, no floats, no blanks."""
    try:
        _check(document)
        return orjson.dumps(document, option=orjson.OPT_SORT_KEYS).decode()
    except (orjson.JSONEncodeError, RecursionError) as problem:
        raise NotCanonical("it is too deep") from problem


def parsed(text: str) -> Any:
    """The document whose canonical text this is; NotCanonical if it is any other text."""
    try:
        document = json.loads(text)
        same = canonical(document) == text
    except (ValueError, RecursionError) as problem:
        raise NotCanonical(f"is no canonical JSON: {problem}") from problem
    if not same:
        raise NotCanonical("is not in canonical form")
    return document


def _check(document: Any) -> None:  # noqa: C901  # one branch a type
    kind = type(document)
    if kind is dict:
        for key, value in document.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical(f"the key {key!r} is not an ASCII string")
            _check(value)
    elif kind is list or kind is tuple:
        for item in document:
            _check(item)
    elif kind is str:
        _check_text(document)
    elif kind is int:
        if not -LARGEST < document < LARGEST:
            raise NotCanonical("a number is beyond 2^53")
    elif document is not None and kind is not bool:
        raise NotCanonical(f"{kind.__name__} is no type of this JSON")


def _check_text(text: str) -> None:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise NotCanonical("a string holds half of a character")
