"""How is the OpenAPI document made? From the views and their shapes, with what all share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, Final, Literal, TypeVar

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import SafeDumper  # type: ignore[attr-defined]
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from api import api_level
from api.components import SCHEMA_REF_PREFIX, component_schemas, reachable_schemas, shape_reference
from api.errors import PROBLEM_MEDIA_TYPE
from api.examples import add_examples
from api.shapes.problems import Problem

F = TypeVar("F", bound=Callable[..., Any])

SECURITY_SCHEME_NAME: Final = "key"
SCOPE_ATTRIBUTE: Final = "scope"  # as an attribute of a method: that of the key which it needs
SECURITY_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key: `tab_…`. `POST /api/v1/guests` makes one at once.",
}
PATH_PARAMETER_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "analysis": "The `id` of an analysis.",
    "game": "The `id` of a game.",
    "key": "The `id` of a key.",
    "seq": "The number of an entry, from 1.",
    "slug": "The name of the rules, as `GET /api/v1/rules` lists them.",
    "part": "`options`, `action` or `view`.",
    "code": "The `code` of a problem.",
}
MAX_IDEMPOTENCY_KEY_LENGTH: Final = 255
IDEMPOTENCY_KEY_PATTERN: Final = r'^"?([!#-~]([ !#-~]*[!#-~])?)"?$'  # with or without quotes
OPERATION_TAGS: Final = {
    "analyses",
    "bots",
    "games",
    "guests",
    "me",
    "rules",
    "verifications",
    "webhooks",
}
# PyYAML writes "08" bare, since that is no octal number; readers of YAML 1.2 would take it for one.
SafeDumper.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+$"), list("-+0123456789")
)
REFUSAL_DESCRIPTION: Final = "Refused: a problem (RFC 9457)."


class OperationSchema(AutoSchema):
    """Says of every operation that all its refusals are problems, and what it does in a line."""

    def get_auth(self) -> list[dict[str, Any]]:
        """Nobody needs a key where the operation does not say so."""
        return []

    def get_tags(self) -> list[str]:
        """What it is about: the first word of its path, or the service itself."""
        tags: list[str] = super().get_tags()
        return [tag if tag in OPERATION_TAGS else "service" for tag in tags] or ["service"]

    def get_override_parameters(self) -> Any:
        """Every POST that changes something can be done once under a key of the client's own."""
        view: Any = self.view  # of what a webhook is sent, none of ours
        keeps = self.method == "POST" and getattr(view, "keeps_replies", False)
        return [_idempotency_key_parameter(view.min_idempotency_key_length)] if keeps else []

    def get_summary(self) -> str:
        """The first sentence of what is said of it."""
        said = self.get_description()
        return said.replace("\n", " ").partition(". ")[0].partition("; ")[0].rstrip(".")

    def _get_response_bodies(
        self, direction: Literal["request", "response"] = "response"
    ) -> dict[str, Any]:
        told = {
            "content": {PROBLEM_MEDIA_TYPE: {"schema": shape_reference(Problem)}},
            "description": REFUSAL_DESCRIPTION,
        }
        return {**super()._get_response_bodies(direction), "default": told}


def operation(  # noqa: PLR0913  # each says one thing that the document says
    name: str,
    *,
    body: type[Any] | str | None = None,
    reply: type[Any] | str | None = None,
    status: int = 200,
    query: type[Serializer[Any]] | None = None,
    scope: str = "",
    open_to_all: bool = False,
    headers: Mapping[str, str] | None = None,
    also: Mapping[int, str] | None = None,
    once: bool = False,
) -> Callable[[F], F]:
    """Describe a method of an endpoint: its name, its body and its reply, each of a shape or of a
    media type; the scope of the key it needs (or, if it is open to all, that a key which is shown
    must have); headers it understands; other statuses that are no refusals: with the same reply
    if they are of the 200s, else with none; and whether it sees itself to a key of the client's."""
    parameters: list[Any] = [query] if query else []
    for header, meaning in (headers or {}).items():
        parameters.append(OpenApiParameter(header, str, "header", description=meaning))
    parameters += [_idempotency_key_parameter(1)] if once else []
    described = extend_schema(
        operation_id=name,
        request=_request_content(body),
        responses=_response_schemas(reply, status, also or {}),
        parameters=parameters,
        auth=_security_requirements(scope, open_to_all),  # type: ignore[arg-type]  # what the document shows
    )

    def described_method(method: F) -> F:
        setattr(method, SCOPE_ATTRIBUTE, scope)
        return described(method)

    return described_method


def _idempotency_key_parameter(shortest: int) -> OpenApiParameter:
    return OpenApiParameter(
        "Idempotency-Key",
        {
            "type": "string",
            "pattern": IDEMPOTENCY_KEY_PATTERN,
            "minLength": shortest,
            "maxLength": MAX_IDEMPOTENCY_KEY_LENGTH,
        },
        "header",
        description=(
            "A key of your own for this request, best a random UUID: sent again within a day, the"
            " request is not done again, and the reply is the same."
        ),
    )


def _security_requirements(
    scope: str, open_to_all: bool
) -> Sequence[Mapping[str, list[str]]] | None:
    if not scope:
        return None
    return (
        [{SECURITY_SCHEME_NAME: [scope]}, {}] if open_to_all else [{SECURITY_SCHEME_NAME: [scope]}]
    )


def _request_content(body: type[Any] | str | None) -> Any:
    if isinstance(body, str):
        return {body: {"type": "string"}}
    return None if body is None else {"application/json": shape_reference(body)}


def _response_schemas(
    reply: type[Any] | str | None, status: int, also: Mapping[int, str]
) -> dict[Any, Any]:
    if isinstance(reply, str):
        return {(status, reply): OpenApiTypes.STR}
    if reply is None:
        return {status: OpenApiResponse(description="Done.")}
    shape = shape_reference(reply)
    others = {
        code: OpenApiResponse(shape if code < 300 else None, description=meaning)
        for code, meaning in also.items()
    }
    return {status: OpenApiResponse(shape, description=cleandoc(reply.__doc__ or "")), **others}


# -- the whole document ---------------------------------------------------------------------------


def postprocess_document(
    result: dict[str, Any], generator: SchemaGenerator, request: object, public: bool
) -> dict[str, Any]:
    """A hook of drf-spectacular: the shapes, what the games bring, examples, and the level."""
    schemas = result["components"].setdefault("schemas", {})
    schemas.update(component_schemas())
    result["components"]["securitySchemes"] = {SECURITY_SCHEME_NAME: SECURITY_SCHEME}
    for operations in result["paths"].values():
        for described in operations.values():
            _complete_operation(described, schemas)
    _open_reply_schemas(result)
    result["info"]["x-api-level"] = api_level.API_LEVEL
    add_examples(result["paths"])
    return result


def _complete_operation(described: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Say what stands in the path, and whether a body is needed."""
    for parameter in described.get("parameters", ()):
        if parameter["in"] == "path":
            parameter.setdefault(
                "description", PATH_PARAMETER_DESCRIPTIONS.get(parameter["name"], "")
            )
    if "requestBody" in described:
        described["requestBody"]["required"] = any(
            _is_body_required(content["schema"], schemas)
            for content in described["requestBody"]["content"].values()
        )


def _is_body_required(body: Mapping[str, Any], schemas: Mapping[str, Any]) -> bool:
    """Does it have members without which the server refuses it?"""
    shape = (
        schemas[body["$ref"].removeprefix(SCHEMA_REF_PREFIX)]
        if "$ref" in body
        else {"required": [""]}
    )
    return bool(shape.get("required"))


def _open_reply_schemas(document: dict[str, Any]) -> None:
    """Let only what is sent to us be closed: replies may have more members one day."""
    schemas = document["components"]["schemas"]
    bodies = [
        described["requestBody"]
        for operations in document["paths"].values()
        for described in operations.values()
        if "requestBody" in described
    ]
    for name in set(schemas) - reachable_schemas(bodies, schemas):
        if schemas[name].get("additionalProperties") is False:
            del schemas[name]["additionalProperties"]


@cache
def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of this API."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document
