"""The action codec: converts the actions of a game between dataclasses, JSON for clients and
integers for the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

from tabularium_engines.common.json_codec import (
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
MASK = (1 << BITS_PER_FIELD) - 1
MAX_CACHED_ACTIONS = 1 << 14  # limit of each cache

# a kind's type, and its fields in their order with their values
_Members: TypeAlias = tuple[str, list[tuple[str, Sequence[Any]]]]
# a kind's index, and its fields in their order with the place of each value, by type and value
_Places: TypeAlias = tuple[int, list[tuple[str, dict[tuple[type, Any], int]]]]


class ActionCodec:
    """All kinds of action of one game. JSON names a kind `<slug>.<kind>`; an int holds the kind's
    index in its lowest `BITS_PER_FIELD` bits and one field in each following group of bits. Clients
    may state an action in other forms, too, which have its `type` and other members."""

    def __init__(
        self, slug: str, kinds: Sequence[type[Any]], forms: Sequence[type[Any]] = ()
    ) -> None:
        self._slug = slug
        self._kinds = list(kinds)
        self._forms = list(forms)
        self._kinds_by_type = {self.type_of(kind): kind for kind in kinds}
        self._members: list[_Members] = []  # of each kind, once they are needed
        self._places_by_type: dict[str, _Places] = {}
        cached = lru_cache(MAX_CACHED_ACTIONS)
        # the int of an action written as JSON text, in full
        self.int_from_text: Callable[[str], int] = cached(self._int_from_text)
        # the JSON of an action's int: a shared object, do not change it
        self.json_from_int: Callable[[int], dict[str, Json]] = cached(self._json_from_int)
        self.from_int: Callable[[int], Any] = cached(self._from_int)  # the action of an int

    def type_of(self, kind: type[Any]) -> str:
        """The JSON `type` of a kind of action."""
        return f"{self._slug}.{kind.kind}"

    def to_json(self, action: Any) -> dict[str, Json]:
        """An action as clients send it."""
        return {"type": self.type_of(type(action)), **to_json(action)}

    def from_client(self, document: Json) -> Any:
        """The action that a client sent, or another form of it; raises MalformedDocument."""
        for form in self._forms if isinstance(document, Mapping) else []:
            if document.get("type") == self.type_of(form) and field_types(form).keys() & document:
                return from_json(form, _without_type(document))
        return self.from_json(document)

    def from_json(self, document: Json) -> Any:
        """The action of a document; raises MalformedDocument."""
        if not isinstance(document, Mapping):
            raise MalformedDocument("", f"must be an object, not {describe_value(document)}")
        if "type" not in document:
            raise MalformedDocument("/type", "is missing")
        named = document["type"]
        kind = self._kinds_by_type.get(named) if isinstance(named, str) else None
        if kind is None:
            known = ", ".join(self._kinds_by_type)
            sentence = f"unknown action type {describe_value(named)}; known types: {known}"
            raise MalformedDocument("/type", sentence, code="unknown-action")
        return from_json(kind, _without_type(document))

    def to_int(self, action: Any) -> int:
        """An action as the rules' int."""
        code, shift = self._kinds.index(type(action)), BITS_PER_FIELD
        for name, hint in field_types(type(action)).items():
            code |= allowed_values(hint).index(getattr(action, name)) << shift
            shift += BITS_PER_FIELD
        return code

    def _int_from_text(self, text: str) -> int:
        document = json.loads(text)
        code = self._int_from_plain(document)
        if code >= 0:
            return code
        action = self.from_json(document)
        if self.to_json(action) != document:
            raise MalformedDocument("", "must have all of its members")
        return self.to_int(action)

    def _int_from_plain(self, document: Json) -> int:
        """The int of a document that has just the members of its kind, with values as they are
        listed; -1 if it must be read by the rules for all documents."""
        self._list_members()
        try:
            kind, places = self._places_by_type[document["type"]]
            if type(document) is not dict or len(document) != len(places) + 1:
                return -1
            code, shift = kind, BITS_PER_FIELD
            for name, place_of in places:
                value = document[name]
                code |= place_of[type(value), value] << shift
                shift += BITS_PER_FIELD
        except (KeyError, TypeError):
            return -1
        return code

    def _json_from_int(self, code: int) -> dict[str, Json]:
        self._list_members()
        kind, members = self._members[code & MASK]
        document: dict[str, Json] = {"type": kind}
        for name, values in members:
            code >>= BITS_PER_FIELD
            document[name] = values[code & MASK]
        return document

    def _list_members(self) -> None:
        if self._members:
            return
        all_members, all_places = list[_Members](), dict[str, _Places]()
        for index, kind in enumerate(self._kinds):
            members = [(name, allowed_values(hint)) for name, hint in field_types(kind).items()]
            places = [
                (name, {(type(value), value): place for place, value in enumerate(values)})
                for name, values in members
            ]
            all_members.append((self.type_of(kind), members))
            all_places[self.type_of(kind)] = index, places
        self._places_by_type = all_places
        self._members = all_members  # last: another thread looks for it

    def _from_int(self, code: int) -> Any:
        kind = self._kinds[code & MASK]
        values = []
        for hint in field_types(kind).values():
            code >>= BITS_PER_FIELD
            values.append(allowed_values(hint)[code & MASK])
        return kind(*values)

    def schema(self) -> dict[str, Json]:
        """The JSON Schema of an action: one branch for each kind and form, discriminated by `type`;
        several forms of one kind differ in their members."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"{self._slug} action",
            "oneOf": [self._schema_of_kind(kind) for kind in [*self._kinds, *self._forms]],
            "discriminator": {"propertyName": "type"},
        }

    def _schema_of_kind(self, kind: type[Any]) -> dict[str, Json]:
        described = schema(kind)
        described["properties"] = {"type": {"const": self.type_of(kind)}} | described["properties"]
        described["required"] = ["type", *described["required"]]
        return described


def _without_type(document: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in document.items() if name != "type"}


@cache
def allowed_values(hint: Any) -> Sequence[Any]:
    """All values of an action's field; its int is the index of the value."""
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    limit = get_args(hint)[1] if get_origin(hint) is Annotated else None
    if isinstance(limit, OneOf):
        return limit.values
    if isinstance(limit, Between) and limit.high - limit.low < 1 << BITS_PER_FIELD:
        return range(limit.low, limit.high + 1)
    raise TypeError(f"an action's field cannot be {hint}: it needs few, listed values")
