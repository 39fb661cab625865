"""Exceptions: each problem of the API by its kind, and failures to get a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from tabularium_client import types


class TabulariumError(Exception):
    """The base of all exceptions of this package."""


class NoReply(TabulariumError):
    """The connection failed on each attempt. The last failure is the `__cause__`. Whether a
    request that changes something was done is not known, unless it is called again with the same
    `idempotency_key`."""


class UnexpectedReply(TabulariumError):
    """A reply that is no success and no problem document: it comes from a proxy, or from another
    service."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"status {status}: {text[:200]}")
        self.status = status
        self.text = text


class ProblemReply(TabulariumError):
    """A problem (RFC 9457). `code` is stable and meant for programs, `detail` for people, and
    `document` is all of it. Servers newer than this package may send further codes."""

    def __init__(self, document: types.Problem, retry_after: float | None = None) -> None:
        super().__init__(f"{document['code']}: {document['detail']}")
        self.document = document
        self.code = cast("types.ProblemCode", document["code"])
        self.status = document["status"]
        self.detail = document["detail"]
        self.request_id = document["request_id"]
        self.errors = document.get("errors", [])
        self.retry_after = retry_after


class BadRequest(ProblemReply):
    """400: the request is malformed."""


class Unauthorized(ProblemReply):
    """401: there is no key, or it is valid no longer."""


class Forbidden(ProblemReply):
    """403: the key or the account may not do this."""


class NotFound(ProblemReply):
    """404: it does not exist, or the key may not see it."""


class Conflict(ProblemReply):
    """409: the game or the account is in another state."""


class StaleChoice(Conflict):
    """The choice is no longer open: `choice` is the open one, `entries` those that came since."""

    @property
    def choice(self) -> types.ChoiceView | None:
        """The choice that is open now."""
        return self.document.get("choice")

    @property
    def entries(self) -> list[types.EntryView]:
        """The entries that the caller has missed."""
        return self.document.get("entries", [])


class GameOver(Conflict):
    """The game is over."""


class Unprocessable(ProblemReply):
    """422: the request is well formed, but impossible."""


class IllegalAction(Unprocessable):
    """The rules forbid the action: `rule` is the code of the rule."""

    @property
    def rule(self) -> str | None:
        """The code of the rule that forbids the action."""
        return self.document.get("rule")


class TooManyRequests(ProblemReply):
    """429: a limit is reached. `retry_after` is when there is more, in seconds."""


class ServerFailure(ProblemReply):
    """5xx: the server failed, or is not available."""


BY_STATUS: Final[Mapping[int, type[ProblemReply]]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: Unprocessable,
    429: TooManyRequests,
}
BY_CODE: Final[Mapping[str, type[ProblemReply]]] = {
    "stale-choice": StaleChoice,
    "game-over": GameOver,
    "illegal-action": IllegalAction,
}


def refusal(status: int, headers: Mapping[str, str], content: bytes) -> TabulariumError:
    """The exception for a reply that is no success."""
    document = problem_document(content)
    if document is None:
        return UnexpectedReply(status, content.decode(errors="replace"))
    kind = BY_STATUS.get(status, ServerFailure if status >= 500 else ProblemReply)
    kind = BY_CODE.get(document["code"], kind)
    return kind(document, seconds(headers.get("retry-after", "")))


def problem_document(content: bytes) -> types.Problem | None:
    """The problem in a body, if it is one."""
    try:
        document: Any = json.loads(content)
    except ValueError:
        return None
    members = ("code", "detail", "status", "request_id")
    if not isinstance(document, dict) or not all(name in document for name in members):
        return None
    return cast("types.Problem", document)


def seconds(text: str) -> float | None:
    """The seconds of a `Retry-After`; the API sends no dates."""
    return float(text) if text.isdecimal() else None
