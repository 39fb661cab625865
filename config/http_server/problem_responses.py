"""Problem responses for requests that do not reach Django, or on which it has failed."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from api.cross_origin import add_cross_origin_headers
from api.errors import Refusal, problem_response
from api.streams.request_handoff import Message
from games import request_trace

RESPONSE_START: Final = "http.response.start"
RESPONSE_BODY: Final = "http.response.body"
RETRY_AFTER_SECONDS: Final = "1"  # second


def refusal_response(refusal: Refusal) -> HttpResponse:
    """The response for a refusal; it ends the connection."""
    trace = request_trace.current_trace() or {
        request_trace.REQUEST_ID_FIELD: request_trace.new_request_id()
    }
    with request_trace.use_trace(trace):
        response = problem_response(
            refusal.code, str(refusal.detail), refusal.errors, **refusal.extra_members
        )
        if response.status_code in (429, 503):
            response.setdefault("Retry-After", RETRY_AFTER_SECONDS)
        response["Connection"] = "close"
        return finish_response(response)


def finish_response(response: HttpResponse) -> HttpResponse:
    """The response with the headers that the middleware would have added."""
    response.setdefault("Request-Id", request_trace.current_request_id())
    response.setdefault("Cache-Control", "no-store")
    response.setdefault("X-Content-Type-Options", "nosniff")
    add_cross_origin_headers(response)
    response["Content-Length"] = str(len(response.content))
    return response


def asgi_messages(response: HttpResponse) -> list[Message]:
    """The response as ASGI messages."""
    start = {
        "type": RESPONSE_START,
        "status": response.status_code,
        "headers": asgi_headers(response),
    }
    return [start, {"type": RESPONSE_BODY, "body": response.content}]


def asgi_headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    """The headers of a response for ASGI."""
    cookies = (("set-cookie", cookie.OutputString()) for cookie in response.cookies.values())
    pairs = [*response.items(), *cookies]
    return [(name.lower().encode("ascii"), value.encode("latin1")) for name, value in pairs]


def raw_response(response: HttpResponse, with_body: bool = True) -> bytes:
    """The response as bytes on the wire."""
    status = HTTPStatus(response.status_code)
    head = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    head += [name + b": " + value for name, value in asgi_headers(response)]
    return b"\r\n".join([*head, b"", response.content if with_body else b""])
