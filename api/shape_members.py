"""The members of shapes in the OpenAPI document whose JSON Schema has no description: objects, and
the constants that tell one schema from another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, Final, get_args

from tabularium_engines.common.json_codec import field_types
from tabularium_engines.common.member_comments import member_comments

CONSTANTS: Final[Mapping[str, str]] = {
    "type": "The type, which tells the other members.",
    "kind": "The part of `type` behind the dot.",
}


def shapes_within(shapes: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """By name, these shapes and all that their members have."""
    found: dict[str, type[Any]] = {}
    pending = list(shapes)
    while pending:
        shape = pending.pop()
        if shape.__name__ not in found:
            found[shape.__name__] = shape
            pending += (kind for hint in field_types(shape).values() for kind in _shapes_of(hint))
    return found


def _shapes_of(hint: Any) -> Iterator[type[Any]]:
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for part in get_args(hint):
        yield from _shapes_of(part)


def describe_members(shape: type[Any], schema: Mapping[str, Any]) -> None:
    """Describe the members of a shape as its comments do."""
    for name, comment in member_comments(shape).items():
        schema["properties"][name].setdefault("description", comment)


def describe_constants(schema: Mapping[str, Any]) -> None:
    """Describe the members that tell a schema apart: nothing declares them with a comment."""
    for name, member in schema.get("properties", {}).items():
        if "const" in member and name in CONSTANTS:
            member.setdefault("description", CONSTANTS[name])
