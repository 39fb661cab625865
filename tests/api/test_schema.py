"""The OpenAPI document is correct and complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.renderers import OpenApiYamlRenderer

from api import schema, urls
from api.openapi_schemas import schema_prefix
from api.problem_catalogue import PROBLEM_KINDS
from api.ruleset_types import Part, type_of, typed_schema
from api.schema import EXAMPLES_FILE
from tabularium_engines.common.news_formats import news_schema
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tests.api.contract import BASE, UNDESCRIBED, contract
from tests.api.examples import examples, serialized

API = Path(schema.__file__).parent
FORMS = {"format", "pattern", "enum", "const"}
TIMES = {"at", "created", "deadline", "ended", "expires", "last_used", "timestamp"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    schema.built_document.cache_clear()
    with GENERATOR_STATS.silence():
        generated = schema.openapi_document()
    assert not GENERATOR_STATS
    return generated


def test_it_is_built_once_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[bool] = []

    class Generator:
        def get_schema(self, **_: object) -> dict[str, Any]:
            builds.append(schema._build_lock.locked())
            return {}

    monkeypatch.setattr(schema, "SchemaGenerator", Generator)
    monkeypatch.setattr(schema, "built_document", cache(schema.built_document.__wrapped__))
    assert schema.openapi_document() is schema.openapi_document()
    assert builds == [True]


def test_every_address_is_described(document: dict[str, Any]) -> None:
    routes = {re.sub(r"<\w+:(\w+)>", r"{\1}", str(url.pattern)) for url in urls.urlpatterns}
    assert set(document["paths"]) == {BASE + route for route in routes} - UNDESCRIBED
    assert document["openapi"] == "3.1.1"


def test_every_operation_says_that_it_may_refuse(document: dict[str, Any]) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            for statuses in ("4XX", "5XX"):
                content = operation["responses"][statuses]["content"]["application/problem+json"]
                name = content["schema"]["$ref"].rpartition("/")[2]
                problem, of_operation = document["components"]["schemas"][name]["allOf"]
                assert problem == {"$ref": "#/components/schemas/Problem"}
                assert {*of_operation["properties"]["code"]["enum"]} <= {*PROBLEM_KINDS}


def test_every_problem_belongs_to_an_operation(document: dict[str, Any]) -> None:
    """But for those that no operation of the document gives."""
    names = {"method-not-allowed"}
    for name, refusal in document["components"]["schemas"].items():
        if name.endswith("Refusal"):
            names |= {*refusal["allOf"][1]["properties"]["code"]["enum"]}
    assert names == {*PROBLEM_KINDS}


def schemas_of_shapes(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas that belong to no game."""
    games = tuple(map(schema_prefix, RULESETS.values()))
    return {name: schema for name, schema in schemas.items() if not name.startswith(games)}


def test_every_member_of_a_shape_is_described(document: dict[str, Any]) -> None:
    shapes = schemas_of_shapes(document["components"]["schemas"])
    members = [(name, *member) for name, one in shapes.items() for member in members_of(one)]
    assert len(members) > 400
    assert not [(name, key) for name, key, one in members if not one.get("description")]


def test_every_property_is_described(document: dict[str, Any]) -> None:
    """Also those of games, and those inside of others: objects describe themselves."""
    components = document["components"]["schemas"]
    members = [(name, *one) for name in components for one in all_members_of(components[name])]
    assert len(members) > 1700
    assert not [(name, key) for name, key, one in members if not is_described(one, components)]


def test_every_constant_type_of_a_union_is_required(document: dict[str, Any]) -> None:
    """Clients tell the members of a union apart by it."""
    components = document["components"]["schemas"]
    unions = [one for one in components.values() if "discriminator" in one]
    assert len(unions) == 5
    for union in unions:
        for form in forms_of(plain({"anyOf": union["oneOf"]}, components)):
            assert "type" in form["required"]


def is_described(member: dict[str, Any], schemas: dict[str, Any]) -> bool:
    """Whether a member has a description, or is an object that has."""
    if member.get("description"):
        return True
    if "$ref" in member:
        return bool(schemas[member["$ref"].rpartition("/")[2]].get("description"))
    parts = [*member.get("anyOf", ()), member.get("items", {})]
    return any(is_described(part, schemas) for part in parts if isinstance(part, dict))


def members_of(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The members of an object that a client may meet."""
    return list(described.get("properties", {}).items())


def all_members_of(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The members of an object and of those inside it."""
    return [member for one in schemas(described) for member in members_of(one)]


# Of texts with these words in their description, each has a form.
IDENTIFYING = re.compile(
    r"\b(ids?|slug|token|times?|SHA-256|public key|signature|secret|seed|stable code|URL|address)\b"
)
AS_TYPED = {"JoinRequest.invitation"}  # a secret of the server, whose form may change


def test_every_id_time_address_and_hash_has_a_form(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]
    found: dict[str, set[str]] = {}
    for name, described in components.items():
        for member, one in members_of(described):
            if IDENTIFYING.search(one.get("description", "")):
                found[f"{name}.{member}"] = {
                    keyword
                    for part in (one, *one.get("anyOf", ()), one.get("items", {}))
                    if "string" in part.get("type", ())
                    for keyword in ({"text"} | part.keys()) & {"text", *FORMS}
                }
    texts = {place: forms for place, forms in found.items() if forms}
    assert len(texts) > 60
    assert {place for place, forms in texts.items() if forms == {"text"}} == AS_TYPED


def test_every_time_and_link_in_a_reply_has_a_format(document: dict[str, Any]) -> None:
    shapes = schemas_of_shapes(document["components"]["schemas"])
    for name, described in shapes.items():
        for member, one in members_of(described):
            formats = {part.get("format") for part in (one, *one.get("anyOf", ()))}
            if member in TIMES:
                assert "date-time" in formats, (name, member)
            if name.endswith("Links") and member != "view":
                assert "uri-reference" in formats, (name, member)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_the_schemas_of_games_are_those_of_their_codecs(
    document: dict[str, Any], ruleset: Ruleset
) -> None:
    """Named schemas, shared among versions and members, say the same as the schemas in one."""
    engine, schemas = RULESETS[ruleset], document["components"]["schemas"]
    parts: tuple[tuple[Part, str], ...] = (("options", "Options"), ("view", "View"))
    for part, union in parts:
        mapping = schemas[union]["discriminator"]["mapping"]
        named = plain({"$ref": mapping[type_of(*ruleset, part)]}, schemas)
        if part == "view":  # the options in a view have the schema of options, with its type
            del named["properties"]["options"]["properties"]["type"]
        else:  # replies have it always
            named["required"].remove("type")
        assert named == plain(typed_schema(engine, part), schemas)
    actions = plain({"$ref": "#/components/schemas/Action"}, schemas)["oneOf"]
    for kind in engine.action_codec.schema()["oneOf"]:
        assert plain(kind, schemas) in [one for action in actions for one in forms_of(action)]
    items = plain({"$ref": "#/components/schemas/NewsItem"}, schemas)["oneOf"]
    for kind in news_schema(engine)["oneOf"]:
        assert plain(kind, schemas) in [one for item in items for one in forms_of(item)]


def plain(node: Any, schemas: dict[str, Any]) -> Any:
    """A schema without names, descriptions and defaults, and with open objects."""
    if isinstance(node, list):
        return [plain(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return plain(schemas[node["$ref"].rpartition("/")[2]], schemas)
    if "prefixItems" in node and all(
        item == node["prefixItems"][0] for item in node["prefixItems"]
    ):
        node = {**node, "items": node["prefixItems"][0]}
    if len(node.get("enum", ())) == 1:
        node = {"const": node["enum"][0]}
    dropped = {"title", "description", "default", "additionalProperties", "prefixItems"}
    if isinstance(node.get("type"), str) and {"enum", "const"} & node.keys():
        dropped |= {"type"}
    return {key: plain(value, schemas) for key, value in node.items() if key not in dropped}


def forms_of(action: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas of an action or an item of news that has several, in versions or forms."""
    parts = action.get("anyOf", [action])
    return [form for part in parts for form in (forms_of(part) if "anyOf" in part else [part])]


def test_every_operation_says_which_key_it_needs(document: dict[str, Any]) -> None:
    for operations in (*document["paths"].values(), *document["webhooks"].values()):
        assert all("security" in operation for operation in operations.values())


def test_every_header_of_a_response_is_a_component(document: dict[str, Any]) -> None:
    headers = document["components"]["headers"]
    assert all(header["description"] for header in headers.values())
    for operation in contract().operations.values():
        for response in operation["responses"].values():
            assert {"Request-Id", "Cache-Control"} <= response["headers"].keys()
            assert response["headers"].keys() <= headers.keys()


def test_every_body_and_reply_has_a_name(document: dict[str, Any]) -> None:
    for operation in contract().operations.values():
        kinds = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (kind["content"] for kind in kinds if "content" in kind):
            body_schema = content.get("application/json", {}).get("schema", {"$ref": ""})
            assert "$ref" in body_schema, operation


def test_bodies_and_replies_are_described_in_one_way() -> None:
    """By `operation`, with shapes; webhooks are described in a module of their own."""
    sources = {path.relative_to(API).as_posix(): path.read_text() for path in API.rglob("*.py")}
    extended = {name for name, text in sources.items() if "extend_schema" in text}
    assert extended == {"schema.py", "webhooks/openapi.py"}


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """All objects in the document, at any depth."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            yield from schemas(inner)


def test_what_may_be_said_is_of_the_type_that_is_named(document: dict[str, Any]) -> None:
    for enum_schema in schemas(document["components"]["schemas"]):
        if isinstance(enum_schema.get("enum"), list) and isinstance(enum_schema.get("type"), str):
            validator = contract().validator({"type": enum_schema["type"]})
            assert all(map(validator.is_valid, enum_schema["enum"])), enum_schema


def test_no_description_is_indented(document: dict[str, Any]) -> None:
    """Markdown would render it as code."""
    for described_schema in schemas(document["components"]["schemas"]):
        lines = str(described_schema.get("description", "")).splitlines()
        assert not [line for line in lines if line.startswith(" ")], described_schema


def test_the_committed_document_is_this_one(document: dict[str, Any]) -> None:
    """`make openapi` writes it."""
    rendered = OpenApiYamlRenderer().render(document, renderer_context={})
    assert (API / "openapi.yaml").read_bytes() == rendered


@pytest.mark.django_db
def test_examples_are_what_is_answered_today() -> None:
    """`make openapi` writes the examples."""
    assert EXAMPLES_FILE.read_text(encoding="utf-8") == serialized(examples())


def test_examples_are_as_described() -> None:
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    for name, example in examples.items():
        operation = contract().operations[name]
        reply = operation["responses"][str(example["status"])]["content"]["application/json"]
        assert reply["example"] == example["reply"]
        contract().validator(reply["schema"]).validate(example["reply"])
        if "body" in example:
            body = operation["requestBody"]["content"]["application/json"]
            assert body["example"] == example["body"]
            contract().validator(body["schema"]).validate(example["body"])


def test_generated_code_has_one_name_for_one_thing(document: dict[str, Any]) -> None:
    """Go calls the constructor of an object `New…`; a tag is a file, and one of webhooks, too."""
    schemas = document["components"]["schemas"]
    objects = {name for name, one in schemas.items() if "properties" in one}
    assert not [name for name in objects if f"New{name}" in schemas]
    tags = [
        {
            tag
            for operations in document[part].values()
            for one in operations.values()
            for tag in one["tags"]
        }
        for part in ("paths", "webhooks")
    ]
    assert not tags[0] & tags[1]
    assert {tag["name"] for tag in document["tags"]} == tags[0] | tags[1]


def test_every_constant_has_a_type(document: dict[str, Any]) -> None:
    members = [
        member
        for one in document["components"]["schemas"].values()
        for _, member in members_of(one)
    ]
    constants = [member for member in members if "const" in member]
    assert len(constants) > 50
    assert all("type" in member for member in constants)
