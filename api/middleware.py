"""What every response carries: a Request-Id to ask about it, and an explicit Cache-Control; and no
header about a body where it has none."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api import metrics
from games import tracing

BODILESS: Final = (204, 304)


def courtesies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """The outermost middleware: it also sees what the others answer."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        with tracing.following(tracing.current() or begun(request)):
            start = perf_counter()
            response = get_response(request)
            route = metrics.route_of(request)
            metrics.count(request, route, response.status_code, perf_counter() - start)
            tracing.note(route=route)
            response["Request-Id"] = tracing.request_id()
        response.setdefault("Cache-Control", "no-store")
        return response

    return respond


def begun(request: HttpRequest) -> tracing.Trace:
    """The trace of a request where there is no event loop, which would have begun it."""
    given = (request.headers.get(name) for name in tracing.HEADERS)
    return {tracing.REQUEST: tracing.request_id_of(*given)}


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
