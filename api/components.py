"""The named schemas of the OpenAPI document: every shape, and every game's actions, views and
options, so that a generated client has a class for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from games.column_lengths import NAME_BYTES
from games.engines.base import Engine
from games.engines.common import codec
from games.engines.common.codec import Json
from games.projection.table_actions import TABLE_ACTION_CODEC, TABLE_ACTIONS
from games.registry import ENGINES

SCHEMA_REF_PREFIX: Final = "#/components/schemas/"
# Members that a shape leaves open because they differ from game to game.
GAME_SPECIFIC_MEMBERS: Final[Mapping[tuple[str, str], str]] = {
    ("NewGame", "options"): "Options",
    ("GameView", "options"): "Options",
    ("StrengthView", "options"): "Options",
    ("GameView", "view"): "View",
    ("StateView", "view"): "View",
    ("NewActions", "action"): "Action",
    ("Offer", "action"): "Action",
    ("EntryView", "action"): "LoggedAction",
    ("WeighedAction", "action"): "Action",
    ("ReviewedDecision", "action"): "Action",
    ("ReviewedDecision", "best"): "Action",
}
# Objects whose members differ from game to game, or from entry to entry.
NEWS_ITEM_SCHEMA: Final[Mapping[str, Json]] = {
    "description": "An event, as you may see it; `text` describes it in a sentence.",
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "seat": {"type": "integer"},
        "text": {"type": "string"},
    },
    "required": ["kind", "seat", "text"],
    "additionalProperties": True,
}
SEALED_ACTION_SCHEMA: Final[Mapping[str, Json]] = {
    "description": "An action with members that you may not read yet; these are missing.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}
ANY_OBJECT_SCHEMA: Final[Mapping[str, Json]] = {"type": "object", "additionalProperties": True}
NEWS_SCHEMA: Final[Mapping[str, Json]] = {"items": {"$ref": SCHEMA_REF_PREFIX + "NewsItem"}}
FREE_FORM_MEMBERS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("EntryView", "opened"): ANY_OBJECT_SCHEMA,
    ("EntryView", "public"): ANY_OBJECT_SCHEMA,
    ("EntryView", "news"): NEWS_SCHEMA,
    ("ActionResult", "news"): NEWS_SCHEMA,
    ("Health", "rules"): {"type": "object", "additionalProperties": {"type": "integer"}},
}
# Bounds of members beyond their types, in shapes that only clients send.
# A name has at most 60 graphemes (api/graphemes.py), each of one or several code points.
NAME_BOUNDS: Final[Mapping[str, Json]] = {"maxLength": NAME_BYTES}
MEMBER_BOUNDS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("NewGuest", "name"): NAME_BOUNDS,
    ("Rename", "name"): NAME_BOUNDS,
    ("NewKey", "name"): NAME_BOUNDS,
    ("NewKey", "expires"): {"format": "date-time"},
}
# Names of enumerations that would be too vague without the name of the shape.
VAGUE_ENUM_NAMES: Final = {"Kind", "State", "Status"}
ENUM_NAME_OVERRIDES: Final[Mapping[str, str]] = {"Then": "Expiry", "Seed": "SeedPhase"}

_registered_shapes: dict[str, type[Any]] = {}
_enum_name_by_values: dict[
    tuple[str, ...], str
] = {}  # the names of enumerations, by prefix and values


def shape_reference(kind: type[Any]) -> dict[str, Json]:
    """Register a shape for the document and return a reference to its schema."""
    known = _registered_shapes.setdefault(kind.__name__, kind)
    if known is not kind:
        raise TypeError(f"two shapes are named {kind.__name__}")
    return {"$ref": SCHEMA_REF_PREFIX + kind.__name__}


@cache
def component_schemas() -> dict[str, Json]:
    """All named schemas."""
    found: dict[str, Json] = {}
    for kind in list(_registered_shapes.values()):
        _extract_named(codec.schema(kind), "", found)
    for engine in ENGINES.values():
        _add_game_schemas(engine, found)
    for kind in TABLE_ACTION_CODEC.schema()["oneOf"]:
        _extract_named(kind, "Table", found)
    found |= _union_schemas() | {"NewsItem": NEWS_ITEM_SCHEMA, "SealedAction": SEALED_ACTION_SCHEMA}
    found["JsonSchema"] = {
        "description": found["JsonSchema"]["description"],
        **ANY_OBJECT_SCHEMA,
    }
    for (shape, member), union in GAME_SPECIFIC_MEMBERS.items():
        properties = found[shape]["properties"]
        properties[member] = _nullable_union(properties[member], union)
    found["EntryView"]["properties"]["action"]["anyOf"].insert(
        1, {"$ref": SCHEMA_REF_PREFIX + "SealedAction"}
    )
    for (shape, member), schema in FREE_FORM_MEMBERS.items():
        found[shape]["properties"][member] |= schema
    for (shape, member), schema in MEMBER_BOUNDS.items():
        found[shape]["properties"][member] |= schema
    found["NewActions"]["properties"]["actions"]["anyOf"][0]["items"] = {
        "$ref": SCHEMA_REF_PREFIX + "Action"
    }
    return dict(sorted(found.items()))


def reachable_schemas(bodies: list[Json], schemas: Mapping[str, Json]) -> set[str]:
    """The names of all schemas that the bodies refer to, directly or indirectly."""
    found: set[str] = set()
    waiting = bodies
    while waiting:
        names = {name for node in waiting for name in _referenced_names(node)} - found
        found |= names
        waiting = [schemas[name] for name in names]
    return found


def _referenced_names(node: Json) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix(SCHEMA_REF_PREFIX)
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _referenced_names(item)


def schema_prefix(engine: Engine[Any, Any]) -> str:
    """The prefix of a game's schema names, such as LawOfTheDice."""
    return "".join(part.title() for part in engine.about.slug.split("_"))


def _add_game_schemas(engine: Engine[Any, Any], found: dict[str, Json]) -> None:
    start = schema_prefix(engine)
    for kind in engine.action_codec.schema()["oneOf"]:
        _extract_named(kind, start, found)
    _extract_named(codec.schema(engine.about.options), start, found)
    _extract_named(codec.schema(engine.about.view), start, found)


def _extract_named(schema: Json, start: str, found: dict[str, Json]) -> Json:
    """Move an object schema, and those inside it, to named schemas; return a reference to it."""
    if isinstance(schema, list):
        return [_extract_named(item, start, found) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _extract_named(value, start, found) for key, value in schema.items()}
    if "title" not in inner or inner.get("type") != "object":
        return inner
    title = inner.pop("title")
    for member, described in inner["properties"].items():
        inner["properties"][member] = _extract_enums(described, (start, title, member), found)
    if found.get(title) == inner:  # shared: a clock in a log is the same clock
        return {"$ref": SCHEMA_REF_PREFIX + title}
    found.setdefault(start + title, inner)
    return {"$ref": SCHEMA_REF_PREFIX + start + title}


def _extract_enums(schema: Json, place: tuple[str, str, str], found: dict[str, Json]) -> Json:
    """Move the enumeration of a member to a schema named after the member; if that name is vague or
    taken, also after the shape."""
    if isinstance(schema, list):
        return [_extract_enums(item, place, found) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" not in schema:
        start, title, member = place
        single = member.removesuffix("s") if schema.get("type") == "array" else member
        inner = (start, title, single)
        return {key: _extract_enums(value, inner, found) for key, value in schema.items()}
    values: list[Json] = schema["enum"]
    (kind,) = {codec.JSON_SCHEMA_TYPES[type(value)] for value in values}
    if len(values) == 1:
        return {"type": kind, "const": values[0]}
    listed: Json = {"type": kind, "enum": values}
    name = _enum_name(listed, place, found)
    found[name] = listed
    rest = {key: value for key, value in schema.items() if key not in ("enum", "type")}
    return {"$ref": SCHEMA_REF_PREFIX + name, **rest}


def _enum_name(listed: Json, place: tuple[str, str, str], found: Mapping[str, Json]) -> str:
    start, title, member = place
    word = "".join(part.title() for part in member.split("_"))
    short = start + ENUM_NAME_OVERRIDES.get(word, word)
    wanted = (
        start + title + word
        if word in VAGUE_ENUM_NAMES or found.get(short, listed) != listed
        else short
    )
    known = _enum_name_by_values.get(("", *listed["enum"]))
    return known or _enum_name_by_values.setdefault((start, *listed["enum"]), wanted)


def _union_schemas() -> dict[str, Json]:
    """The unions over all games, discriminated by `type` where they have one."""
    actions = {
        engine.action_codec.type_of(kind): schema_prefix(engine) + kind.__name__
        for engine in ENGINES.values()
        for kind in engine.about.actions
    }
    table = {TABLE_ACTION_CODEC.type_of(kind): f"Table{kind.__name__}" for kind in TABLE_ACTIONS}
    options = [f"{schema_prefix(engine)}Options" for engine in ENGINES.values()]
    views = [f"{schema_prefix(engine)}View" for engine in ENGINES.values()]
    return {
        "Action": _discriminated_union(actions, "An action of a seat, in any game."),
        "LoggedAction": _discriminated_union(
            actions | table, "An entry's action, of the game or of the table."
        ),
        "Options": {"anyOf": [{"$ref": SCHEMA_REF_PREFIX + name} for name in options]},
        "View": {"anyOf": [{"$ref": SCHEMA_REF_PREFIX + name} for name in views]},
    }


def _discriminated_union(names: Mapping[str, str], description: str) -> dict[str, Json]:
    mapping = {kind: SCHEMA_REF_PREFIX + name for kind, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _nullable_union(schema: dict[str, Json], union: str) -> dict[str, Json]:
    """The schema of an open member: the union over all games, or null."""
    return schema | {"anyOf": [{"$ref": SCHEMA_REF_PREFIX + union}, {"type": "null"}]}
