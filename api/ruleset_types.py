"""The types of options, views and news: a member `type` names the ruleset that they belong to, such
as `law.view.v2`, or the kind of news, such as `law.billed`, so that clients can tell those of all
games apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec, news_formats
from tabularium_engines.common.json_codec import Json, MalformedDocument

Part = Literal["options", "view"]
TYPE: Final = "type"
TYPED_PARTS: Final[tuple[Part, ...]] = ("options", "view")


def type_of(slug: str, version: int, part: Part) -> str:
    """The type of the options or the views of a ruleset."""
    return f"{slug}.{part}.v{version}"


def typed(slug: str, version: int, part: Part, value: Any) -> Json:
    """Options or a view as JSON, with their type; None remains None."""
    if value is None:
        return None
    return {TYPE: type_of(slug, version, part), **json_codec.to_json(value)}


def typed_news(slug: str, items: Iterable[Mapping[str, Json]]) -> tuple[dict[str, Json], ...]:
    """News as JSON, each item with its type."""
    return tuple({TYPE: news_formats.type_of(slug, item["kind"]), **item} for item in items)


def typed_schema(engine: AnyEngine, part: Part) -> dict[str, Json]:
    """The JSON Schema of the options or the views of a ruleset, with their type. Clients may leave
    out the type of options that they send."""
    about = engine.about
    schema = json_codec.schema(about.options if part == "options" else about.view)
    type_schema = {
        "type": "string",
        "const": type_of(about.slug, about.version, part),
        "description": "The ruleset that they belong to."
        if part == "options"
        else "The ruleset that it belongs to.",
    }
    required = [TYPE, *schema["required"]] if part == "view" else schema["required"]
    properties = {TYPE: type_schema, **schema["properties"]}
    return {**schema, "properties": properties, "required": required}


def without_type(options: Json, slug: str, version: int) -> Json:
    """Options that a client sends without their type; MalformedDocument if that is of others."""
    if not isinstance(options, Mapping) or TYPE not in options:
        return options
    expected = type_of(slug, version, "options")
    if options[TYPE] != expected:
        given = json_codec.describe_value(options[TYPE])
        raise MalformedDocument(f"/options/{TYPE}", f"must be {expected}, not {given}")
    return {name: value for name, value in options.items() if name != TYPE}
