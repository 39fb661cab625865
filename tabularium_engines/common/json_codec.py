"""The JSON codec: dataclasses to JSON and back, checked against their type hints, and their JSON
Schema (2020-12) for client generators. For actions as ints see `action_codec`.

Supported hints: bool, int, str, None, Literal, unions with None, tuples, dataclasses, and
`Annotated` with `Between` (a bounded int), `OneOf` (a listed string) or `Form` (judged by
other code); Any is any JSON. Floats are written, never read.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from inspect import cleandoc
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from tabularium_engines.common.member_comments import member_comments

Json: TypeAlias = Any  # None, bool, int, str, list or dict of these
T = TypeVar("T")


class MalformedDocument(ValueError):
    """A document that does not match its type, with a JSON pointer to the mismatch."""

    def __init__(self, pointer: str, sentence: str, code: str = "malformed") -> None:
        super().__init__(f"{pointer or 'The document'}: {sentence}")
        self.pointer = pointer
        self.sentence = sentence
        self.code = code


@dataclass(frozen=True)
class Between:
    """An int from low to high, both included."""

    low: int
    high: int


@dataclass(frozen=True)
class OneOf:
    """A string from a list."""

    values: tuple[str, ...]


class Form:
    """The form of a string or a number, which a schema states and other code judges: its meaning,
    for members without a comment, and its bounds."""

    def __init__(self, meaning: str = "", **bounds: Json) -> None:
        self.meaning = meaning
        self.bounds = bounds


# -- JSON out ---------------------------------------------------------------------------------


def to_json(value: Any) -> Json:
    """`value` as JSON: dataclasses become objects, tuples arrays; all else is unchanged."""
    if is_dataclass(value):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    return value


# -- JSON in ----------------------------------------------------------------------------------


def from_json(kind: type[T], document: Json, pointer: str = "") -> T:
    """The dataclass that `document` describes; raises MalformedDocument with a pointer."""
    if not isinstance(document, Mapping):
        raise MalformedDocument(pointer, f"must be an object, not {describe_value(document)}")
    hints = field_types(kind)
    for name in document:
        if name not in hints:
            known = ", ".join(hints) or "none"
            raise MalformedDocument(f"{pointer}/{name}", f"is unknown; known members: {known}")
    values = {
        f.name: _read_value(hints[f.name], document[f.name], f"{pointer}/{f.name}")
        for f in fields(kind)  # type: ignore[arg-type]  # a dataclass, or field_types had refused
        if f.name in document or _refuse_missing(f, pointer)
    }
    return kind(**values)


def _resolve_field_types(kind: type[Any]) -> dict[str, Any]:
    """The type hint of each field of a dataclass, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return {f.name: hints[f.name] for f in fields(kind)}


# cached: resolving hints is slow, and they never change
field_types: Callable[[Any], dict[str, Any]] = cache(_resolve_field_types)


def _refuse_missing(f: Field[Any], pointer: str) -> bool:
    if f.default is MISSING and f.default_factory is MISSING:
        raise MalformedDocument(f"{pointer}/{f.name}", "is missing")
    return False


def _read_value(hint: Any, value: Json, pointer: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin is Annotated:
        return _read_limited(arguments[0], arguments[1], value, pointer)
    if origin is Literal:
        return _read_listed(arguments, value, pointer)
    if origin in (Union, types.UnionType):
        return _read_optional(arguments, value, pointer)
    if origin is tuple:
        return _read_tuple(arguments, value, pointer)
    if is_dataclass(hint):
        return from_json(hint, value, pointer)  # type: ignore[arg-type]  # a class, not an instance
    if type(value) is not hint:  # a bool is not accepted as an int
        raise MalformedDocument(
            pointer, f"must be {_JSON_TYPE_PHRASES[hint]}, not {describe_value(value)}"
        )
    return value


def _read_limited(hint: Any, limit: Between | OneOf | Form, value: Json, pointer: str) -> Any:
    if isinstance(limit, Form):
        return _read_value(hint, value, pointer)
    if isinstance(limit, OneOf):
        return _read_listed(limit.values, value, pointer)
    if type(value) is not int:
        raise MalformedDocument(pointer, f"must be a whole number, not {describe_value(value)}")
    if not limit.low <= value <= limit.high:
        raise MalformedDocument(pointer, f"must be from {limit.low} to {limit.high}, not {value}")
    return value


def _read_listed(values: Sequence[Any], value: Json, pointer: str) -> Any:
    for known in values:
        if type(known) is type(value) and known == value:
            return known
    listed = ", ".join(str(known) for known in values)
    raise MalformedDocument(pointer, f"must be one of {listed}, not {describe_value(value)}")


def _read_optional(arguments: tuple[Any, ...], value: Json, pointer: str) -> Any:
    if value is None:
        return None
    (hint,) = (argument for argument in arguments if argument is not type(None))
    return _read_value(hint, value, pointer)


def _read_tuple(arguments: tuple[Any, ...], value: Json, pointer: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise MalformedDocument(pointer, f"must be a list, not {describe_value(value)}")
    hints = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else list(arguments)
    if len(hints) != len(value):
        raise MalformedDocument(pointer, f"must have {len(hints)} items, not {len(value)}")
    return tuple(
        _read_value(hint, item, f"{pointer}/{index}")
        for index, (hint, item) in enumerate(zip(hints, value, strict=True))
    )


_JSON_TYPE_PHRASES = {bool: "true or false", int: "a whole number", str: "a string"}


def describe_value(value: Json) -> str:
    """An untrusted value as a refusal quotes it: at most 40 characters."""
    if isinstance(value, (dict, Mapping)):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    shown = repr(value) if not isinstance(value, str) else f'"{value}"'
    return shown if len(shown) <= 40 else shown[:37] + "…"


# -- JSON Schema ------------------------------------------------------------------------------


def schema(kind: type[Any]) -> dict[str, Json]:
    """The JSON Schema of a dataclass: its description is the class's docstring; those of its
    members are the comments on them, but for objects, which describe themselves."""
    hints, comments = field_types(kind), member_comments(kind)
    described: dict[str, Json] = {
        "title": kind.__name__,
        "description": cleandoc(kind.__doc__ or ""),
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
    for f in fields(kind):
        described["properties"][f.name] = member = _schema_of(hints[f.name])
        if said := comments.get(f.name) or _meaning_of(hints[f.name]):
            member.setdefault("description", said)
        if f.default is not MISSING:
            described["properties"][f.name]["default"] = to_json(f.default)
        elif f.default_factory is MISSING:
            described["required"].append(f.name)
    return described


def _meaning_of(hint: Any) -> str:
    """The meaning of a member by its form; empty if it has none."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (argument for argument in get_args(hint) if argument is not type(None))
    form = get_args(hint)[1] if get_origin(hint) is Annotated else None
    return form.meaning if isinstance(form, Form) else ""


def _schema_of(hint: Any) -> dict[str, Json]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _schema_of_limited(*arguments)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        (inner,) = (argument for argument in arguments if argument is not type(None))
        return {"anyOf": [_schema_of(inner), {"type": "null"}]}
    if origin is tuple:
        return _schema_of_tuple(arguments)
    if is_dataclass(hint):
        return schema(hint)  # type: ignore[arg-type]  # a class, not an instance
    return {} if hint is Any else {"type": JSON_SCHEMA_TYPES[hint]}


JSON_SCHEMA_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def _schema_of_limited(hint: Any, limit: Between | OneOf | Form) -> dict[str, Json]:
    if isinstance(limit, Form):
        return _schema_of(hint) | limit.bounds
    if isinstance(limit, OneOf):
        return {"type": "string", "enum": list(limit.values)}
    return {"type": "integer", "minimum": limit.low, "maximum": limit.high}


def _schema_of_tuple(arguments: tuple[Any, ...]) -> dict[str, Json]:
    if arguments[-1] is Ellipsis:
        return {"type": "array", "items": _schema_of(arguments[0])}
    items = [_schema_of(argument) for argument in arguments]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
