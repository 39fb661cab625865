"""The codec: values survive a round trip through JSON, the schema admits them, and every other
document is refused with a pointer to the fault."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from tabularium_engines.common import action_codec, json_codec
from tabularium_engines.common.action_codec import ActionCodec
from tabularium_engines.common.json_codec import Between, MalformedDocument, OneOf

Small = Annotated[int, Between(-3, 9)]
Colour = Annotated[str, OneOf(("red", "green"))]


@dataclass(frozen=True)
class Inner:
    """A nested dataclass."""

    name: str
    level: Small = 2


@dataclass(frozen=True)
class Outer:
    """One field for each kind of type hint."""

    yes: bool
    any_number: int
    small: Small
    colour: Colour
    size: Literal["s", "m", 3, True]
    inner: Inner
    perhaps: Inner | None
    pair: tuple[int, str]
    row: tuple[Small, ...]
    inners: tuple[Inner, ...] = ()
    maybe: int | None = None
    parts: tuple[int, ...] = field(default_factory=tuple)


INNERS = st.builds(Inner, st.text(max_size=5), st.integers(-3, 9))
OUTERS = st.builds(
    Outer,
    yes=st.booleans(),
    any_number=st.integers(),
    small=st.integers(-3, 9),
    colour=st.sampled_from(["red", "green"]),
    size=st.sampled_from(["s", "m", 3, True]),
    inner=INNERS,
    perhaps=st.none() | INNERS,
    pair=st.tuples(st.integers(), st.text(max_size=5)),
    row=st.lists(st.integers(-3, 9), max_size=4).map(tuple),
    inners=st.lists(INNERS, max_size=3).map(tuple),
    maybe=st.none() | st.integers(),
    parts=st.lists(st.integers(), max_size=3).map(tuple),
)
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
VALIDATOR = Draft202012Validator(json_codec.schema(Outer))


def value_at(document: Any, pointer: str) -> Any:
    """The value at a JSON pointer; KeyError or IndexError if there is none."""
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


# -- round trips ----------------------------------------------------------------------------------


@given(OUTERS)
def test_a_value_survives_a_round_trip_through_json(value: Outer) -> None:
    document = json.loads(json.dumps(json_codec.to_json(value)))
    assert json_codec.from_json(Outer, document) == value
    assert VALIDATOR.is_valid(document)


@given(OUTERS, st.sampled_from(sorted(json_codec.field_types(Outer))), JUNK)
def test_codec_and_schema_refuse_the_same_documents(value: Outer, name: str, junk: Any) -> None:
    document = json.loads(json.dumps(json_codec.to_json(value))) | {name: junk}
    assume(not has_whole_float(junk))
    if VALIDATOR.is_valid(document):
        decoded = json_codec.from_json(Outer, document)
        assert (
            json_codec.from_json(Outer, json.loads(json.dumps(json_codec.to_json(decoded))))
            == decoded
        )
        return
    with pytest.raises(MalformedDocument) as caught:
        json_codec.from_json(Outer, document)
    assert caught.value.pointer.startswith(f"/{name}")
    check_pointer(document, caught.value.pointer)


def has_whole_float(junk: Any) -> bool:
    """Whether a whole float such as 1.0 occurs: JSON Schema takes it for an integer, Python's
    parser and the codec do not."""
    if isinstance(junk, (list, dict)):
        return any(map(has_whole_float, junk.values() if isinstance(junk, dict) else junk))
    return isinstance(junk, float) and junk.is_integer()


def check_pointer(document: Any, pointer: str) -> None:
    """The pointer leads to a value, or to a member that is missing from an object."""
    parent, _, name = pointer.rpartition("/")
    parent_value = value_at(document, parent)
    assert isinstance(parent_value, (dict, list))
    if isinstance(parent_value, list):
        assert int(name) < len(parent_value)


@given(JUNK)
def test_junk_is_malformed(junk: Any) -> None:
    with pytest.raises(MalformedDocument) as caught:
        json_codec.from_json(Outer, junk)
    assert caught.value.sentence
    assert caught.value.code == "malformed"


def test_fields_with_defaults_may_be_omitted() -> None:
    assert json_codec.from_json(Inner, {"name": "x"}) == Inner("x", 2)
    assert json_codec.schema(Inner)["required"] == ["name"]
    assert json_codec.schema(Inner)["properties"]["level"]["default"] == 2


# -- refusals -------------------------------------------------------------------------------------

WHOLE: dict[str, Any] = json_codec.to_json(
    Outer(True, 1, 2, "red", "s", Inner("a"), None, (1, "b"), (1, 2), (Inner("c"),))
)


@pytest.mark.parametrize(
    ("changes", "pointer", "sentence"),
    [
        ({"yes": 1}, "/yes", "must be true or false, not 1"),
        ({"any_number": True}, "/any_number", "must be a whole number, not true"),
        ({"any_number": 1.0}, "/any_number", "must be a whole number, not 1.0"),
        ({"small": False}, "/small", "must be a whole number, not false"),
        ({"small": 10}, "/small", "must be from -3 to 9, not 10"),
        ({"colour": "blue"}, "/colour", 'must be one of red, green, not "blue"'),
        ({"size": 1}, "/size", "must be one of s, m, 3, True, not 1"),
        ({"inner": None}, "/inner", "must be an object, not null"),
        ({"inner": {"level": 1}}, "/inner/name", "is missing"),
        ({"perhaps": {"name": 3}}, "/perhaps/name", "must be a string, not 3"),
        ({"pair": [1]}, "/pair", "must have 2 items, not 1"),
        ({"pair": ["a", "b"]}, "/pair/0", 'must be a whole number, not "a"'),
        ({"row": [1, 2, 99]}, "/row/2", "must be from -3 to 9, not 99"),
        ({"row": "12"}, "/row", 'must be a list, not "12"'),
        ({"inners": [{"name": "a", "x": 1}]}, "/inners/0/x", "is unknown"),
        ({"stranger": 1}, "/stranger", "is unknown"),
        ({"any_number": "x" * 99}, "/any_number", "…"),
    ],
)
def test_a_refusal_has_a_pointer_and_a_reason(changes: Any, pointer: str, sentence: str) -> None:
    with pytest.raises(MalformedDocument) as caught:
        json_codec.from_json(Outer, WHOLE | changes)
    assert caught.value.pointer == pointer
    assert sentence in caught.value.sentence
    assert len(caught.value.sentence) < 200


@pytest.mark.parametrize("name", sorted(json_codec.schema(Outer)["required"]))
def test_a_missing_required_field_is_refused(name: str) -> None:
    document = {other: value for other, value in WHOLE.items() if other != name}
    with pytest.raises(MalformedDocument, match="is missing") as caught:
        json_codec.from_json(Outer, document)
    assert caught.value.pointer == f"/{name}"


# -- actions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paint:
    """An action with one field of each listed kind."""

    kind: ClassVar = "paint"
    colour: Colour
    coats: Small
    is_wet: bool
    size: Literal["s", "m"]


@dataclass(frozen=True)
class Rest:
    """An action without fields."""

    kind: ClassVar = "rest"


ACTIONS = ActionCodec("atelier", (Rest, Paint))
PAINTS = st.builds(
    Paint,
    st.sampled_from(["red", "green"]),
    st.integers(-3, 9),
    st.booleans(),
    st.sampled_from(["s", "m"]),
)
ACTION_SCHEMA = Draft202012Validator(ACTIONS.schema())


@given(PAINTS | st.just(Rest()))
def test_an_action_is_json_and_a_number(action: Any) -> None:
    document = json.loads(json.dumps(ACTIONS.to_json(action)))
    assert ACTION_SCHEMA.is_valid(document)
    assert ACTIONS.from_json(document) == action
    assert ACTIONS.from_int(ACTIONS.to_int(action)) == action


@given(PAINTS, PAINTS)
def test_different_actions_are_different_numbers(first: Paint, second: Paint) -> None:
    assert (ACTIONS.to_int(first) == ACTIONS.to_int(second)) == (first == second)


@pytest.mark.parametrize(
    ("document", "code", "pointer"),
    [
        ([], "malformed", ""),
        ({}, "malformed", "/type"),
        ({"type": None}, "unknown-action", "/type"),
        ({"type": ["atelier.rest"]}, "unknown-action", "/type"),
        ({"type": "rest"}, "unknown-action", "/type"),
        ({"type": "chess.castle"}, "unknown-action", "/type"),
        ({"type": "atelier.rest", "long": True}, "malformed", "/long"),
        ({"type": "atelier.paint", "colour": "red"}, "malformed", "/coats"),
    ],
)
def test_an_invalid_action_is_refused(document: Any, code: str, pointer: str) -> None:
    with pytest.raises(MalformedDocument) as caught:
        ACTIONS.from_json(document)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    assert not ACTION_SCHEMA.is_valid(document)


@dataclass(frozen=True)
class Lay:
    """Lay on paint of a number of coats."""

    kind: ClassVar = "lay"
    colour: Literal["red", "blue"]
    coats: Annotated[int, Between(1, 3)] = 1


@dataclass(frozen=True)
class SaidLay:
    """The same, in words."""

    kind: ClassVar = "lay"
    words: str


LAYING = ActionCodec("atelier", (Rest, Lay), (SaidLay,))


def test_a_client_may_state_an_action_in_another_form() -> None:
    said, short = {"type": "atelier.lay", "words": "red"}, {"type": "atelier.lay", "colour": "red"}
    assert LAYING.from_client(said) == SaidLay("red")
    assert LAYING.from_client(short) == LAYING.from_client(short | {"coats": 1}) == Lay("red")
    for document in (said, short, short | {"coats": 2}):
        assert Draft202012Validator(LAYING.schema()).is_valid(document)
    both = short | said
    assert not Draft202012Validator(LAYING.schema()).is_valid(both)
    with pytest.raises(MalformedDocument):
        LAYING.from_client(both)
    with pytest.raises(MalformedDocument):
        LAYING.from_json(said)


def test_the_text_of_an_action_is_written_in_full() -> None:
    full = {"type": "atelier.lay", "colour": "red", "coats": 1}
    assert LAYING.int_from_text(json.dumps(full)) == LAYING.to_int(Lay("red"))
    with pytest.raises(MalformedDocument, match="all of its members"):
        LAYING.int_from_text(json.dumps({"type": "atelier.lay", "colour": "red"}))


def test_an_action_needs_fields_with_few_values() -> None:
    @dataclass(frozen=True)
    class Endless:
        """An unbounded integer field."""

        kind: ClassVar = "endless"
        number: int

    with pytest.raises(TypeError, match="few, listed values"):
        action_codec.allowed_values(json_codec.field_types(Endless)["number"])
