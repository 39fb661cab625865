"""The schemas of the tools' arguments, made from the OpenAPI document of the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tabularium_client.mcp_server.refusals import ToolRefusal

REFERENCE: Final = "#/components/schemas/"
DEFINITION: Final = "#/$defs/"
ACTION: Final = "Action"
JSON: Final = "application/json"
NULL: Final = {"type": "null"}
# keywords of OpenAPI, and examples: a model needs neither
OMITTED: Final = frozenset({"discriminator", "example", "examples", "x-spec-enum-id"})
# a seed has to be kept and opened later, which no tool does
HIDDEN: Final = frozenset({"seed_hash"})
METHODS: Final = ("get", "post", "put", "patch", "delete")
Schema = dict[str, Any]


class ApiDocument:
    """The OpenAPI document of a server, by operation. Its actions are those of `rules`, if some are
    named: fewer take less of a model's memory."""

    def __init__(self, document: Mapping[str, Any], rules: Sequence[str] = ()) -> None:
        self._schemas: dict[str, Schema] = dict(document["components"]["schemas"])
        if rules:
            self._schemas[ACTION] = self._action_of(rules)
        self._operations = {
            operation["operationId"]: operation for operation in _operations(document)
        }

    def _action_of(self, rules: Sequence[str]) -> Schema:
        """The schema of an action of these rulesets."""
        action = self._schemas[ACTION]
        kinds = action["discriminator"]["mapping"].items()
        kept = {reference for kind, reference in kinds if kind.partition(".")[0] in rules}
        if not kept:
            raise ToolRefusal("unknown-rules", f"The server has no ruleset {' or '.join(rules)}.")
        return action | {"oneOf": [each for each in action["oneOf"] if each["$ref"] in kept]}

    def description(self, operation: str) -> str:
        """The description of an operation, as one paragraph."""
        found = self._operations[operation]
        return " ".join((found.get("description") or found["summary"]).split())

    def body_members(self, operation: str) -> frozenset[str]:
        """The names of the members of the body of an operation."""
        return frozenset(self._body(operation))

    def input_schema(
        self, operation: str, members: Sequence[str], own: Mapping[str, Schema]
    ) -> Schema:
        """The schema of a tool: some members of an operation, from its parameters and its body, and
        `own` ones. A member is required if the operation requires it."""
        found = {**self._parameters(operation), **self._body(operation)}
        chosen = {name: found[name] for name in members}
        properties = {name: schema for name, (schema, _) in chosen.items()} | dict(own)
        required = [name for name, (_, is_required) in chosen.items() if is_required]
        return self._with_definitions(
            {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            }
        )

    def _parameters(self, operation: str) -> dict[str, tuple[Schema, bool]]:
        """The parameters of an operation, and whether each is required."""
        return {
            each["name"]: (_described(each), each.get("required", False))
            for each in self._operations[operation].get("parameters", [])
            if each["in"] != "header"
        }

    def _body(self, operation: str) -> dict[str, tuple[Schema, bool]]:
        """The members of the body of an operation, and whether each is required."""
        content = self._operations[operation].get("requestBody", {}).get("content", {})
        reference = content.get(JSON, {}).get("schema", {}).get("$ref", "")
        body = self._schemas.get(reference.removeprefix(REFERENCE), {})
        required = body.get("required", [])
        properties = body.get("properties", {}).items()
        return {name: (not_null(schema), name in required) for name, schema in properties}

    def _with_definitions(self, schema: Schema) -> Schema:
        """A schema for JSON Schema 2020-12, with all the schemas that it refers to."""
        definitions: dict[str, Schema] = {}
        waiting = list(_references(schema))
        while waiting:
            name = waiting.pop()
            if name not in definitions:
                definitions[name] = _plain(self._schemas[name])
                waiting += _references(self._schemas[name])
        plain: Schema = _plain(schema)
        return plain | {"$defs": dict(sorted(definitions.items()))} if definitions else plain


def _operations(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All operations of a document."""
    for path in document["paths"].values():
        yield from (path[method] for method in METHODS if method in path)


def _described(parameter: Mapping[str, Any]) -> Schema:
    """The schema of a parameter with its description."""
    description = parameter.get("description")
    schema: Schema = parameter["schema"]
    return schema | ({"description": description} if description else {})


def _references(schema: Any) -> Iterator[str]:
    """The names of the schemas that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.removeprefix(REFERENCE)
        for name, value in schema.items():
            if name not in OMITTED:
                yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _plain(schema: Any) -> Any:
    """A schema without the keywords of OpenAPI alone; its references lead to definitions."""
    if isinstance(schema, dict):
        return {name: _value(name, each) for name, each in schema.items() if name not in OMITTED}
    return [_plain(each) for each in schema] if isinstance(schema, list) else schema


def _value(name: str, value: Any) -> Any:
    """The value of a keyword."""
    if name == "$ref" and isinstance(value, str):
        return value.replace(REFERENCE, DEFINITION)
    if name == "properties" and isinstance(value, dict):
        return {member: _plain(each) for member, each in value.items() if member not in HIDDEN}
    return _plain(value)


def not_null(schema: Schema) -> Schema:
    """The schema of a member without null."""
    kept = [each for each in schema.get("anyOf", []) if each != NULL]
    if len(kept) != 1:
        return schema
    (only,) = kept
    return {name: each for name, each in schema.items() if name != "anyOf"} | dict(only)
