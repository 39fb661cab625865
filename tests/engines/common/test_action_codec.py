"""The action codec reads texts of logs quickly, and as it reads all other documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import prod
from random import Random
from typing import Any

import pytest

from tabularium_engines.common.action_codec import BITS_PER_FIELD, ActionCodec, allowed_values
from tabularium_engines.common.json_codec import MalformedDocument, field_types
from tabularium_engines.installed.registry import RULESETS, Ruleset

SAMPLES = 40  # of each kind of action
STRANGE: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.0, 2**70, "", "1", [], {}, [1], "\ud800")


def codes(codec: ActionCodec, kinds: Sequence[type[Any]], chance: Random) -> Iterator[int]:
    """Codes of every kind, with values at random, or all of them if they are few."""
    for index, kind in enumerate(kinds):
        sizes = [len(allowed_values(hint)) for hint in field_types(kind).values()]
        total = prod(sizes)
        for number in chance.sample(range(total), min(total, SAMPLES)):
            code, shift = index, BITS_PER_FIELD
            for size in sizes:
                number, place = divmod(number, size)  # noqa: PLW2901  # its digits
                code |= place << shift
                shift += BITS_PER_FIELD
            yield code


def read_slowly(codec: ActionCodec, text: str) -> int:
    """The int of an action in full, by the functions for all documents."""
    document = json.loads(text)
    action = codec.from_json(document)
    if codec.to_json(action) != document:
        raise MalformedDocument("", "must have all of its members")
    return codec.to_int(action)


def outcome(read: Any, text: str) -> int | str:
    """The int, or the refusal."""
    try:
        return int(read(text))
    except MalformedDocument as problem:
        return f"{problem.pointer}: {problem}"


def mutated(document: dict[str, Any], chance: Random) -> Iterator[Any]:
    """Documents that differ from an action in one thing."""
    names = list(document)
    yield {**document, "more": 1}
    yield dict(reversed(document.items()))
    yield [document]
    for name in names:
        yield {other: value for other, value in document.items() if other != name}
        for value in chance.sample(STRANGE, 5):
            yield {**document, name: value}


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
class TestCodec:
    def test_each_int_has_one_text(self, ruleset: Ruleset) -> None:
        engine = RULESETS[ruleset]
        codec = engine.action_codec
        for code in codes(codec, engine.about.actions, Random(str(ruleset))):
            document = codec.json_from_int(code)
            assert document == codec.to_json(codec.from_int(code))
            assert list(document) == list(codec.to_json(codec.from_int(code)))
            assert codec.int_from_text(json.dumps(document)) == code
            assert codec.to_int(codec.from_int(code)) == code

    def test_texts_are_read_as_documents_are(self, ruleset: Ruleset) -> None:
        engine, chance = RULESETS[ruleset], Random(f"{ruleset} mutated")
        codec = engine.action_codec
        refused = read = 0
        for code in codes(codec, engine.about.actions, chance):
            for document in mutated(dict(codec.json_from_int(code)), chance):
                text = json.dumps(document)
                found = outcome(codec.int_from_text, text)
                assert found == outcome(lambda text: read_slowly(codec, text), text)
                refused += isinstance(found, str)
                read += isinstance(found, int)
        assert refused > read > 0

    def test_the_last_of_equal_members_counts(self, ruleset: Ruleset) -> None:
        codec = RULESETS[ruleset].action_codec
        text = json.dumps(codec.json_from_int(0))
        assert codec.int_from_text(f'{{"type":7,{text[1:]}') == 0
