"""Which named schemas does the OpenAPI document have? Every shape, and every action, view and
options of every game, so that a generated client has a class for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from games.engines.base import Engine
from games.engines.common import codec
from games.engines.common.codec import Json
from games.models import NAME_BYTES
from games.registry import ENGINES
from games.table.actions import ACTIONS, TABLE_ACTIONS

PLACE: Final = "#/components/schemas/"
# What a shape leaves open because it differs from game to game.
OPEN: Final[Mapping[tuple[str, str], str]] = {
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
NEWS_ITEM: Final[Mapping[str, Json]] = {
    "description": "Something that happened, as you hear of it; `text` is the sentence for people.",
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "seat": {"type": "integer"},
        "text": {"type": "string"},
    },
    "required": ["kind", "seat", "text"],
    "additionalProperties": True,
}
SEALED_ACTION: Final[Mapping[str, Json]] = {
    "description": "An action of which you may not read everything yet: members are missing.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}
ANY_OBJECT: Final[Mapping[str, Json]] = {"type": "object", "additionalProperties": True}
NEWS: Final[Mapping[str, Json]] = {"items": {"$ref": PLACE + "NewsItem"}}
FREE: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("EntryView", "opened"): ANY_OBJECT,
    ("EntryView", "public"): ANY_OBJECT,
    ("EntryView", "news"): NEWS,
    ("Done", "news"): NEWS,
}
# What the server asks of members beyond their types, of shapes that are only sent.
# 60 characters as people count them (api/graphemes.py), each of one or several code points
NAME: Final[Mapping[str, Json]] = {"maxLength": NAME_BYTES}
BOUNDS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("NewGuest", "name"): NAME,
    ("Rename", "name"): NAME,
    ("NewKey", "name"): NAME,
    ("NewKey", "expires"): {"format": "date-time"},
}
# Enumerations that would be called by a word that says too little.
VAGUE: Final = {"Kind", "State", "Status"}
CALLED: Final[Mapping[str, str]] = {"Then": "Expiry", "Seed": "SeedPhase"}

_shapes: dict[str, type[Any]] = {}
_lists: dict[tuple[str, ...], str] = {}  # the names of enumerations, by prefix and values


def reference(kind: type[Any]) -> dict[str, Json]:
    """Where the schema of a shape will stand."""
    known = _shapes.setdefault(kind.__name__, kind)
    if known is not kind:
        raise TypeError(f"two shapes are called {kind.__name__}")
    return {"$ref": PLACE + kind.__name__}


@cache
def components() -> dict[str, Json]:
    """All named schemas."""
    found: dict[str, Json] = {}
    for kind in list(_shapes.values()):
        _name(codec.schema(kind), "", found)
    for engine in ENGINES.values():
        _name_game(engine, found)
    for kind in ACTIONS.schema()["oneOf"]:
        _name(kind, "Table", found)
    found |= _unions() | {"NewsItem": NEWS_ITEM, "SealedAction": SEALED_ACTION}
    found["JsonSchema"] = {"description": "A JSON Schema (2020-12).", **ANY_OBJECT}
    for (shape, member), union in OPEN.items():
        properties = found[shape]["properties"]
        properties[member] = _opened(properties[member], union)
    found["EntryView"]["properties"]["action"]["anyOf"].insert(1, {"$ref": PLACE + "SealedAction"})
    for (shape, member), schema in FREE.items():
        found[shape]["properties"][member] |= schema
    for (shape, member), schema in BOUNDS.items():
        found[shape]["properties"][member] |= schema
    found["NewActions"]["properties"]["actions"]["anyOf"][0]["items"] = {"$ref": PLACE + "Action"}
    return dict(sorted(found.items()))


def closed(bodies: list[Json], schemas: Mapping[str, Json]) -> set[str]:
    """The names of all schemas that bodies are made of."""
    found: set[str] = set()
    waiting = bodies
    while waiting:
        names = {name for node in waiting for name in _references(node)} - found
        found |= names
        waiting = [schemas[name] for name in names]
    return found


def _references(node: Json) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix(PLACE)
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _references(item)


def prefix(engine: Engine[Any, Any]) -> str:
    """How the names of a game's schemas begin: LawOfTheDice."""
    return "".join(part.title() for part in engine.about.slug.split("_"))


def _name_game(engine: Engine[Any, Any], found: dict[str, Json]) -> None:
    start = prefix(engine)
    for kind in engine.actions.schema()["oneOf"]:
        _name(kind, start, found)
    _name(codec.schema(engine.about.options), start, found)
    _name(codec.schema(engine.about.view), start, found)


def _name(schema: Json, start: str, found: dict[str, Json]) -> Json:
    """Give an object schema, and those in it, names of their own; a reference to it."""
    if isinstance(schema, list):
        return [_name(item, start, found) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _name(value, start, found) for key, value in schema.items()}
    if "title" not in inner or inner.get("type") != "object":
        return inner
    title = inner.pop("title")
    for member, described in inner["properties"].items():
        inner["properties"][member] = _name_listed(described, (start, title, member), found)
    if found.get(title) == inner:  # a clock is a clock, also in a log
        return {"$ref": PLACE + title}
    found.setdefault(start + title, inner)
    return {"$ref": PLACE + start + title}


def _name_listed(schema: Json, place: tuple[str, str, str], found: dict[str, Json]) -> Json:
    """Give a list of values that a member may have a name: that of the member, or for a kind also
    that of whose kind it is."""
    if isinstance(schema, list):
        return [_name_listed(item, place, found) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" not in schema:
        start, title, member = place
        single = member.removesuffix("s") if schema.get("type") == "array" else member
        inner = (start, title, single)
        return {key: _name_listed(value, inner, found) for key, value in schema.items()}
    values: list[Json] = schema["enum"]
    (kind,) = {codec.SCHEMA_TYPES[type(value)] for value in values}
    if len(values) == 1:
        return {"type": kind, "const": values[0]}
    listed: Json = {"type": kind, "enum": values}
    name = _name_of_list(listed, place, found)
    found[name] = listed
    rest = {key: value for key, value in schema.items() if key not in ("enum", "type")}
    return {"$ref": PLACE + name, **rest}


def _name_of_list(listed: Json, place: tuple[str, str, str], found: Mapping[str, Json]) -> str:
    start, title, member = place
    word = "".join(part.title() for part in member.split("_"))
    short = start + CALLED.get(word, word)
    wanted = start + title + word if word in VAGUE or found.get(short, listed) != listed else short
    known = _lists.get(("", *listed["enum"]))
    return known or _lists.setdefault((start, *listed["enum"]), wanted)


def _unions() -> dict[str, Json]:
    """What is one of several, told apart by `type` where it has one."""
    actions = {
        engine.actions.type_of(kind): prefix(engine) + kind.__name__
        for engine in ENGINES.values()
        for kind in engine.about.actions
    }
    table = {ACTIONS.type_of(kind): f"Table{kind.__name__}" for kind in TABLE_ACTIONS}
    options = [f"{prefix(engine)}Options" for engine in ENGINES.values()]
    views = [f"{prefix(engine)}View" for engine in ENGINES.values()]
    return {
        "Action": _told_apart(actions, "What a seat can do, in any game."),
        "LoggedAction": _told_apart(actions | table, "What an entry of a log can say."),
        "Options": {"anyOf": [{"$ref": PLACE + name} for name in options]},
        "View": {"anyOf": [{"$ref": PLACE + name} for name in views]},
    }


def _told_apart(names: Mapping[str, str], description: str) -> dict[str, Json]:
    mapping = {kind: PLACE + name for kind, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": place} for place in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _opened(schema: dict[str, Json], union: str) -> dict[str, Json]:
    """What a game says of a member that is open in the shape; it may be null."""
    return schema | {"anyOf": [{"$ref": PLACE + union}, {"type": "null"}]}
