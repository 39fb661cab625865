"""Which headers keep a browser from doing more with a reply than to show it?

Replies run no scripts, load nothing, and are framed nowhere. A view that needs more sets a
Content-Security-Policy of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

POLICY: Final = "Content-Security-Policy"
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
STYLED: Final = f"{NOTHING}; style-src 'unsafe-inline'; img-src 'self' data:"  # a page, a picture


def hardened(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """A middleware, beside Django's own for nosniff, the referrer and frames."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        kind = response.get("Content-Type", "").partition(";")[0]
        response.setdefault(POLICY, STYLED if kind in ("text/html", "image/svg+xml") else NOTHING)
        return response

    return respond
