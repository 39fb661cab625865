"""Canonical JSON is written as another library writes RFC 8785, and nothing else is read."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from tabularium_log.fairness.canonical_json import (
    INTEGER_LIMIT,
    NotCanonicalError,
    decode_canonical,
    encode_canonical,
)

WHOLE = st.integers(1 - INTEGER_LIMIT, INTEGER_LIMIT - 1)
TEXT = st.text(st.characters(codec="utf-8"))
KEY = st.text(st.characters(max_codepoint=127))
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | WHOLE | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(KEY, inner),
    max_leaves=20,
)


@given(DOCUMENTS)
def test_another_library_writes_the_same(document: Any) -> None:
    assert encode_canonical(document).encode() == rfc8785.dumps(document)


@given(DOCUMENTS)
def test_what_is_written_can_be_read(document: Any) -> None:
    assert decode_canonical(encode_canonical(document)) == document


def test_tuples_are_lists() -> None:
    assert encode_canonical((1, (2,))) == "[1,[2]]"


@pytest.mark.parametrize(
    "document",
    [
        0.5,
        1.0,
        float("nan"),
        INTEGER_LIMIT,
        -INTEGER_LIMIT,
        {"é": 1},
        {1: 1},
        "\ud800",
        ["\udfff"],
        b"bytes",
        {1, 2},
        object(),
    ],
)
def test_what_has_no_canonical_form(document: Any) -> None:
    with pytest.raises(NotCanonicalError):
        encode_canonical({"in": [document]})


@pytest.mark.parametrize("depth", [300, 100_000])
def test_what_is_too_deep(depth: int) -> None:
    document: Any = None
    for _ in range(depth):
        document = [document]
    with pytest.raises(NotCanonicalError):
        encode_canonical(document)
    with pytest.raises(NotCanonicalError):
        decode_canonical("[" * depth + "]" * depth)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "-0",
        "01",
        "NaN",
        "Infinity",
        str(INTEGER_LIMIT),
        "9" * 5_000,
        '{"b":1,"a":2}',
        '{"a":1,"a":1}',
        '{"a": 1}',
        '{"\u00e9":1}',
        '"\\u0041"',
        '"\\/"',
        '"\\ud800"',
        '"\\u001F"',
        "[" * 100_000,
        "\ufeff1",
        "[1,]",
        "nul",
    ],
)
def test_what_is_not_read(text: str) -> None:
    with pytest.raises(NotCanonicalError):
        decode_canonical(text)
