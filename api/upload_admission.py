"""Admission of uploads too large for memory, checked before the body is read."""

from __future__ import annotations

from collections.abc import MutableMapping
from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.urls import Resolver404, resolve

from api.authentication import KeyAuthentication
from api.errors import Refusal
from api.keys import Caller
from api.parsers import NdjsonParser
from games.audit.size_budget import EXPORT_BUDGET

# the scope that each route needs; empty: any key will do
UPLOAD_ROUTE_SCOPES: Final = {
    "verifications": "",
    "import": "games:create",
}


def check_large_upload(scope: MutableMapping[str, Any]) -> None:
    """Refuse a large body that no endpoint reads, or whose caller its endpoint would refuse."""
    request = ASGIRequest(scope, BytesIO())
    try:
        place = resolve(request.path_info).url_name
    except Resolver404 as unknown:
        raise Refusal("not-found", f"There is no endpoint at {request.path}.") from unknown
    if request.method != "POST" or place not in UPLOAD_ROUTE_SCOPES:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raise Refusal("too-large", f"The body may have at most {most} bytes.")
    if request.content_type != NdjsonParser.media_type:
        raise Refusal("unsupported-media-type", f"Send the export as `{NdjsonParser.media_type}`.")
    _check_upload_key(request, UPLOAD_ROUTE_SCOPES[place])


def check_upload_size(size: int) -> None:
    """Refuse a body that is too large for every endpoint."""
    if size > EXPORT_BUDGET.total_bytes:
        raise Refusal(
            "too-large", f"An export may have at most {EXPORT_BUDGET.total_bytes >> 20} MB."
        )


def _check_upload_key(request: ASGIRequest, scope: str) -> None:
    shown: Any = request
    known = KeyAuthentication().authenticate(shown)
    if known is None:
        raise Refusal("unauthorized", "A body of this size requires a key.")
    caller: Caller = known[0]
    if scope and scope not in caller.scopes:
        raise Refusal("insufficient-scope", f"The key lacks the scope {scope}.")
