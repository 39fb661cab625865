"""The replies that are made before Django, or after it has failed: problem documents like all."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from api.errors import Refusal, problem
from api.streams.lasting import Message
from games import tracing

START: Final = "http.response.start"
BODY: Final = "http.response.body"
RETRY_AFTER: Final = "1"  # second


def response_of(refusal: Refusal) -> HttpResponse:
    """The reply of a refusal; the connection ends with it."""
    trace = tracing.current() or {tracing.REQUEST: tracing.fresh_request_id()}
    with tracing.following(trace):
        response = problem(refusal.code, str(refusal.detail), refusal.errors, **refusal.more)
        if response.status_code in (429, 503):
            response.setdefault("Retry-After", RETRY_AFTER)
        response["Connection"] = "close"
        return finished(response)


def finished(response: HttpResponse) -> HttpResponse:
    """A reply with what the middleware would have added."""
    response.setdefault("Request-Id", tracing.request_id())
    response.setdefault("Cache-Control", "no-store")
    response.setdefault("X-Content-Type-Options", "nosniff")
    response["Content-Length"] = str(len(response.content))
    return response


def messages(response: HttpResponse) -> list[Message]:
    """A reply as ASGI has it."""
    start = {"type": START, "status": response.status_code, "headers": headers(response)}
    return [start, {"type": BODY, "body": response.content}]


def headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    """The headers of a reply as ASGI has them."""
    cookies = (("set-cookie", cookie.OutputString()) for cookie in response.cookies.values())
    pairs = [*response.items(), *cookies]
    return [(name.lower().encode("ascii"), value.encode("latin1")) for name, value in pairs]


def raw(response: HttpResponse, with_body: bool = True) -> bytes:
    """A reply as it goes over the wire."""
    status = HTTPStatus(response.status_code)
    head = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    head += [name + b": " + value for name, value in headers(response)]
    return b"\r\n".join([*head, b"", response.content if with_body else b""])
