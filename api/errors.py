"""Error responses as RFC 9457 `application/problem+json`, inside and outside of DRF: the exception
`Refusal`, and the exception handler.

A problem's `code` is stable and meant for programs; its `type` is the page that explains it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions

from api import outages
from api.problem_catalogue import PROBLEM_KINDS
from games import request_trace, selectors
from games.position_cache import UnknownGame
from games.secret_lookup import GameUnlockError
from games.selectors import Account
from tabularium_engines.base import IllegalAction
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.projection.projection import GameRefusal

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"
BEARER_CHALLENGE: Final = 'Bearer realm="tabularium"'
BUSY_RETRY_AFTER_SECONDS: Final = 1  # a busy game
RETRY_AFTER_SECONDS: Final[Mapping[str, int]] = {
    "too-many-checks": BUSY_RETRY_AFTER_SECONDS,
    "too-many-streams": BUSY_RETRY_AFTER_SECONDS,
    "unavailable": 3,  # the database, its disk or the broker is away
}

_CODE_BY_EXCEPTION: Final[Mapping[type[Exception], str]] = {
    exceptions.ParseError: "invalid-json",
    exceptions.NotFound: "not-found",
    Http404: "not-found",
    exceptions.MethodNotAllowed: "method-not-allowed",
    exceptions.NotAcceptable: "not-acceptable",
    exceptions.UnsupportedMediaType: "unsupported-media-type",
    RequestDataTooBig: "too-large",
    UnknownGame: "not-found",
    BrokenLog: "log-broken",
    GameUnlockError: "game-locked",
}


class Refusal(exceptions.APIException):
    """Raised by a handler: one occurrence of a known problem; `more` are extension members."""

    retry_after: int | None = None  # seconds, where the problem has no such time by itself

    def __init__(
        self, code: str, detail: str, errors: Sequence[Mapping[str, str]] = (), **extra_members: Any
    ) -> None:
        super().__init__(detail, code)
        self.code = code
        self.errors = errors
        self.extra_members = extra_members


def problem_response(
    code: str, detail: str = "", errors: Sequence[Mapping[str, str]] = (), **extra_members: Any
) -> HttpResponse:
    """The response for a problem."""
    kind = PROBLEM_KINDS[code]
    document: dict[str, Any] = {
        "type": f"/api/v1/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "code": code,
        "detail": detail or kind.meaning,
        "request_id": request_trace.current_request_id(),
    }
    if errors:
        document["errors"] = list(errors)
    response = JsonResponse(
        document | extra_members, status=kind.status, content_type=PROBLEM_MEDIA_TYPE
    )
    if kind.status == 401:
        response["WWW-Authenticate"] = BEARER_CHALLENGE
    if kind.status == 503 or code in RETRY_AFTER_SECONDS:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS.get(code, BUSY_RETRY_AFTER_SECONDS))
    return response


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """DRF's exception handler; None (a bug of ours) becomes a 500 further out."""
    if isinstance(error, Refusal):
        return _refusal_response(error)
    if isinstance(error, IllegalAction):
        return _illegal_action_response(error)
    if isinstance(error, GameRefusal):
        return problem_response(error.code, error.sentence) if error.code in PROBLEM_KINDS else None
    if isinstance(error, RulesetNotInstalled):
        return _not_installed_response(error)
    if _is_account_gone(error, context):
        return problem_response("unauthorized", "The account was deleted.")
    if (code := problem_code_of(error)) is not None:
        return problem_response(code, str(error))
    if outages.is_outage(error):
        request = context.get("request")
        return unavailable_response(request and request.method, error)
    return None


def _refusal_response(error: Refusal) -> HttpResponse:
    response = problem_response(error.code, str(error.detail), error.errors, **error.extra_members)
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


def _is_account_gone(error: Exception, context: Mapping[str, Any]) -> bool:
    """Whether the caller's account was deleted after its key had been read."""
    if not isinstance(error, Account.DoesNotExist | IntegrityError):
        return False
    account = getattr(getattr(context.get("request"), "user", None), "account", None)
    return account is not None and not selectors.account_exists(account)


def problem_code_of(error: Exception) -> str | None:
    """The code of the problem that an exception always is; None if it is none."""
    codes = (code for kind, code in _CODE_BY_EXCEPTION.items() if isinstance(error, kind))
    return next(codes, None)


def unavailable_response(method: str | None, error: BaseException) -> HttpResponse:
    """The 503 for a database, disk or broker that is away."""
    return problem_response("unavailable", outages.report_outage(method, error))


def _illegal_action_response(error: IllegalAction) -> HttpResponse:
    """The 422 that names the violated rule and points at the faulty part of the action."""
    pointer = f"/action{error.pointer}" if not error.pointer[1:2].isdigit() else ""
    pointer = pointer or f"/actions{error.pointer}"
    errors = [{"pointer": pointer, "code": error.code, "detail": error.sentence}]
    return problem_response("illegal-action", error.sentence, errors, rule=error.code)


def _not_installed_response(error: RulesetNotInstalled) -> HttpResponse:
    """The 409 that names the missing ruleset and the package that it came from."""
    package = selectors.package_of(error.ruleset)
    sentence = f"{error}." if package is None else f"{error}: they came with the package {package}."
    ruleset = {"rules": error.ruleset.slug, "version": error.ruleset.version, "package": package}
    return problem_response("ruleset-not-installed", sentence, ruleset=ruleset)


# -- Django's error handlers ----------------------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return problem_response("bad-request")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return problem_response("not-found", f"There is no endpoint at {request.path}.")


def internal_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; the log has the traceback, under the same request id."""
    error = sys.exception()
    if error is not None and outages.is_outage(error):
        return unavailable_response(request.method, error)
    return internal_error_response()


def internal_error_response() -> HttpResponse:
    """The 500 for a failure of the server itself."""
    advice = "The request may have been processed: check before you send it again."
    return problem_response(
        "internal-error",
        f"{advice} Report it with the request id {request_trace.current_request_id()}.",
    )
