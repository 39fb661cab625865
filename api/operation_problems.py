"""The problems that an operation can be refused with, in the OpenAPI document: those of every
request, those of what the operation reads (a body, a query, a key, a game), and its own, which
its endpoint names; here are those that several endpoints share."""

from __future__ import annotations

from typing import Any, Final

from api.openapi_schemas import shape_reference
from api.shapes.problems import Problem
from tabularium_engines.common.member_comments import member_comments

OF_EVERY_REQUEST: Final = (
    *("bad-request", "request-timeout", "head-too-large", "expectation-failed"),
    *("account-banned", "unauthorized", "not-acceptable", "unknown-parameter"),
    *("too-many-requests", "too-many-connections"),
    *("not-implemented", "internal-error", "overloaded", "unavailable"),
)
OF_A_QUERY: Final = ("invalid-parameter",)
OF_A_BODY: Final = (
    *("invalid-json", "invalid-body", "unsupported-media-type", "too-large", "too-many-uploads"),
)
OF_A_SCOPE: Final = ("insufficient-scope",)
OF_AN_IDEMPOTENCY_KEY: Final = ("idempotency-key-reused", "reply-expired")
OF_A_PATH: Final = ("not-found",)
OF_A_GAME: Final = ("game-locked", "log-broken", "ruleset-not-installed")
OF_A_CHANGED_GAME: Final = ("busy",)

OF_SEATING: Final = (
    *("bad-seed-hash", "rated-clock", "rated-legs", "rated-together", "rated-twice"),
    *("too-many-games", "unknown-bot", "unknown-rules", "unknown-seat", "wrong-seats"),
)
OF_A_PLAYING_SEAT: Final = ("game-over", "not-started", "not-your-seat", "unknown-seat")
OF_A_DECISION: Final = ("game-over", "not-over", "not-started", "not-your-seat", "not-your-turn")
OF_A_POSITION: Final = ("not-your-seat", "unknown-entry", "not-started")
OF_AN_EXPORT: Final = (
    *("checks-busy", "invalid-export", "too-costly", "too-large", "too-many-checks"),
    *("too-many-uploads", "unknown-rules", "unsupported-media-type"),
)

PROBLEM_REFERENCE: Final = shape_reference(Problem)
PROBLEMS_EXTENSION: Final = "x-problems"  # of an operation, while it is described
SCHEMA_SUFFIX: Final = "Refusal"


def problem_codes(described: dict[str, Any], path: str, method: str) -> list[str]:
    """The codes of the problems of an operation."""
    parameters = [(one["in"], one["name"]) for one in described.get("parameters", ())]
    places = {place for place, _ in parameters}
    found = {*OF_EVERY_REQUEST, *described.pop(PROBLEMS_EXTENSION, ())}
    if "query" in places or ("header", "Last-Event-ID") in parameters:
        found.update(OF_A_QUERY)
    if "path" in places:
        found.update(OF_A_PATH)
    if described.get("security"):
        found.update(OF_A_SCOPE)
    if ("header", "Idempotency-Key") in parameters:
        found.update(OF_AN_IDEMPOTENCY_KEY)
        found.update(OF_A_BODY)
    if "application/json" in described.get("requestBody", {}).get("content", {}):
        found.update(OF_A_BODY)
    if "{game}" in path:
        found.update(OF_A_GAME)
        found.update(OF_A_CHANGED_GAME if method != "get" else ())
    return sorted(found)


def schema_name(operation: str) -> str:
    """The name of the schema of an operation's problems, such as `ActRefusal`."""
    return "".join(part.title() for part in operation.split("_")) + SCHEMA_SUFFIX


def problem_schema(described: dict[str, Any], path: str, method: str) -> dict[str, Any]:
    """The problem of an operation: with one of its codes."""
    return {
        "description": "A problem that this operation can be refused with.",
        "allOf": [
            PROBLEM_REFERENCE,
            {
                "type": "object",
                "properties": {
                    "code": {
                        "type": "string",
                        "enum": problem_codes(described, path, method),
                        "description": member_comments(Problem)["code"],
                    }
                },
                "required": ["code"],
            },
        ],
    }
