"""A server that answers from a list, time that passes only in sleeps, and a connection that loses
replies."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import httpx

from tabularium_client import Client, Retries

SERVER = "http://tabularium.test"
KEY = "tab_of_a_test"
Answer = httpx.Response | Exception


class Time:
    """A clock that stands still but for sleeps, which it records."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Pass this time at once."""
        self.pauses.append(seconds)
        self.now += seconds

    async def sleep_later(self, seconds: float) -> None:
        """The same, for the asynchronous client."""
        self.sleep(seconds)

    def clock(self) -> float:
        """The time."""
        return self.now


class Server:
    """Answers each request with the next answer, and records it."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request."""
        request.read()
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def later(self, request: httpx.Request) -> httpx.Response:
        """The same, for the asynchronous client."""
        return self(request)

    def sent(self, header: str) -> list[str | None]:
        """A header of all requests."""
        return [request.headers.get(header) for request in self.requests]


def client_of(server: Server, time: Time, **more: Any) -> Client:
    """A client of it without jitter."""
    options = {"key": KEY, "retries": Retries(chance=lambda: 0.0), **more}
    http = httpx.Client(transport=httpx.MockTransport(server))
    return Client(SERVER, http=http, sleep=time.sleep, clock=time.clock, **options)


def good(document: Any, status: int = 200) -> httpx.Response:
    """A reply with a document."""
    return httpx.Response(status, json=document)


def problem(status: int, code: str, retry_after: int | None = None, **more: Any) -> httpx.Response:
    """A problem."""
    document = {"code": code, "status": status, "detail": "…", "request_id": "req_1", **more}
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return httpx.Response(status, json={"type": "…", "title": "…", **document}, headers=headers)


def events(*entries: int, rest: str = "") -> httpx.Response:
    """A stream with these entries, and the beginning of one more."""
    whole = "".join(
        f"id: {seq}\nevent: entry\ndata: {json.dumps({'seq': seq})}\n\n" for seq in entries
    )
    headers = {"Content-Type": "text/event-stream"}
    return httpx.Response(200, content=f": hello\n\n{whole}{rest}".encode(), headers=headers)


class LosingTransport(httpx.BaseTransport):
    """Sends every request to the server, and loses the replies to the first ones of a kind."""

    def __init__(self, method: str, end: str, losses: int) -> None:
        self._kind, self.losses, self._inner = (method, end), losses, httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The reply, or a failure after the server has sent it."""
        response = self._inner.handle_request(request)
        method, end = self._kind
        if self.losses and request.method == method and request.url.path.endswith(end):
            self.losses -= 1
            response.read()
            response.close()
            raise httpx.ReadError("The reply was lost.", request=request)
        return response

    def close(self) -> None:
        """Close its connections."""
        self._inner.close()
