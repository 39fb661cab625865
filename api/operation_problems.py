"""The problems that each operation can be refused with, in the OpenAPI document: those of every
request, those of what the operation reads (a body, a query, a key, a game), and its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.member_schemas import member_meaning
from api.openapi_schemas import shape_reference
from api.shapes.problems import Problem

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

_SEATING: Final = (
    *("bad-seed-hash", "rated-clock", "rated-legs", "rated-together", "rated-twice"),
    *("too-many-games", "unknown-bot", "unknown-rules", "unknown-seat", "wrong-seats"),
)
_PLAYING_SEAT: Final = ("game-over", "not-started", "not-your-seat", "unknown-seat")
_DECISION: Final = ("game-over", "not-over", "not-started", "not-your-seat", "not-your-turn")
_POSITION: Final = ("not-your-seat", "unknown-entry", "not-started")
_EXPORT: Final = (
    *("checks-busy", "invalid-export", "too-costly", "too-large", "too-many-checks"),
    *("too-many-uploads", "unknown-rules", "unsupported-media-type"),
)

# By operation, the problems of its own.
OWN_PROBLEMS: Final[Mapping[str, Sequence[str]]] = {
    "act": (
        *("game-over", "illegal-action", "no-action", "no-precondition", "not-started"),
        *("not-your-seat", "not-your-turn", "paused", "stale-choice", "unknown-seat"),
    ),
    "cancel_analysis": ("not-your-analysis",),
    "change_webhook": ("webhook-refused",),
    "check_action": ("no-action", "not-your-seat", "unknown-seat"),
    "choice": ("game-over", "not-started", "not-your-seat", "not-your-turn", "paused"),
    "create_analysis": (
        *_DECISION,
        *("invalid-question", "no-hints", "rated-running", "too-many-analyses"),
        *("unknown-entry", "unknown-seat"),
    ),
    "create_game": (*_SEATING, "invalid-options", "too-many-challenges", "unknown-account"),
    "create_guest": ("bad-name",),
    "create_key": ("bad-name", "too-many-keys"),
    "create_webhook": ("too-many-webhooks", "webhook-refused"),
    "decline_challenge": ("not-challenged",),
    "delete_me": ("busy", "wrong-account"),
    "entry": _POSITION,
    "abort_game": (*_PLAYING_SEAT, "rated-abort", "too-late"),
    "accept_proposal": (*_PLAYING_SEAT, "accepted", "no-such-proposal", "unknown-entry"),
    "call_off_game": ("game-over", "not-your-game", "started"),
    "claim_seat": (*_PLAYING_SEAT, "has-clock", "in-time", "not-late"),
    "decline_proposal": (*_PLAYING_SEAT, "no-such-proposal", "unknown-entry"),
    "propose": (
        *(*_PLAYING_SEAT, "no-clock", "no-draw", "no-takeback", "paused", "proposal-open"),
        *("proposed-already", "rated-proposal", "wrong-proposal"),
    ),
    "rematch": (
        *(*_SEATING, "game-over", "invalid-options", "not-over", "not-your-seat", "seat-taken"),
        *("started", "too-many-challenges", "unknown-account"),
    ),
    "resume_game": (*_PLAYING_SEAT, "not-paused"),
    "export": ("not-over", "not-recorded-yet", "not-your-seat", "unknown-seat"),
    "fork_game": (*_SEATING, *_DECISION, "rated-running", "unknown-account", "unknown-entry"),
    "game": ("not-your-seat",),
    "hand_over_key": ("key-rotated",),
    "hide_game": ("not-your-game",),
    "import_game": (*_EXPORT, "game-exists", "too-many-imports"),
    "invite": ("not-your-game", "seat-taken", "unknown-seat", "started"),
    "join_game": (
        *("bad-seed-hash", "game-over", "rated-twice", "seat-kept", "seat-taken", "started"),
        "unknown-seat",
    ),
    "leave_game": ("not-your-seat", "seat-free", "started", "game-over", "unknown-seat"),
    "log": ("not-your-seat",),
    "openapi": ("unknown-rules",),
    "open_seed": (
        *("bad-seed", "game-over", "no-seed-due", "not-your-seat", "seats-open", "started"),
        *("unknown-seat", "wrong-seed"),
    ),
    "picture": _POSITION,
    "picture_png": (*_POSITION, "drawings-busy", "png-not-installed"),
    "pictures": ("not-your-seat", "not-started"),
    "replay": (
        *("drawings-busy", "not-over", "not-started", "not-your-seat", "png-not-installed"),
        "too-many-replays",
    ),
    "ready": ("not-ready",),
    "record_proof": ("not-recorded-yet",),
    "redeem_code": ("bad-name", "too-many-keys", "unknown-code"),
    "redeliver": ("webhook-disabled",),
    "rename_me": ("bad-name",),
    "resign": ("game-over", "not-started", "not-your-seat", "seat-free", "unknown-seat"),
    "rotate_key": ("key-rotated", "too-many-keys"),
    "rules_picture": ("wrong-seats",),
    "seat_bot": (
        *("game-over", "not-your-seat", "not-your-game", "rated-clock", "rated-substitute"),
        *("rated-twice", "seat-free", "seat-kept", "seat-taken", "started", "unknown-bot"),
        "unknown-seat",
    ),
    "start_game": (
        *("game-over", "not-your-game", "rated-clock", "rated-twice", "started"),
        *("too-many-games", "unknown-bot"),
    ),
    "state": (*_POSITION, "not-over"),
    "stream_game": ("not-your-seat", "too-many-streams"),
    "stream_games": ("too-many-streams",),
    "stream_me": ("too-many-streams",),
    "text": _POSITION,
    "thought": ("code-changed", "no-thought", "not-over", "too-many-analyses", "unknown-entry"),
    "verify_export": _EXPORT,
}
PROBLEM_REFERENCE: Final = shape_reference(Problem)
SCHEMA_SUFFIX: Final = "Refusal"


def problem_codes(described: Mapping[str, Any], path: str, method: str) -> list[str]:
    """The codes of the problems of an operation."""
    parameters = [(one["in"], one["name"]) for one in described.get("parameters", ())]
    places = {place for place, _ in parameters}
    found = {*OF_EVERY_REQUEST, *OWN_PROBLEMS.get(described["operationId"], ())}
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


def problem_schema(described: Mapping[str, Any], path: str, method: str) -> dict[str, Any]:
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
                        "description": member_meaning(Problem.__name__, "code"),
                    }
                },
                "required": ["code"],
            },
        ],
    }
