"""The HTTP requests of a storm's clients: each has a time limit, and may remain unanswered."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple

TIMEOUT: Final = 8.0  # seconds
API: Final = "/api/v1"


class Unanswered(Exception):
    """No conclusive reply: the request may or may not have been executed."""


class Reply(NamedTuple):
    """A status, and the JSON that came with it."""

    status: int
    document: Any

    @property
    def code(self) -> str:
        """The code of a problem."""
        return str(self.document.get("code", "")) if isinstance(self.document, dict) else ""


class Caller(NamedTuple):
    """A client at its own address, with its key."""

    port: int
    key: str = ""
    address: str = "127.0.0.1"

    def connection(self, timeout: float = TIMEOUT) -> HTTPConnection:
        """A new connection to the server."""
        source = (self.address, 0)
        return HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=source)

    def headers(self, **extra: str) -> dict[str, str]:
        """The headers of each request."""
        authorization = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {**authorization, **extra}

    def ask(
        self, method: str, path: str, body: Any = None, timeout: float = TIMEOUT, **headers: str
    ) -> Reply:
        """Send a request; the reply, or Unanswered if there is no readable one."""
        connection = self.connection(timeout)
        content = None if body is None else json.dumps(body)
        request_headers = {
            **self.headers(),
            **({"Content-Type": "application/json"} if content else {}),
        }
        extra_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(
                method, f"{API}{path}", content, {**request_headers, **extra_headers}
            )
            reply = connection.getresponse()
            text = reply.read()
            return Reply(reply.status, json.loads(text) if text else None)
        except (OSError, HTTPException, ValueError) as problem:
            raise Unanswered(f"{type(problem).__name__}: {problem}") from problem
        finally:
            connection.close()

    def demand(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The document of a successful reply; Unanswered if the request must be repeated."""
        reply = self.ask(method, path, body, TIMEOUT, **headers)
        if reply.status == 429 or reply.status >= 500:
            raise Unanswered(f"{reply.status} {reply.code}")
        if reply.status >= 400:
            raise FalseAnswer(f"{method} {path}: {reply.status} {reply.code}")
        return reply.document


class FalseAnswer(Exception):
    """A refusal that must not happen: "unknown game", "unknown key" or the like."""
