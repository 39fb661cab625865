"""Django middleware for every response: it measures and traces the request, sets Request-Id and
Cache-Control, admits scripts of other origins, and removes body headers where there is no body."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api import cross_origin, metrics
from games import request_trace

BODILESS_STATUSES: Final = (204, 304)


def observability_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Trace and measure every request; outside of all middleware that may answer by itself."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        with use_request_trace(request):
            start = perf_counter()
            response = get_response(request)
            route = metrics.route_name(request)
            seconds = perf_counter() - start
            metrics.observe_request(request.method, route, response.status_code, seconds)
            request_trace.add_to_trace(route=route)
            response["Request-Id"] = request_trace.current_request_id()
        response.setdefault("Cache-Control", "no-store")
        return response

    return respond


def use_request_trace(request: HttpRequest) -> AbstractContextManager[None]:
    """Within the block, the trace of the ASGI `tracing_middleware`, or a new one without it."""
    if request_trace.current_trace() is not None:
        return nullcontext()
    sent_ids = (request.headers.get(name) for name in request_trace.REQUEST_ID_HEADERS)
    request_id = request_trace.choose_request_id(*sent_ids)
    return request_trace.use_trace({request_trace.REQUEST_ID_FIELD: request_id})


def cross_origin_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer preflights, which cost no token, and open all other responses to scripts."""

    desk = f"/{settings.ADMIN}/" if settings.ADMIN else None  # it knows cookies

    def respond(request: HttpRequest) -> HttpResponseBase:
        if desk is not None and request.path.startswith(desk):
            return get_response(request)
        # a browser asks whether it may send a request
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return cross_origin.add_cross_origin_headers(cross_origin.preflight_response())
        return cross_origin.add_cross_origin_headers(get_response(request))

    return respond


def strip_body_headers_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Remove body headers; runs outside of the middleware that adds Content-Length: a 204 must not
    have one, and a 304 would need that of the whole reply (RFC 9110, 8.6)."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in BODILESS_STATUSES:
            for name in ("Content-Length", "Content-Type"):
                response.headers.pop(name, None)
        return response

    return respond
