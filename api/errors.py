"""How is a refusal told? Always as RFC 9457 `application/problem+json`, also outside of DRF.

A problem's `code` is stable and meant for programs; its `type` is the page that explains it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions

MEDIA_TYPE: Final = "application/problem+json"


@dataclass(frozen=True)
class Problem:
    """One kind of refusal."""

    status: int
    title: str
    meaning: str


PROBLEMS: Final[Mapping[str, Problem]] = {
    "bad-request": Problem(
        400, "The request cannot be understood", "Its HTTP is broken or names a foreign host."
    ),
    "invalid-json": Problem(400, "The body is not JSON", "It must be one JSON document in UTF-8."),
    "invalid-parameter": Problem(
        400,
        "A query parameter has an impossible value",
        "`errors` points at each one and says what it may be.",
    ),
    "unknown-parameter": Problem(
        400,
        "There is no such query parameter",
        "Nothing is ignored silently: a misspelt parameter is refused. `errors` names it.",
    ),
    "forbidden": Problem(403, "Not for this caller", "The resource exists, for others."),
    "not-found": Problem(
        404,
        "There is nothing here",
        "The address is wrong, or not for you to see.",
    ),
    "method-not-allowed": Problem(
        405, "Not with this method", "The `Allow` header lists the methods of this address."
    ),
    "not-acceptable": Problem(
        406, "Not in this form", "None of the media types in `Accept` can be made here."
    ),
    "unsupported-media-type": Problem(
        415, "The body's media type is not understood", "Bodies are `application/json`."
    ),
    "internal-error": Problem(
        500,
        "The server failed",
        "Nothing was changed. Report it with the `Request-Id` of the response.",
    ),
}

_CODES: Final[Mapping[type[Exception], str]] = {
    exceptions.ParseError: "invalid-json",
    exceptions.PermissionDenied: "forbidden",
    PermissionDenied: "forbidden",
    exceptions.NotFound: "not-found",
    Http404: "not-found",
    exceptions.MethodNotAllowed: "method-not-allowed",
    exceptions.NotAcceptable: "not-acceptable",
    exceptions.UnsupportedMediaType: "unsupported-media-type",
}


class Refusal(exceptions.APIException):
    """Raised by a view: a known problem, in this occurrence."""

    def __init__(self, code: str, detail: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(detail, code)
        self.code = code
        self.errors = errors


def problem(code: str, detail: str = "", errors: Sequence[Mapping[str, str]] = ()) -> HttpResponse:
    """The response that tells a problem."""
    kind = PROBLEMS[code]
    document: dict[str, Any] = {
        "type": f"/api/v1/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "code": code,
        "detail": detail or kind.meaning,
    }
    if errors:
        document["errors"] = list(errors)
    return JsonResponse(document, status=kind.status, content_type=MEDIA_TYPE)


def answer(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """What DRF answers when a view raises; None (an error of ours) becomes a 500 outside."""
    if isinstance(error, Refusal):
        return problem(error.code, str(error.detail), error.errors)
    for kind, code in _CODES.items():
        if isinstance(error, kind):
            return problem(code, str(error))
    return None


# -- what Django itself refuses -------------------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return problem("bad-request")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return problem("forbidden")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return problem("not-found", f"Nothing is at {request.path}.")


def internal_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; the log has the traceback."""
    return problem("internal-error")
