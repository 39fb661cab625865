"""Cross-origin requests (CORS): browsers on every origin may call the API. It knows no cookies, so
a page of another origin can do only what the key it holds permits. Like the headers that say so,
the API's level is in each response."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from api.api_level import API_LEVEL

EXPOSED_HEADERS: Final = (
    *("Allow", "Api-Level", "Content-Disposition", "Deprecation", "ETag", "Idempotent-Replayed"),
    *("Link", "Location", "Preference-Applied", "RateLimit", "RateLimit-Policy", "Request-Id"),
    *("Retry-After", "Sunset", "WWW-Authenticate"),
)
REQUEST_HEADERS: Final = (
    *("Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "Request-Id", "X-Request-Id"),
)
REQUEST_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
PREFLIGHT_SECONDS: Final = 86400  # in which a browser asks once

RESPONSE_FIELDS: Final = {
    "Api-Level": str(API_LEVEL),
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
}
PREFLIGHT_FIELDS: Final = {
    "Access-Control-Allow-Methods": ", ".join(REQUEST_METHODS),
    "Access-Control-Allow-Headers": ", ".join(REQUEST_HEADERS),
    "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
}


def preflight_response() -> HttpResponse:
    """The permission that a preflight asks for, which is the same for all resources."""
    return HttpResponse(status=204, headers=PREFLIGHT_FIELDS)


def add_cross_origin_headers(response: HttpResponseBase) -> HttpResponseBase:
    """Let scripts of every origin read the response."""
    for name, value in RESPONSE_FIELDS.items():
        response.setdefault(name, value)
    return response
