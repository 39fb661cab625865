"""The action codec: converts the actions of a game between dataclasses, JSON for clients and
integers for the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

from games.engines.common.json_codec import (
    Between,
    Json,
    MalformedDocument,
    OneOf,
    describe_value,
    field_types,
    from_json,
    schema,
    to_json,
)

BITS_PER_FIELD = 8  # for each field of an action and for its kind
MAX_CACHED_ACTIONS = 1 << 14  # limit of each cache


class ActionCodec:
    """All kinds of action of one game. JSON names a kind `<slug>.<kind>`; an int holds the kind's
    index in its lowest `BITS_PER_FIELD` bits and one field in each following group of bits."""

    def __init__(self, slug: str, kinds: Sequence[type[Any]]) -> None:
        self._slug = slug
        self._kinds = list(kinds)
        self._kinds_by_type = {self.type_of(kind): kind for kind in kinds}
        self._kind_numbers = {kind: number for number, kind in enumerate(kinds)}
        self._field_types = {kind: field_types(kind) for kind in kinds}
        self._ints_by_text: dict[str, int] = {}
        self._json_by_int: dict[int, dict[str, Json]] = {}
        self._actions_by_int: dict[int, Any] = {}

    def type_of(self, kind: type[Any]) -> str:
        """The JSON `type` of a kind of action."""
        return f"{self._slug}.{kind.kind}"

    def to_json(self, action: Any) -> dict[str, Json]:
        """An action as clients send it."""
        return {"type": self.type_of(type(action)), **to_json(action)}

    def from_json(self, document: Json) -> Any:
        """The action that a client sent; raises MalformedDocument."""
        if not isinstance(document, Mapping):
            raise MalformedDocument("", f"must be an object, not {describe_value(document)}")
        if "type" not in document:
            raise MalformedDocument("/type", "is missing")
        kind = (
            self._kinds_by_type.get(document["type"]) if isinstance(document["type"], str) else None
        )
        if kind is None:
            known = ", ".join(self._kinds_by_type)
            stranger = describe_value(document["type"])
            sentence = f"unknown action type {stranger}; known types: {known}"
            raise MalformedDocument("/type", sentence, code="unknown-action")
        return from_json(kind, {name: value for name, value in document.items() if name != "type"})

    def to_int(self, action: Any) -> int:
        """An action as the rules' int."""
        code, shift = self._kind_numbers[type(action)], BITS_PER_FIELD
        for name, hint in self._field_types[type(action)].items():
            code |= _field_to_int(hint, getattr(action, name)) << shift
            shift += BITS_PER_FIELD
        return code

    def int_from_text(self, text: str) -> int:
        """The int of an action written as JSON text, cached."""
        code = self._ints_by_text.get(text)
        if code is None:
            if len(self._ints_by_text) == MAX_CACHED_ACTIONS:
                self._ints_by_text.clear()
            code = self._ints_by_text[text] = self.to_int(self.from_json(json.loads(text)))
        return code

    def json_from_int(self, code: int) -> dict[str, Json]:
        """The JSON of an action's int, cached: do not change it."""
        document = self._json_by_int.get(code)
        if document is None:
            if len(self._json_by_int) == MAX_CACHED_ACTIONS:
                self._json_by_int.clear()
            document = self._json_by_int[code] = self.to_json(self.from_int(code))
        return document

    def from_int(self, code: int) -> Any:
        """The action of an int, cached."""
        action = self._actions_by_int.get(code)
        if action is None:
            if len(self._actions_by_int) == MAX_CACHED_ACTIONS:
                self._actions_by_int.clear()
            action = self._actions_by_int[code] = self._from_int(code)
        return action

    def _from_int(self, code: int) -> Any:
        mask = (1 << BITS_PER_FIELD) - 1
        kind = self._kinds[code & mask]
        values = []
        for hint in self._field_types[kind].values():
            code >>= BITS_PER_FIELD
            values.append(_field_from_int(hint, code & mask))
        return kind(*values)

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of an action: one branch per kind, discriminated by `type`."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"{self._slug} action",
            "oneOf": [self._schema_of_kind(kind) for kind in self._kinds],
            "discriminator": {"propertyName": "type"},
        }

    def _schema_of_kind(self, kind: type[Any]) -> dict[str, Json]:
        described = schema(kind)
        described["properties"] = {"type": {"const": self.type_of(kind)}} | described["properties"]
        described["required"] = ["type", *described["required"]]
        return described


def _field_to_int(hint: Any, value: Any) -> int:
    """A field of an action as a small number."""
    if hint is bool:
        return int(value)
    limit = _allowed_values(hint)
    number: int = value - limit.low if isinstance(limit, Between) else limit.index(value)
    return number


def _field_from_int(hint: Any, number: int) -> Any:
    """The value of an action's field from its small number."""
    if hint is bool:
        return bool(number)
    limit = _allowed_values(hint)
    return number + limit.low if isinstance(limit, Between) else limit[number]


@cache
def _allowed_values(hint: Any) -> Any:
    """The range of an action's field: a Between, or the tuple of all its values."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    limit = get_args(hint)[1] if get_origin(hint) is Annotated else None
    if isinstance(limit, OneOf):
        return limit.values
    if isinstance(limit, Between) and limit.high - limit.low < 1 << BITS_PER_FIELD:
        return limit
    raise TypeError(f"an action's field cannot be {hint}: it needs few, listed values")
