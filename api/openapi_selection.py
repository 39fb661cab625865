"""The OpenAPI document of some rulesets: the whole one without the types of all others, and without
the examples that name them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from api.openapi_schemas import SCHEMA_REF_PREFIX, names_of_rulesets, reachable_schemas
from api.schema import openapi_document
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset, ruleset_of

Versions = Literal["newest", "all"]

SELECTIONS_KEPT: Final = 16  # documents
UNIONS: Final = ("anyOf", "oneOf")


def selected_rulesets(slug: str | None, versions: Versions) -> frozenset[Ruleset]:
    """The installed rulesets of that slug (None: of all), in their newest or in all versions."""
    newest = set(map(ruleset_of, ENGINES.values()))
    return frozenset(
        ruleset
        for ruleset in RULESETS
        if slug in (None, ruleset.slug) and (versions == "all" or ruleset in newest)
    )


@lru_cache(maxsize=SELECTIONS_KEPT)
def document_of(rulesets: frozenset[Ruleset]) -> dict[str, Any]:
    """The document with the types of these rulesets alone. It shares most of its parts with the
    whole one."""
    document = openapi_document()
    if rulesets == RULESETS.keys():
        return document
    left_out_slugs = {one.slug for one in RULESETS} - {one.slug for one in rulesets}
    paths = _without_examples_of(left_out_slugs, document["paths"])
    components = document["components"]
    schemas = _without_others(rulesets, components["schemas"])
    used = reachable_schemas([paths, document["webhooks"]], schemas)
    return {
        **document,
        "info": _info(document["info"], rulesets),
        "paths": paths,
        "components": {**components, "schemas": {name: schemas[name] for name in sorted(used)}},
    }


def _info(info: Mapping[str, Any], rulesets: Collection[Ruleset]) -> dict[str, Any]:
    """The description, and which types the document has."""
    names = ", ".join(map(str, sorted(rulesets)))
    kept = f"This document has the types of these rulesets alone: {names}."
    return {**info, "description": f"{info['description']}\n\n{kept}"}


def _without_others(
    rulesets: Collection[Ruleset], schemas: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """The schemas without those that other rulesets alone have, and without unions of nothing."""
    names = names_of_rulesets()
    left_out = set().union(*names.values()) - set().union(*(names[one] for one in rulesets))
    kept = dict(schemas)
    while left_out:
        kept = {
            name: _without_references(schema, left_out)
            for name, schema in kept.items()
            if name not in left_out
        }
        left_out = {
            name for name, schema in kept.items() if any(schema.get(one) == [] for one in UNIONS)
        }
    return kept


def _without_references(schema: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """A schema whose union has none of these schemas."""
    references = {SCHEMA_REF_PREFIX + name for name in names}
    changed = dict(schema)
    for union in UNIONS:
        if union in schema:
            changed[union] = [one for one in schema[union] if one.get("$ref") not in references]
    if "discriminator" in schema:
        mapping = schema["discriminator"]["mapping"].items()
        kept = {kind: reference for kind, reference in mapping if reference not in references}
        changed["discriminator"] = {**schema["discriminator"], "mapping": kept}
    return changed


def _without_examples_of(slugs: Collection[str], node: Any) -> Any:
    """A part of the document without the examples that name these rulesets."""
    if not slugs:
        return node
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, slugs))})\b")

    def without(node: Any) -> Any:
        if isinstance(node, list):
            return [without(item) for item in node]
        if not isinstance(node, dict):
            return node
        kept = node
        if "schema" in node and pattern.search(json.dumps(node.get("example"))):
            kept = {name: value for name, value in node.items() if name != "example"}
        return {
            name: value if name == "example" else without(value) for name, value in kept.items()
        }

    return without(node)
