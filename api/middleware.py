"""What every response carries: a Request-Id to ask about it, and an explicit Cache-Control."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api import metrics
from games import tracing


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
