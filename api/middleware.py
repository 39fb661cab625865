"""What does every response carry? A Request-Id to ask about it, and an explicit Cache-Control; and
no word of a body where it has none."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api import vitals

BODILESS: Final = (204, 304)


def courtesies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """The outermost middleware: it also sees what the others answer."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        begun = perf_counter()
        response = get_response(request)
        vitals.count(request, response.status_code, perf_counter() - begun)
        response["Request-Id"] = f"req_{uuid.uuid4().hex}"
        response.setdefault("Cache-Control", "no-store")
        return response

    return respond


def bodiless(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Outside of what adds Content-Length: a 204 must not have one, and that of a 304 would have to
    be that of the whole reply (RFC 9110, 8.6)."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in BODILESS:
            for name in ("Content-Length", "Content-Type"):
                response.headers.pop(name, None)
        return response

    return respond
