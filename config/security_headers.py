"""The middleware for security headers, which stop browsers from doing more with a reply than
displaying it.

Replies run no scripts, load nothing, and cannot be framed. A view that needs more sets its own
Content-Security-Policy.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

CSP_HEADER: Final = "Content-Security-Policy"
STRICT_CSP: Final = (
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
# HTML pages and SVG images
STYLED_CSP: Final = f"{STRICT_CSP}; style-src 'unsafe-inline'; img-src 'self' data:"


def security_headers_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that complements Django's own for nosniff, the referrer and frames."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return response  # the policy of the copy stays
        kind = response.get("Content-Type", "").partition(";")[0]
        response.setdefault(
            CSP_HEADER, STYLED_CSP if kind in ("text/html", "image/svg+xml") else STRICT_CSP
        )
        return response

    return respond
