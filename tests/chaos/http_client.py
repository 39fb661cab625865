"""The HTTP client of a fault storm: each request has a time limit and may get no answer."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple

TIMEOUT: Final = 8.0  # seconds
API: Final = "/api/v1"


class NoAnswer(Exception):
    """The absence of a conclusive reply: the request may or may not have been executed."""


class WrongAnswer(Exception):
    """A refusal that must not happen: "unknown game", "unknown key" or the like."""


class Reply(NamedTuple):
    """A status, and the JSON that came with it."""

    status: int
    document: Any

    @property
    def code(self) -> str:
        """The code of a problem."""
        return str(self.document.get("code", "")) if isinstance(self.document, dict) else ""


class HttpClient(NamedTuple):
    """A client that sends from its own address, with its API key; "" is any address."""

    port: int
    key: str = ""
    address: str = "127.0.0.1"
    host: str = "127.0.0.1"

    def connection(self, timeout: float = TIMEOUT) -> HTTPConnection:
        """A new connection to the server."""
        source_address = (self.address, 0)
        return HTTPConnection(self.host, self.port, timeout=timeout, source_address=source_address)

    def headers(self, **extra: str) -> dict[str, str]:
        """The headers of each request."""
        authorization = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {**authorization, **extra}

    def request(
        self, method: str, path: str, body: Any = None, timeout: float = TIMEOUT, **headers: str
    ) -> Reply:
        """Send a request; the reply, or NoAnswer if there is no readable one."""
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
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem
        finally:
            connection.close()

    def request_document(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The document of a successful reply; NoAnswer if the request must be repeated."""
        reply = self.request(method, path, body, TIMEOUT, **headers)
        if reply.status == 429 or reply.status >= 500:
            raise NoAnswer(f"{reply.status} {reply.code}")
        if reply.status >= 400:
            raise WrongAnswer(f"{method} {path}: {reply.status} {reply.code}")
        return reply.document
