"""Limits on uploaded exports: those too large for memory are checked before the body is read, and
only a few are verified at once, so that most threads stay free for players."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from io import BytesIO
from threading import Lock
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

# few of the request threads (config/asgi.py); each check takes the memory of a child process
MAX_CONCURRENT_CHECKS: Final = 2

_lock: Final = Lock()
_accounts_in_check: Final[set[str]] = set()


def check_large_upload(scope: MutableMapping[str, Any]) -> None:
    """Refuse a large body that no endpoint reads, or whose caller its endpoint would refuse."""
    request = ASGIRequest(scope, BytesIO())
    try:
        route = resolve(request.path_info).url_name
    except Resolver404 as error:
        raise Refusal("not-found", f"There is no endpoint at {request.path}.") from error
    if request.method != "POST" or route not in UPLOAD_ROUTE_SCOPES:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raise Refusal("too-large", f"The body may have at most {limit} bytes.")
    if request.content_type != NdjsonParser.media_type:
        raise Refusal("unsupported-media-type", f"Send the export as `{NdjsonParser.media_type}`.")
    _check_upload_key(request, UPLOAD_ROUTE_SCOPES[route])


def check_upload_size(size: int) -> None:
    """Refuse a body that is too large for every endpoint."""
    if size > EXPORT_BUDGET.total_bytes:
        raise Refusal(
            "too-large", f"An export may have at most {EXPORT_BUDGET.total_bytes >> 20} MB."
        )


def _check_upload_key(request: ASGIRequest, scope: str) -> None:
    untyped_request: Any = request
    credentials = KeyAuthentication().authenticate(untyped_request)
    if credentials is None:
        raise Refusal("unauthorized", "A body of this size requires a key.")
    caller: Caller = credentials[0]
    if scope and scope not in caller.scopes:
        raise Refusal("insufficient-scope", f"The key lacks the scope {scope}.")


# -- checks at once -------------------------------------------------------------------------------


@contextmanager
def check_slot(account: str) -> Iterator[None]:
    """A slot for checking an export, or an immediate refusal: waiting would occupy a thread."""
    with _lock:
        if account in _accounts_in_check:
            raise Refusal(
                "too-many-checks",
                "One of your exports is being checked: wait until it is finished.",
            )
        if len(_accounts_in_check) >= MAX_CONCURRENT_CHECKS:
            raise Refusal("checks-busy", "Other exports are being checked: try again later.")
        _accounts_in_check.add(account)
    try:
        yield
    finally:
        with _lock:
            _accounts_in_check.remove(account)
