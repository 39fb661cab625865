"""A connection whose transport, clock and application belong to the test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from config.http_server.connection import Connection, QuickPath, ServerConnections
from config.http_server.limit_settings import ConnectionLimits
from config.http_server.server import uvicorn_config

Application = Callable[[Any, Any, Any], Awaitable[None]]


class Pipe(asyncio.Transport):
    """The transport: the bytes that a client would read, and the state of the connection."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes_written = b""
        self.unread_bytes = 0  # bytes that the client has not read yet
        self.is_reading_paused = self.has_eof = self.is_closed = self.is_aborted = False

    def write(self, data: Any) -> None:
        self.bytes_written += bytes(data)

    def get_write_buffer_size(self) -> int:
        return self.unread_bytes

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.has_eof = True

    def pause_reading(self) -> None:
        self.is_reading_paused = True

    def resume_reading(self) -> None:
        self.is_reading_paused = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default


class RecordingApplication:
    """An application that records its requests, reads their bodies and answers "ok"."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, bytes]] = []
        self.paths_begun: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.paths_begun.append(scope["path"])
        body, is_more = b"", True
        while is_more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message["body"]
            is_more = message["more_body"]
        self.requests.append((scope["path"], body))
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


class Client:
    """One connection, seen from its client."""

    def __init__(
        self,
        application: Application | None = None,
        limits: ConnectionLimits | None = None,
        quick_path: QuickPath | None = None,
    ) -> None:
        self.application_record = RecordingApplication()
        config = uvicorn_config(application or self.application_record)
        config.load()
        self.state = ServerConnections(limits or ConnectionLimits(), quick_path)
        self.connection = Connection(config, self.state)
        self.pipe = Pipe()
        self.connection.connection_made(self.pipe)

    async def send(self, *pieces: bytes) -> None:
        """Send the pieces, and let the application proceed after each."""
        for piece in pieces:
            self.connection.data_received(piece)
            await self.settle()

    async def settle(self) -> None:
        """Run every task that can proceed without further input."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Run the server's deadline checks as if that many seconds had passed."""
        self.state.enforce_deadlines(asyncio.get_running_loop().time() + seconds)
        await self.settle()

    @property
    def statuses(self) -> list[int]:
        """The status of each reply."""
        parts = self.pipe.bytes_written.split(b"HTTP/1.1 ")[1:]
        return [int(part[:3]) for part in parts]

    @property
    def problem(self) -> Any:
        """The document of the last reply, after checking the headers that every problem has."""
        head, _, body = self.pipe.bytes_written.rpartition(b"HTTP/1.1 ")[2].partition(b"\r\n\r\n")
        pairs = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:]]
        headers = {name.decode().lower(): value.decode() for name, value in pairs}
        assert headers["content-type"] == "application/problem+json"
        assert headers["request-id"].startswith("req_")
        assert headers["cache-control"] == "no-store"
        assert headers["connection"] == "close"
        return json.loads(body)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    """Run a scenario on its own event loop."""
    asyncio.run(cast("Any", scenario()))
