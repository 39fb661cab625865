"""The first thing that happens to a request, and the last: it gets an id, which is in the reply and
in every log line about it; and once it is answered, a line tells how."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any, Final

from api.errors import failed
from api.streams.lasting import Application, Message, Receive, Scope, Send
from games import tracing

logger = logging.getLogger(__name__)
access = logging.getLogger("tabularium.access")

START: Final = "http.response.start"
BODY: Final = "http.response.body"
HEADER: Final = b"request-id"


class Exchange:
    """A request and its reply, as far as it has come."""

    def __init__(self, scope: Scope) -> None:
        self.method = str(scope["method"])
        self.trace: tracing.Trace = {tracing.REQUEST: _request_id(scope)}
        self.status = 0  # until the reply begins
        self.sent = 0  # bytes of the body
        self._begun = perf_counter()

    def passing(self, send: Send) -> Send:
        """`send`, looked at in passing; every reply has the id."""

        async def look(message: Message) -> None:
            if message["type"] == START:
                self.status = message["status"]
                message = _with_id(message, self.trace[tracing.REQUEST])
            self.sent += len(message.get("body", b""))
            await send(message)

        return look

    def tell(self) -> None:
        """Write the line that says how the request was answered."""
        route = self.trace.get("route", "other")
        ms = round(1000 * (perf_counter() - self._begun), 1)
        facts: dict[str, Any] = {
            "method": self.method,
            "route": route,
            "status": self.status,
            "ms": ms,
            "bytes": self.sent,
        }
        said = "%s %s: %s, %s ms, %s bytes"
        access.info(said, self.method, route, self.status, ms, self.sent, extra={"facts": facts})


def traced(application: Application) -> Application:
    """The application, with requests that can be followed."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        exchange = Exchange(scope)
        tracing.follow(exchange.trace)  # also for what the server says after us
        passing = exchange.passing(send)
        try:
            await application(scope, receive, passing)
        except Exception:
            if exchange.status:
                raise
            logger.exception("A request fails")
            await _fail(passing)
        finally:
            exchange.tell()

    return serve


async def _fail(send: Send) -> None:
    """Answer that the server has failed, where nothing else could."""
    response = failed()
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))
    pairs = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": START, "status": response.status_code, "headers": pairs})
    await send({"type": BODY, "body": response.content})


def _request_id(scope: Scope) -> str:
    given = dict(scope["headers"])
    names = (name.lower().encode() for name in tracing.HEADERS)
    return tracing.request_id_of(*(given.get(name, b"").decode("latin1") for name in names))


def _with_id(start: Message, request_id: str) -> Message:
    """The start of a reply with the id, unless it is there."""
    headers = list(start["headers"])
    if all(name != HEADER for name, _ in headers):
        headers.append((HEADER, request_id.encode()))
    return {**start, "headers": headers}
