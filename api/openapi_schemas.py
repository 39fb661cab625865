"""The named schemas of the OpenAPI document, its components: every shape, and every game's actions,
news, views and options, so that a generated client has a class for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from api.option_forms import titled_action_schema
from api.ruleset_types import TYPE, TYPED_PARTS, type_of, typed_schema
from api.shape_members import CONSTANTS
from api.shapes.forms import ActionType
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec, news_formats
from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tabularium_log.forms import bounds_of
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC, TABLE_ACTIONS
from tabularium_log.projection.table_news import table_news_schemas

SCHEMA_REF_PREFIX: Final = "#/components/schemas/"
ANY_VERSION_SUFFIX: Final = "OfAnyVersion"  # of an action whose schema differs between versions
ANY_FORM_SUFFIX: Final = "InAnyForm"  # of an action that clients may state in another form, too
WITH_TYPE_SUFFIX: Final = "WithType"  # of options in replies: clients may leave their type out
# Members that a shape leaves open because they differ from game to game.
GAME_SPECIFIC_MEMBERS: Final[Mapping[tuple[str, str], str]] = {
    ("NewGame", "options"): "NewOptions",
    ("GameSummary", "options"): "Options",
    ("GameView", "options"): "Options",
    ("StrengthView", "options"): "Options",
    ("GameView", "view"): "View",
    ("StateView", "view"): "View",
    ("NewActions", "action"): "Action",
    ("Offer", "action"): "Action",
    ("EntryView", "action"): "LoggedAction",
    ("ThoughtAction", "action"): "Action",
    ("WeighedAction", "action"): "Action",
    ("ReviewedDecision", "action"): "Action",
    ("ReviewedDecision", "best"): "Action",
}
# Lists whose items differ from game to game.
GAME_SPECIFIC_ITEMS: Final[Mapping[tuple[str, str], str]] = {
    ("ActionResult", "news"): "NewsItem",
    ("Consequences", "news"): "NewsItem",
    ("EntryView", "news"): "NewsItem",
    ("NewActions", "actions"): "Action",
}
# Objects whose members differ from entry to entry.
SEALED_ACTION_SCHEMA: Final[Mapping[str, Json]] = {
    "description": "An action with members that you may not read yet; these are missing.",
    "type": "object",
    "properties": {
        "type": {
            "type": "string",
            "description": CONSTANTS["type"],
            **bounds_of(ActionType),
        }
    },
    "required": ["type"],
    "additionalProperties": True,
}
ANY_OBJECT_SCHEMA: Final[Mapping[str, Json]] = {"type": "object", "additionalProperties": True}
OPEN_DOCUMENTS: Final = ("JsonSchema", "ApiDocument")  # shapes whose members others define
FREE_FORM_MEMBERS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("EntryView", "opened"): ANY_OBJECT_SCHEMA,
    ("EntryView", "public"): ANY_OBJECT_SCHEMA,
    ("StateView", "views"): {"items": {"$ref": SCHEMA_REF_PREFIX + "View"}},
    ("Health", "rules"): {"type": "object", "additionalProperties": {"type": "integer"}},
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
    registered_kind = _registered_shapes.setdefault(kind.__name__, kind)
    if registered_kind is not kind:
        raise TypeError(f"two shapes are named {kind.__name__}")
    return {"$ref": SCHEMA_REF_PREFIX + kind.__name__}


def registered_shapes() -> list[type[Any]]:
    """The shapes of the bodies and the replies."""
    return list(_registered_shapes.values())


def component_schemas() -> dict[str, Json]:
    """All named schemas."""
    return built_schemas()[0]


def names_of_rulesets() -> dict[Ruleset, set[str]]:
    """The names of the schemas of each ruleset, some of which its other versions have, too."""
    return {
        ruleset: {name for name in names if name.startswith(schema_prefix(RULESETS[ruleset]))}
        for ruleset, names in built_schemas()[1].items()
    }


@cache
def built_schemas() -> tuple[dict[str, Json], dict[Ruleset, list[str]]]:
    """All named schemas, and the names of those of each ruleset."""
    schemas: dict[str, Json] = {}
    for kind in list(_registered_shapes.values()):
        _extract_named(json_codec.schema(kind), "", schemas)
    names_by_ruleset = {
        ruleset: _add_game_schemas(engine, schemas) for ruleset, engine in RULESETS.items()
    }
    for kind in TABLE_ACTION_CODEC.schema()["oneOf"]:
        _extract_named(kind, "Table", schemas)
    for item in table_news_schemas():
        _extract_named(item, "Table", schemas)
    schemas |= _union_schemas(names_by_ruleset) | {"SealedAction": SEALED_ACTION_SCHEMA}
    _describe_open_parts(schemas)
    for schema in schemas.values():
        _merge_tuples(schema)
        _give_constants_a_type(schema)
    named = {ruleset: [*names.values()] for ruleset, names in names_by_ruleset.items()}
    return dict(sorted(schemas.items())), named


def _describe_open_parts(schemas: dict[str, Json]) -> None:
    """Fill in the members that shapes leave open, since they differ from game to game."""
    for name in OPEN_DOCUMENTS:
        schemas[name] = {"description": schemas[name]["description"], **ANY_OBJECT_SCHEMA}
    for (shape, member), union in GAME_SPECIFIC_MEMBERS.items():
        properties = schemas[shape]["properties"]
        properties[member] = _nullable_union(properties[member], union)
    schemas["EntryView"]["properties"]["action"]["anyOf"].insert(
        1, {"$ref": SCHEMA_REF_PREFIX + "SealedAction"}
    )
    for (shape, member), schema in FREE_FORM_MEMBERS.items():
        schemas[shape]["properties"][member] |= schema
    for (shape, member), union in GAME_SPECIFIC_ITEMS.items():
        listed = schemas[shape]["properties"][member]
        listed.get("anyOf", [listed])[0]["items"] = {"$ref": SCHEMA_REF_PREFIX + union}


def tell_defaults(schema: dict[str, Json]) -> None:
    """Tell defaults in the descriptions alone: generators make a member with one required."""
    for member in schema.get("properties", {}).values():
        default = member.pop("default", None)
        if default is not None and "description" in member:
            value = json.dumps(default)
            member["description"] += f" Default: `{value}`."


def _merge_tuples(schema: Json) -> None:
    """Say of a tuple of equal types that its items are of this type, which tools know better."""
    if isinstance(schema, list):
        for item in schema:
            _merge_tuples(item)
    if isinstance(schema, dict):
        items = schema.get("prefixItems", ())
        if items and all(item == items[0] for item in items):
            schema["items"] = schema.pop("prefixItems")[0]
        for value in schema.values():
            _merge_tuples(value)


def _give_constants_a_type(schema: dict[str, Json]) -> None:
    """Say of a constant string that it is a string: generators of code want a type."""
    for member in schema.get("properties", {}).values():
        if isinstance(member.get("const"), str):
            member["type"] = "string"


def reachable_schemas(bodies: list[Json], schemas: Mapping[str, Json]) -> set[str]:
    """The names of all schemas that the bodies refer to, directly or indirectly."""
    reachable_names: set[str] = set()
    pending = bodies
    while pending:
        new_names = {name for node in pending for name in _referenced_names(node)} - reachable_names
        reachable_names |= new_names
        pending = [schemas[name] for name in new_names]
    return reachable_names


def _referenced_names(node: Json) -> Iterator[str]:
    if isinstance(node, dict):
        reference = str(node.get("$ref", ""))
        if reference.startswith(SCHEMA_REF_PREFIX):
            yield reference.removeprefix(SCHEMA_REF_PREFIX)
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _referenced_names(item)


def schema_prefix(engine: AnyEngine) -> str:
    """The prefix of a game's schema names, such as LawOfTheDice."""
    return "".join(part.title() for part in engine.about.slug.split("_"))


def _add_game_schemas(engine: AnyEngine, schemas: dict[str, Json]) -> dict[str, str]:
    """Add the schemas of one version of a game's rules; returns the name of each in the document,
    by its plain name. A version shares the schemas that are the same in the versions before; where
    one differs, its name gets the version, as in DualityV2View."""
    prefix = schema_prefix(engine)
    own_schemas: dict[str, Json] = {}
    for kind in titled_action_schema(engine)["oneOf"]:
        _extract_named(kind, prefix, own_schemas)
    for part in TYPED_PARTS:
        _extract_named(typed_schema(engine, part), prefix, own_schemas)
    for item in news_formats.news_schema(engine)["oneOf"]:
        _extract_named(item, prefix, own_schemas)
    title = prefix + engine.about.options.__name__
    required = [TYPE, *own_schemas[title]["required"]]
    own_schemas[title + WITH_TYPE_SUFFIX] = {**own_schemas[title], "required": required}
    names = {name: name for name in own_schemas}
    for name in _names_of_changed(own_schemas, schemas):
        names[name] = f"{prefix}V{engine.about.version}{name.removeprefix(prefix)}"
    for name, schema in own_schemas.items():
        schemas[names[name]] = _with_renamed_references(schema, names)
    return names


def _names_of_changed(own_schemas: Mapping[str, Json], schemas: Mapping[str, Json]) -> set[str]:
    """The names of the schemas that differ from those of the same name, directly or in what they
    refer to."""
    changed: set[str] = set()
    while True:
        more = {
            name
            for name, schema in own_schemas.items()
            if schemas.get(name, schema) != schema or changed & set(_referenced_names(schema))
        }
        if more == changed:
            return changed
        changed = more


def _with_renamed_references(node: Json, names: Mapping[str, str]) -> Json:
    if isinstance(node, list):
        return [_with_renamed_references(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    renamed = {key: _with_renamed_references(value, names) for key, value in node.items()}
    if "$ref" in renamed:
        name = node["$ref"].removeprefix(SCHEMA_REF_PREFIX)
        renamed["$ref"] = SCHEMA_REF_PREFIX + names.get(name, name)
    return renamed


def _extract_named(schema: Json, prefix: str, schemas: dict[str, Json]) -> Json:
    """Move an object schema, and those inside it, to named schemas; return a reference to it."""
    if isinstance(schema, list):
        return [_extract_named(item, prefix, schemas) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _extract_named(value, prefix, schemas) for key, value in schema.items()}
    if "title" not in inner or inner.get("type") != "object":
        return inner
    title = inner.pop("title")
    for member, member_schema in inner["properties"].items():
        inner["properties"][member] = _extract_enums(
            member_schema, (prefix, title, member), schemas
        )
    if schemas.get(title) == inner:  # shared: a clock in a log is the same clock
        return {"$ref": SCHEMA_REF_PREFIX + title}
    schemas.setdefault(prefix + title, inner)
    return {"$ref": SCHEMA_REF_PREFIX + prefix + title}


def _extract_enums(
    schema: Json, member_path: tuple[str, str, str], schemas: dict[str, Json]
) -> Json:
    """Move the enumeration of a member to a schema named after the member; if that name is vague or
    taken, also after the shape."""
    if isinstance(schema, list):
        return [_extract_enums(item, member_path, schemas) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" not in schema:
        prefix, title, member = member_path
        single = member.removesuffix("s") if schema.get("type") == "array" else member
        inner = (prefix, title, single)
        return {key: _extract_enums(value, inner, schemas) for key, value in schema.items()}
    values: list[Json] = schema["enum"]
    (kind,) = {json_codec.JSON_SCHEMA_TYPES[type(value)] for value in values}
    if len(values) == 1:
        return {"type": kind, "const": values[0]}
    enum_schema: Json = {"type": kind, "enum": values}
    name = _enum_name(enum_schema, member_path, schemas)
    schemas[name] = enum_schema
    other_members = {key: value for key, value in schema.items() if key not in ("enum", "type")}
    return {"$ref": SCHEMA_REF_PREFIX + name, **other_members}


def _enum_name(
    enum_schema: Json, member_path: tuple[str, str, str], schemas: Mapping[str, Json]
) -> str:
    prefix, title, member = member_path
    word = "".join(part.title() for part in member.split("_"))
    short = prefix + ENUM_NAME_OVERRIDES.get(word, word)
    candidate = (
        prefix + title + word
        if word in VAGUE_ENUM_NAMES or schemas.get(short, enum_schema) != enum_schema
        else short
    )
    shared_name = _enum_name_by_values.get(("", *enum_schema["enum"]))
    name = shared_name or _enum_name_by_values.setdefault((prefix, *enum_schema["enum"]), candidate)
    return name if schemas.get(name, enum_schema) == enum_schema else candidate


def _union_schemas(names_by_ruleset: Mapping[Ruleset, Mapping[str, str]]) -> dict[str, Json]:
    """The unions over all games and versions, discriminated by `type` where they have one."""
    actions = _names_by_type(names_by_ruleset, _titles_of_actions)
    forms = _names_by_type(names_by_ruleset, _titles_of_forms)
    news = _names_by_type(names_by_ruleset, _titles_of_news)
    of_several_forms = {
        actions[kind][0] + ANY_FORM_SUFFIX: _any_of([*actions[kind], *names])
        for kind, names in forms.items()
    }
    sent_names = {kind: actions[kind][0] + ANY_FORM_SUFFIX for kind in forms}
    table = {TABLE_ACTION_CODEC.type_of(kind): f"Table{kind.__name__}" for kind in TABLE_ACTIONS}
    table_news = {kind: f"{name}News" for kind, name in table.items()}
    return {
        **_schemas_of_any_version([*actions.values(), *news.values()]),
        **of_several_forms,
        "Action": _discriminated_union(
            _names_of_any_version(actions) | sent_names, "An action of a seat, in any game."
        ),
        "LoggedAction": _discriminated_union(
            _names_of_any_version(actions) | table,
            "An entry's action, of the game or of the table.",
        ),
        "NewsItem": _discriminated_union(
            _names_of_any_version(news) | table_news,
            "An event at any table, as you may see it.",
        ),
        **_typed_unions(names_by_ruleset),
    }


def _schemas_of_any_version(names_by_version: Iterable[list[str]]) -> dict[str, Json]:
    """The unions of schemas that differ between the versions of a ruleset."""
    return {
        names[0] + ANY_VERSION_SUFFIX: _any_of(names)
        for names in names_by_version
        if len(set(names)) > 1
    }


def _names_of_any_version(names_by_type: Mapping[str, list[str]]) -> dict[str, str]:
    """The name of the schema of each type in any version."""
    return {
        kind: names[0] + ANY_VERSION_SUFFIX if len(set(names)) > 1 else names[0]
        for kind, names in names_by_type.items()
    }


def _typed_unions(names_by_ruleset: Mapping[Ruleset, Mapping[str, str]]) -> dict[str, Json]:
    """The unions of options and views, whose type names the ruleset."""
    new_options: list[str] = []
    options: dict[str, str] = {}
    views: dict[str, str] = {}
    for ruleset, names in names_by_ruleset.items():
        engine = RULESETS[ruleset]
        prefix, about = schema_prefix(engine), engine.about
        title = prefix + about.options.__name__
        new_options.append(names[title])
        options[type_of(*ruleset, "options")] = names[title + WITH_TYPE_SUFFIX]
        views[type_of(*ruleset, "view")] = names[prefix + about.view.__name__]
    return {
        "NewOptions": _any_of(new_options),
        "Options": _discriminated_union(options, "The options of a game."),
        "View": _discriminated_union(views, "What a seat or an onlooker may know of a game."),
    }


def _names_by_type(
    names_by_ruleset: Mapping[Ruleset, Mapping[str, str]],
    titles_of: Callable[[AnyEngine], Iterable[tuple[str, str]]],
) -> dict[str, list[str]]:
    """The names of the schemas of actions or news, by type: one for each game and version."""
    found: dict[str, list[str]] = {}
    for ruleset, names in names_by_ruleset.items():
        engine = RULESETS[ruleset]
        for kind, title in titles_of(engine):
            found.setdefault(kind, []).append(names[schema_prefix(engine) + title])
    return found


def _titles_of_actions(engine: AnyEngine) -> list[tuple[str, str]]:
    """The type and the title of the schema of each kind of action."""
    return [(engine.action_codec.type_of(kind), kind.__name__) for kind in engine.about.actions]


def _titles_of_forms(engine: AnyEngine) -> list[tuple[str, str]]:
    return [(engine.action_codec.type_of(kind), kind.__name__) for kind in engine.about.forms]


def _titles_of_news(engine: AnyEngine) -> list[tuple[str, str]]:
    slug = engine.about.slug
    return [
        (news_formats.type_of(slug, kind.kind), news_formats.schema_title(kind))
        for kind in engine.about.news
    ]


def _any_of(names: Iterable[str]) -> dict[str, Json]:
    return {"anyOf": [{"$ref": SCHEMA_REF_PREFIX + name} for name in dict.fromkeys(names)]}


def _discriminated_union(names: Mapping[str, str], description: str) -> dict[str, Json]:
    mapping = {kind: SCHEMA_REF_PREFIX + name for kind, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _nullable_union(schema: dict[str, Json], union: str) -> dict[str, Json]:
    """The schema of an open member: the union over all games, or null."""
    return schema | {"anyOf": [{"$ref": SCHEMA_REF_PREFIX + union}, {"type": "null"}]}
