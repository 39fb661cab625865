"""The options of a ruleset as the fields of a form, and titles in the JSON Schemas of options and
actions. Titles follow from the names, descriptions are the comments on the members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from api.ruleset_types import TYPE
from api.shapes.catalogue import OptionChoice, OptionKind, RulesOption
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json

KINDS_BY_TYPE: Final[Mapping[str, OptionKind]] = {
    "boolean": "switch",
    "integer": "number",
    "string": "text",
}


def option_fields(engine: AnyEngine) -> tuple[RulesOption, ...]:
    """The options of a ruleset, in the order of its own."""
    properties: Any = json_codec.schema(engine.about.options)["properties"]
    return tuple(_field(name, member) for name, member in properties.items())


def titled_schema(schema: Mapping[str, Any]) -> dict[str, Json]:
    """A schema of options with a title for each of them, and for each of its choices."""
    properties = {
        name: member if name == TYPE else _titled(name, member)
        for name, member in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def titled_action_schema(engine: AnyEngine) -> dict[str, Json]:
    """The schema of the actions of a ruleset, with a title for each field."""
    schema = engine.action_codec.schema()
    return {**schema, "oneOf": [_with_titled_fields(kind) for kind in schema["oneOf"]]}


def _with_titled_fields(kind: Mapping[str, Any]) -> dict[str, Json]:
    fields = {
        name: member if name == TYPE else {"title": _title(name), **member}
        for name, member in kind["properties"].items()
    }
    return {**kind, "properties": fields}


def _titled(name: str, member: Mapping[str, Any]) -> dict[str, Json]:
    choices = [{"const": each, "title": _title(str(each))} for each in member.get("enum", ())]
    return {"title": _title(name), **member, **({"oneOf": choices} if choices else {})}


def _field(name: str, member: Mapping[str, Any]) -> RulesOption:
    parts = [part for part in member.get("anyOf", [member]) if part.get("type") != "null"]
    inner = parts[0] if len(parts) == 1 else {}
    return RulesOption(
        name=name,
        title=_title(name),
        description=_sentence(member.get("description", "")),
        kind="choice" if "enum" in inner else KINDS_BY_TYPE.get(inner.get("type", ""), "other"),
        choices=tuple(OptionChoice(each, _title(str(each))) for each in inner.get("enum", ())),
        minimum=inner.get("minimum"),
        maximum=inner.get("maximum"),
        may_be_null="anyOf" in member,
        default=member.get("default"),
    )


def _title(name: str) -> str:
    """ "next_turn": "Next turn"."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def _sentence(comment: str) -> str:
    """A comment as a sentence."""
    return comment and f"{comment[0].upper()}{comment[1:].removesuffix('.')}."
