"""The middleware that lets browsers do no more with the pages of the desk than show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def policy_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Set the policy, and let no browser keep a page."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path.startswith(f"/{settings.ADMIN}/"):
            response["Content-Security-Policy"] = POLICY
            response["Cache-Control"] = "no-store"
            response["Referrer-Policy"] = "same-origin"  # else forms come from the origin "null"
        return response

    return respond
