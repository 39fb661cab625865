"""The schema of the API as an OpenAPI document, generated from the endpoints and their shapes, with
examples: real bodies and replies, recorded by `make openapi`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache, partial
from inspect import cleandoc
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, TypeVar

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import SafeDumper  # type: ignore[attr-defined]
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from api import api_level
from api.deprecations import mark_deprecated
from api.errors import PROBLEM_MEDIA_TYPE
from api.openapi_schemas import (
    SCHEMA_REF_PREFIX,
    component_schemas,
    reachable_schemas,
    registered_shapes,
    shape_reference,
    tell_defaults,
)
from api.operation_problems import PROBLEMS_EXTENSION, problem_schema, schema_name
from api.response_headers import (
    COMMON_HEADERS,
    REFUSAL_HEADERS,
    header_components,
    header_references,
)
from api.shape_members import describe_constants, describe_members, shapes_within

F = TypeVar("F", bound=Callable[..., Any])
Content = type[Any] | tuple[type[Any], ...]  # a shape, or one of several
Reply = type[Any] | str | Mapping[str, Content] | None

_build_lock: Final = Lock()
SECURITY_SCHEME_NAME: Final = "key"
SCOPE_ATTRIBUTE: Final = "scope"  # attribute of a method: the scope that its key needs
PROBLEMS_ATTRIBUTE: Final = "problems"  # attribute of a method: the problems of its own
SECURITY_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key: `tab_…`. `POST /api/v1/guests` creates one at once.",
}
PATH_PARAMETER_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "account": "The `id` of an account.",
    "bot": "The name of a bot, as listed by `GET /api/v1/bots`.",
    "analysis": "The `id` of an analysis.",
    "game": "The `id` of a game.",
    "key": "The `id` of a key.",
    "webhook": "The `id` of a webhook.",
    "delivery": "The `id` of a delivery.",
    "proposal": "The entry that made the proposal: `seq` in `proposal` of the game.",
    "seq": "The number of an entry, from 1.",
    "slug": "The `slug` of a ruleset, as listed by `GET /api/v1/rules`.",
    "part": "`options`, `action`, `news` or `view`.",
    "code": "The `code` of a problem.",
}
PATH_PARAMETER_VALUES: Final[Mapping[str, list[str]]] = {
    "part": ["options", "action", "news", "view"]
}
SENT_HEADERS_EXTENSION: Final = "x-sent-headers"  # of an operation, while it is described
ANSWERED_HEADERS: Final = {  # by a header of the request, the one of the response
    "If-None-Match": "ETag",
    "Idempotency-Key": "Idempotent-Replayed",
    "Prefer": "Preference-Applied",
}
MAX_IDEMPOTENCY_KEY_LENGTH: Final = 255
IDEMPOTENCY_KEY_PATTERN: Final = r'^"?([!#-~]([ !#-~]*[!#-~])?)"?$'  # with or without quotes
TAGS: Final[Mapping[str, str]] = {
    "service": "The service itself: where to start, its health, its bots' ladder, its problems.",
    "guests": "Accounts, created with a key at once.",
    "keys": "Keys that are handed to another device with a one-time code.",
    "me": "Your account, its keys and its ratings.",
    "rules": "Rulesets: their rules in words, and the schemas of options, actions and views.",
    "accounts": "The profiles of accounts.",
    "bots": "Bots and how strong they are.",
    "games": "Games: create, join, play, watch, replay, export.",
    "analyses": "Analyses of positions and games.",
    "webhooks": "Webhooks: requests that tell your program of events.",
    "verifications": "Proofs that an export is whole and fair.",
    "events": "Requests that the server sends to webhooks.",
}
# PyYAML writes "08" without quotes, as it is no octal number; YAML 1.2 would read it as a number.
SafeDumper.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"[-+]?[0-9]+$"), list("-+0123456789")
)
REFUSAL_DESCRIPTIONS: Final = {
    "4XX": "Refused: a problem (RFC 9457).",
    "5XX": "The server failed, or has no time: a problem (RFC 9457).",
}
undescribed: Final = extend_schema(exclude=True)  # for a method that the document leaves out

EXAMPLES_FILE: Final = Path(__file__).with_name("examples.json")


NOT_KEPT: Final = "no-store"  # the cache control of a response that must not be kept
CONDITION_PARAMETER: Final = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of your copy: if it is current, the response is 304.",
)


class OperationSchema(AutoSchema):
    """Adds to every operation a one-line summary, its tag, and the headers of conditions and
    retries."""

    def get_auth(self) -> list[dict[str, Any]]:
        """No key is needed unless the operation declares it."""
        return []

    def get_tags(self) -> list[str]:
        """The tag: the first segment of the path, or `service`."""
        tags: list[str] = super().get_tags()
        return [tag if tag in TAGS else "service" for tag in tags] or ["service"]

    def get_override_parameters(self) -> Any:
        """The `Idempotency-Key` header of every POST that changes something, and `If-None-Match`
        of every GET whose response may be kept."""
        view: Any = self.view  # for a webhook request, not one of our endpoints
        if self.method == "POST" and getattr(view, "keeps_replies", False):
            return [_idempotency_key_parameter(view.min_idempotency_key_length)]
        return [CONDITION_PARAMETER] if self._may_be_kept() else []

    def _may_be_kept(self) -> bool:
        """Whether clients may keep the response, and ask whether it is current."""
        return self.method == "GET" and getattr(self.view, "cache_control", NOT_KEPT) != NOT_KEPT

    def get_summary(self) -> str:
        """The first sentence of the description, up to a semicolon."""
        description = self.get_description()
        return description.replace("\n", " ").partition(". ")[0].partition("; ")[0].rstrip(".")

    def _get_response_bodies(
        self, direction: Literal["request", "response"] = "response"
    ) -> dict[str, Any]:
        described = super()._get_response_bodies(direction)
        if self._may_be_kept():
            described["304"] = {"description": "Your copy is current."}
        return described


def operation(  # noqa: PLR0913  # one parameter for each part of the document
    name: str,
    *,
    body: type[Any] | str | None = None,
    reply: Reply = None,
    status: int = 200,
    query: type[Serializer[Any]] | None = None,
    scope: str = "",
    open_to_all: bool = False,
    headers: Mapping[str, str] | None = None,
    also: Mapping[int, str] | None = None,
    meanwhile: type[Any] | None = None,
    once: bool = False,
    sends: Sequence[str] = (),
) -> Callable[[F], F]:
    """Describe a method of an endpoint: its operation id; its body and reply, each a shape or a
    media type (or a reply in several media types: `str` or a shape in each); the scope of the key
    it needs (if `open_to_all`, only a key that is sent needs it); the headers it reads; in `also`,
    other statuses that are no refusals, with the same shape if they are 2xx, else with none;
    `meanwhile`, the shape of a 202 while the reply is being made;
    `once`, if it handles the `Idempotency-Key` itself; and the headers of its own that it sends."""
    parameters: list[Any] = [query] if query else []
    for header, meaning in (headers or {}).items():
        parameters.append(OpenApiParameter(header, str, "header", description=meaning))
    parameters += [_idempotency_key_parameter(1)] if once else []
    describe = partial(
        extend_schema,
        operation_id=name,
        request=_request_content(body),
        responses=_response_schemas(reply, status, also or {}) | _meanwhile_schema(meanwhile),
        parameters=parameters,
        auth=_security_requirements(scope, open_to_all),  # type: ignore[arg-type]  # copied into the document
    )

    def decorated(method: F) -> F:
        setattr(method, SCOPE_ATTRIBUTE, scope)
        extensions = {SENT_HEADERS_EXTENSION: list(sends)} | getattr(method, PROBLEMS_ATTRIBUTE, {})
        return describe(extensions=extensions)(method)

    return decorated


def refused_with(*codes: str) -> Callable[[F], F]:
    """Name, below `operation`, its problems that nothing else in its description implies."""

    def decorated(method: F) -> F:
        if hasattr(method, SCOPE_ATTRIBUTE):
            raise TypeError(f"{method.__qualname__}: @refused_with stands below @operation.")
        setattr(method, PROBLEMS_ATTRIBUTE, {PROBLEMS_EXTENSION: codes})
        return method

    return decorated


def _idempotency_key_parameter(min_length: int) -> OpenApiParameter:
    return OpenApiParameter(
        "Idempotency-Key",
        {
            "type": "string",
            "pattern": IDEMPOTENCY_KEY_PATTERN,
            "minLength": min_length,
            "maxLength": MAX_IDEMPOTENCY_KEY_LENGTH,
        },
        "header",
        description=(
            "A key that you choose for this request, preferably a random UUID. If you "
            "send the request again within a day, it is not processed again, and the "
            "reply is the same."
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


def _response_schemas(reply: Reply, status: int, also: Mapping[int, str]) -> dict[Any, Any]:
    shape = shape_reference(reply) if isinstance(reply, type) else None
    other_responses = {
        code: OpenApiResponse(shape if code < 300 else None, description=meaning)
        for code, meaning in also.items()
    }
    if isinstance(reply, str):
        reply = {reply: str}
    if isinstance(reply, Mapping):
        contents = {(status, media): _content(kind) for media, kind in reply.items()}
        return {**contents, **other_responses}
    meaning = "Done." if reply is None else cleandoc(reply.__doc__ or "")
    return {status: OpenApiResponse(shape, description=meaning), **other_responses}


def _meanwhile_schema(shape: type[Any] | None) -> dict[Any, Any]:
    return {} if shape is None else {(202, "application/json"): _content(shape)}


def _content(kind: Content) -> Any:
    """The content of a reply in one of several media types; the first one describes the reply."""
    if isinstance(kind, tuple):
        return OpenApiResponse({"anyOf": [shape_reference(each) for each in kind]})
    if kind in (str, bytes):
        return OpenApiTypes.STR if kind is str else OpenApiTypes.BINARY
    return OpenApiResponse(shape_reference(kind), description=cleandoc(kind.__doc__ or ""))


# -- the whole document ---------------------------------------------------------------------------


def postprocess_document(
    result: dict[str, Any], generator: SchemaGenerator, request: object, public: bool
) -> dict[str, Any]:
    """A hook of drf-spectacular: add the shapes, the games' schemas, the examples and the API
    level."""
    schemas = result["components"].setdefault("schemas", {})
    schemas.update(deepcopy(component_schemas()))
    result["components"]["securitySchemes"] = {SECURITY_SCHEME_NAME: SECURITY_SCHEME}
    result["components"]["headers"] = header_components()
    for path, operations in result["paths"].items():
        for method, described in operations.items():
            _complete_operation(described, schemas)
            _describe_refusals(described, path, method, schemas)
    for name, operations in result["webhooks"].items():
        operations["post"] |= {
            "operationId": name.replace(".", "_") + "_event",
            "tags": ["events"],  # apart from the operations: generators make a file for each tag
        }
    for operations in (*result["paths"].values(), *result["webhooks"].values()):
        for described in operations.values():
            described.setdefault("security", [])  # none is needed
    _finish_schemas(result)
    result["tags"] = [{"name": name, "description": said} for name, said in TAGS.items()]
    result["info"]["x-api-level"] = api_level.API_LEVEL
    mark_deprecated(result)
    add_examples(result["paths"])
    return result


def _complete_operation(described: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Describe the path parameters and the headers of the responses, and state whether the body is
    required."""
    for parameter in described.get("parameters", ()):
        if parameter["in"] == "path":
            name = parameter["name"]
            parameter.setdefault("description", PATH_PARAMETER_DESCRIPTIONS[name])
            if name in PATH_PARAMETER_VALUES:
                parameter["schema"]["enum"] = PATH_PARAMETER_VALUES[name]
    _describe_headers(described)
    if "requestBody" in described:
        described["requestBody"]["required"] = any(
            _is_body_required(content["schema"], schemas)
            for content in described["requestBody"]["content"].values()
        )


def _describe_headers(described: dict[str, Any]) -> None:
    """Describe the headers of the responses: those of all, and those that answer to a header of the
    request."""
    asked = {one["name"] for one in described.get("parameters", ()) if one["in"] == "header"}
    sent = [*COMMON_HEADERS, *described.pop(SENT_HEADERS_EXTENSION, ())]
    sent += [answer for header, answer in ANSWERED_HEADERS.items() if header in asked]
    for response in described["responses"].values():
        response["headers"] = header_references(sent)


def _describe_refusals(
    described: dict[str, Any], path: str, method: str, schemas: dict[str, Any]
) -> None:
    """Describe the problems with which an operation is refused: their codes are an enumeration."""
    name = schema_name(described["operationId"])
    schemas[name] = problem_schema(described, path, method)
    content = {PROBLEM_MEDIA_TYPE: {"schema": {"$ref": SCHEMA_REF_PREFIX + name}}}
    for statuses, meaning in REFUSAL_DESCRIPTIONS.items():
        described["responses"][statuses] = {
            "description": meaning,
            "headers": header_references(REFUSAL_HEADERS),
            "content": content,
        }


def _is_body_required(body: Mapping[str, Any], schemas: Mapping[str, Any]) -> bool:
    """Whether the body has required members."""
    shape = (
        schemas[body["$ref"].removeprefix(SCHEMA_REF_PREFIX)]
        if "$ref" in body
        else {"required": [""]}
    )
    return bool(shape.get("required"))


def _finish_schemas(document: dict[str, Any]) -> None:
    """Describe the members of shapes, and keep only request schemas closed: replies may get more
    members later."""
    schemas = document["components"]["schemas"]
    bodies = [
        described["requestBody"]
        for operations in document["paths"].values()
        for described in operations.values()
        if "requestBody" in described
    ]
    sent = reachable_schemas(bodies, schemas)
    for name, shape in shapes_within(registered_shapes()).items():
        if name in schemas:
            describe_members(shape, schemas[name])
    for schema in schemas.values():
        describe_constants(schema)
        tell_defaults(schema)
    for name in set(schemas) - sent:
        if schemas[name].get("additionalProperties") is False:
            del schemas[name]["additionalProperties"]


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of this API, built when it is first asked for."""
    with _build_lock:
        return built_document()


@cache
def built_document() -> dict[str, Any]:
    """The document. Threads that need it at once would each build it: `openapi_document` has them
    wait."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document


# -- examples -------------------------------------------------------------------------------------


def add_examples(paths: dict[str, Any]) -> None:
    """Add to every operation of the document its recorded example."""
    examples: dict[str, Any] = (
        json.loads(EXAMPLES_FILE.read_text(encoding="utf-8")) if EXAMPLES_FILE.exists() else {}
    )
    for operations in paths.values():
        for described in operations.values():
            _add_example(described, examples.get(described["operationId"], {}))


def _add_example(described: dict[str, Any], example: dict[str, Any]) -> None:
    if "body" in example:
        for content in described["requestBody"]["content"].values():
            content["example"] = example["body"]
    response = described["responses"].get(str(example.get("status")), {})
    for media_type, content in response.get("content", {}).items():
        if media_type == "application/json":
            content["example"] = example["reply"]
