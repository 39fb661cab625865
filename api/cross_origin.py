"""Cross-origin requests (CORS): the middleware that lets browsers on every origin call the API. It
knows no cookies, so a page of another origin can do only what the key it holds permits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

EXPOSED_HEADERS: Final = (
    *("Allow", "Content-Disposition", "ETag", "Idempotent-Replayed", "Location"),
    *("Preference-Applied", "RateLimit", "RateLimit-Policy", "Request-Id", "Retry-After"),
    "WWW-Authenticate",
)
REQUEST_HEADERS: Final = (
    *("Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "Request-Id", "X-Request-Id"),
)
REQUEST_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
PREFLIGHT_SECONDS: Final = 86400  # in which a browser asks once

RESPONSE_FIELDS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
}
PREFLIGHT_FIELDS: Final = {
    "Access-Control-Allow-Methods": ", ".join(REQUEST_METHODS),
    "Access-Control-Allow-Headers": ", ".join(REQUEST_HEADERS),
    "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
}


def cross_origin_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer preflights, which cost no token, and open all other responses to scripts."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = preflight_response() if is_preflight(request) else get_response(request)
        return add_cross_origin_headers(response)

    return respond


def is_preflight(request: HttpRequest) -> bool:
    """Whether a browser asks if it may send a request."""
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def preflight_response() -> HttpResponse:
    """The permission, which is the same for all resources."""
    return HttpResponse(status=204, headers=PREFLIGHT_FIELDS)


def add_cross_origin_headers(response: HttpResponseBase) -> HttpResponseBase:
    """Let scripts of every origin read the response."""
    for name, value in RESPONSE_FIELDS.items():
        response.setdefault(name, value)
    return response
