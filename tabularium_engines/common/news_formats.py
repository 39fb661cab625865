"""The formats of news: for each kind of news, a game declares the facts of its items.

A format is a frozen dataclass with a `kind`. Facts named by a keyword of Python have an underscore
behind it: `from_`. A fact whose default is None is missing where it is none, or where the viewer
may not read it. `Any` stands for an action of the game, as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from functools import cache
from keyword import iskeyword
from typing import Any, Final

from tabularium_engines.base import About, AnyEngine
from tabularium_engines.common.json_codec import Json, MalformedDocument, from_json, schema

COMMON_FACTS: Final = ("kind", "seat", "text")  # of every item
NO_FACTS: Final[Mapping[str, Json]] = {}


def type_of(slug: str, kind: str) -> str:
    """The type of an item of news, which no other game has: `law.billed`."""
    return f"{slug}.{kind}"


def news_schema(engine: AnyEngine) -> dict[str, Json]:
    """The JSON Schema of an item of a game's news: one branch for each kind, discriminated by
    `type`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{engine.about.slug} news",
        "oneOf": [item_schema(engine, format_) for format_ in engine.about.news],
        "discriminator": {"propertyName": "type"},
    }


def schema_title(format_: type[Any]) -> str:
    """The name of the schema of a format: `BilledNews`."""
    return f"{format_.__name__}News"


def item_schema(engine: AnyEngine, format_: type[Any]) -> dict[str, Json]:
    """The JSON Schema of the items of one kind."""
    described = schema(format_)
    facts = {
        _fact_name(field.name): _fact_schema(engine, field, described["properties"][field.name])
        for field in fields(format_)
    }
    required = [_fact_name(name) for name in described["required"]]
    news_type = type_of(engine.about.slug, format_.kind)
    members = item_members(news_type, format_.kind, facts, required)
    return {**described, "title": schema_title(format_), **members}


def item_members(
    news_type: str, kind: str, facts: Mapping[str, Json] = NO_FACTS, required: Sequence[str] = ()
) -> dict[str, Json]:
    """The properties of an item of one kind, and the required ones."""
    seat = {"type": "integer", "minimum": -1, "description": "The seat that it concerns; -1: none."}
    properties = {
        "type": {"const": news_type},
        "kind": {"const": kind},
        "seat": seat,
        **facts,
        "text": {"type": "string", "description": "The item in a sentence, in English."},
    }
    return {"properties": properties, "required": ["type", "kind", "seat", *required, "text"]}


def _fact_schema(engine: AnyEngine, field: Field[Any], described: dict[str, Json]) -> Json:
    """The schema of a fact, which is never null for being missing."""
    if _may_be_missing(field):
        (inner,) = (part for part in described["anyOf"] if part != {"type": "null"})
        described = {**inner, "description": described["description"]}
    if field.type == "Any":
        described = {"oneOf": engine.action_codec.schema()["oneOf"], **described}
    return described


def check_item(about: About, item: Mapping[str, Json]) -> None:
    """Raise MalformedDocument unless an item, as an engine tells it, has its format."""
    format_ = _formats_by_kind(about.news).get(item["kind"])
    if format_ is None:
        raise MalformedDocument("/kind", f"{item['kind']} has no format in `about.news`")
    facts = {_field_name(name): fact for name, fact in item.items() if name not in COMMON_FACTS}
    for field in fields(format_):
        if _may_be_missing(field) and facts.get(field.name, ...) is None:
            raise MalformedDocument(f"/{field.name}", "is null instead of missing")
    from_json(format_, facts)


def _may_be_missing(field: Field[Any]) -> bool:
    return field.default is None


def _fact_name(field_name: str) -> str:
    return field_name.removesuffix("_")


def _field_name(fact_name: str) -> str:
    return f"{fact_name}_" if iskeyword(fact_name) else fact_name


def _find_formats(formats: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    return {format_.kind: format_ for format_ in formats}


# cached: promises ask for every item
_formats_by_kind: Callable[[tuple[type[Any], ...]], dict[str, type[Any]]] = cache(_find_formats)
