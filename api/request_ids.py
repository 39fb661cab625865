"""Request ids: the ASGI middleware that gives every request an id, which is in the reply and in
every log line about it, and writes the access log."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any, Final

from api.client_names import client_name
from api.cross_origin import add_cross_origin_headers
from api.errors import internal_error_response
from api.streams.request_handoff import Application, Message, Receive, Scope, Send
from games import request_trace, spans
from games.spans import Span, SpanKind

logger = logging.getLogger(__name__)
access_logger = logging.getLogger("tabularium.access")

RESPONSE_START: Final = "http.response.start"
RESPONSE_BODY: Final = "http.response.body"
REQUEST_ID_HEADER: Final = b"request-id"
FIRST_SERVER_ERROR: Final = 500


class Exchange:
    """A request and its reply so far."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.method = str(scope["method"])
        self.trace: request_trace.Trace = {request_trace.REQUEST_ID_FIELD: _request_id(scope)}
        # the caller's own trace is linked: it does not choose the requests that are recorded
        self.span: Span | None = None
        if spans.recorder.start is not None:
            link = dict(scope["headers"]).get(b"traceparent", b"").decode("latin1")
            self.span = spans.start_root(self.trace, self.method, SpanKind.SERVER, link)
        self.status = 0  # until the reply begins
        self.bytes_sent = 0  # of the body
        self._started_at = perf_counter()

    def wrap_send(self, send: Send) -> Send:
        """Wrap `send`: note the status and the size, and add the request id to the reply."""

        async def traced_send(message: Message) -> None:
            if message["type"] == RESPONSE_START:
                self.status = message["status"]
                message = _with_request_id(message, self.trace[request_trace.REQUEST_ID_FIELD])
            self.bytes_sent += len(message.get("body", b""))
            await send(message)

        return traced_send

    def log_access(self) -> None:
        """Write the access log line."""
        route = self.trace.get("route", "other")
        if access_logger.isEnabledFor(logging.INFO):
            facts: dict[str, Any] = {
                "method": self.method,
                "route": route,
                "status": self.status,
                "ms": round(1000 * (perf_counter() - self._started_at), 1),
                "bytes": self.bytes_sent,
            }
            template = "%s %s: %s, %s ms, %s bytes"
            if (client := client_name(self.scope)) is not None:
                template, facts["client"] = f"{template}, %s", client
            access_logger.info(template, *facts.values(), extra={"facts": facts})
        self._end_span(route)

    def _end_span(self, route: str) -> None:
        if self.span is not None:
            fields = {f"tabularium.{name}": text for name, text in self.trace.items()}
            facts: spans.Attributes = {
                "http.request.method": self.method,
                "http.response.status_code": self.status,
            }
            is_failure = self.status == 0 or self.status >= FIRST_SERVER_ERROR
            self.span.end({**fields, **facts}, name=f"{self.method} {route}", is_failure=is_failure)


def tracing_middleware(application: Application) -> Application:
    """Wrap the application so that its HTTP requests are traced."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        exchange = Exchange(scope)
        # Not reset: the server's later log lines need it too.
        request_trace.set_trace(exchange.trace)
        traced_send = exchange.wrap_send(send)
        try:
            await application(scope, receive, traced_send)
        except Exception:
            if exchange.status:
                raise
            logger.exception("A request failed")
            await _send_internal_error(traced_send)
        finally:
            exchange.log_access()

    return serve


async def _send_internal_error(send: Send) -> None:
    """Send a 500 for an error that no inner layer has answered."""
    response = internal_error_response()
    response["Cache-Control"] = "no-store"
    add_cross_origin_headers(response)
    response["Content-Length"] = str(len(response.content))
    pairs = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": RESPONSE_START, "status": response.status_code, "headers": pairs})
    await send({"type": RESPONSE_BODY, "body": response.content})


def _request_id(scope: Scope) -> str:
    headers = dict(scope["headers"])
    names = (name.lower().encode() for name in request_trace.REQUEST_ID_HEADERS)
    return request_trace.choose_request_id(
        *(headers.get(name, b"").decode("latin1") for name in names)
    )


def _with_request_id(start: Message, request_id: str) -> Message:
    """The response start with the request id, added unless it is present."""
    headers = list(start["headers"])
    if all(name != REQUEST_ID_HEADER for name, _ in headers):
        headers.append((REQUEST_ID_HEADER, request_id.encode()))
    return {**start, "headers": headers}
