"""The first thing that happens to a request, and the last: it gets an id, which is in the reply and
in every log line about it; and once it is answered, a line tells how."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any, Final

from api.errors import internal_error_response
from api.streams.async_handoff import Application, Message, Receive, Scope, Send
from games import tracing

logger = logging.getLogger(__name__)
access_logger = logging.getLogger("tabularium.access")

RESPONSE_START: Final = "http.response.start"
RESPONSE_BODY: Final = "http.response.body"
REQUEST_ID_HEADER: Final = b"request-id"


class Exchange:
    """A request and its reply, as far as it has come."""

    def __init__(self, scope: Scope) -> None:
        self.method = str(scope["method"])
        self.trace: tracing.Trace = {tracing.REQUEST_ID_FIELD: _request_id(scope)}
        self.status = 0  # until the reply begins
        self.bytes_sent = 0  # bytes of the body
        self._started_at = perf_counter()

    def wrap_send(self, send: Send) -> Send:
        """`send`, looked at in passing; every reply has the id."""

        async def look(message: Message) -> None:
            if message["type"] == RESPONSE_START:
                self.status = message["status"]
                message = _with_request_id(message, self.trace[tracing.REQUEST_ID_FIELD])
            self.bytes_sent += len(message.get("body", b""))
            await send(message)

        return look

    def log_access(self) -> None:
        """Write the line that says how the request was answered."""
        route = self.trace.get("route", "other")
        ms = round(1000 * (perf_counter() - self._started_at), 1)
        facts: dict[str, Any] = {
            "method": self.method,
            "route": route,
            "status": self.status,
            "ms": ms,
            "bytes": self.bytes_sent,
        }
        said = "%s %s: %s, %s ms, %s bytes"
        access_logger.info(
            said, self.method, route, self.status, ms, self.bytes_sent, extra={"facts": facts}
        )


def tracing_middleware(application: Application) -> Application:
    """The application, with requests that can be followed."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        exchange = Exchange(scope)
        tracing.set_trace(exchange.trace)  # also for what the server says after us
        passing = exchange.wrap_send(send)
        try:
            await application(scope, receive, passing)
        except Exception:
            if exchange.status:
                raise
            logger.exception("A request fails")
            await _send_internal_error(passing)
        finally:
            exchange.log_access()

    return serve


async def _send_internal_error(send: Send) -> None:
    """Answer that the server has failed, where nothing else could."""
    response = internal_error_response()
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))
    pairs = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": RESPONSE_START, "status": response.status_code, "headers": pairs})
    await send({"type": RESPONSE_BODY, "body": response.content})


def _request_id(scope: Scope) -> str:
    given = dict(scope["headers"])
    names = (name.lower().encode() for name in tracing.REQUEST_ID_HEADERS)
    return tracing.choose_request_id(*(given.get(name, b"").decode("latin1") for name in names))


def _with_request_id(start: Message, request_id: str) -> Message:
    """The start of a reply with the id, unless it is there."""
    headers = list(start["headers"])
    if all(name != REQUEST_ID_HEADER for name, _ in headers):
        headers.append((REQUEST_ID_HEADER, request_id.encode()))
    return {**start, "headers": headers}
