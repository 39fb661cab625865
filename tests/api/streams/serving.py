"""A web server as its supervisor runs it, and a client that reads its streams."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from django.utils.datastructures import CaseInsensitiveMapping

from tests.api.contract import BASE, contract
from tests.config.processes import PATIENCE, soon
from tests.support import warm_interpreter
from tests.support.databases import Kept, forget_streams

ROOT: Final = Path(__file__).parents[3]
LINES: Final = "application/x-ndjson"
TIED: Final = ("-m", "config.supervisor.run_tethered")  # it ends with this process
EVENTS: Final = "text/event-stream"


class Web:
    """A web server on a socket that outlives it."""

    def __init__(self, kept: Kept, **variables: str) -> None:
        self._environment = {**kept.environment, "TABULARIUM_LIMITS": "off", **variables}
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = int(self._socket.getsockname()[1])
        self.errors = kept.folder / f"errors_{self.port}"
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        descriptor = self._socket.fileno()
        with self.errors.open("ab") as errors:
            self.process = warm_interpreter.Popen(
                [sys.executable, *TIED, str(os.getpid()), "config.web", str(descriptor)],
                cwd=ROOT,
                env=self._environment,
                pass_fds=[descriptor],
                stderr=errors,
            )
        assert soon(self.is_answering), self.errors.read_text()

    def is_answering(self) -> bool:
        """Whether the server answers and reports itself healthy."""
        with suppress(OSError):
            return self.ask("GET", "/healthz")[0] == 200
        return False

    def stop(self) -> None:
        """Stop it gracefully."""
        self.process.terminate()
        self.process.wait(PATIENCE)

    def close(self) -> None:
        """Kill it, and close its socket."""
        self.process.kill()
        self.process.wait()
        forget_streams()
        self._socket.close()

    def ask(
        self, method: str, path: str, secret: str = "", body: Any = None, **headers: str
    ) -> tuple[int, Mapping[str, str], Any]:
        """The status, the headers and the document of a response, which must be described."""
        with open_response(self.port, method, path, secret, body, **headers) as response:
            content = response.read()
            place = urlsplit(BASE + path).path
            contract().check(method, place, response.status, response.headers, content)
            return response.status, headers_of(response), orjson.loads(content) if content else None

    @contextmanager
    def listening(self, path: str, secret: str = "", **headers: str) -> Iterator[Stream]:
        """A stream that is open within the block."""
        with open_response(self.port, "GET", path, secret, **headers) as response:
            yield Stream(response)


class Stream:
    """The client side of a stream."""

    def __init__(self, response: HTTPResponse) -> None:
        self.response = response
        self.status = response.status

    def lines(self) -> Iterator[str]:
        """The lines, until the server ends the stream."""
        while line := self.response.readline():
            yield line.decode()

    def events(self) -> Iterator[tuple[str, Any]]:
        """The ids of an SSE stream with their data."""
        fields: dict[str, str] = {}
        for line in self.lines():
            if line == "\n" and "data" in fields:
                yield fields["id"], orjson.loads(fields["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            fields = {**fields, name: value} if name else {}

    def items(self) -> Iterator[Any]:
        """The items of an NDJSON stream, without heartbeats."""
        return (orjson.loads(line) for line in self.lines() if line != "\n")


@contextmanager
def open_response(
    port: int, method: str, path: str, secret: str = "", body: Any = None, **headers: str
) -> Iterator[HTTPResponse]:
    """A response whose body is still to be read."""
    request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if secret:
        request_headers["Authorization"] = f"Bearer {secret}"
    if body is not None:
        request_headers["Content-Type"] = "application/json"
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        document = None if body is None else orjson.dumps(body)
        connection.request(method, BASE + path, document, request_headers)
        with connection.getresponse() as response:
            place = urlsplit(BASE + path).path
            contract().check(method, place, response.status, headers_of(response), b"")
            yield response
    finally:
        connection.close()


def headers_of(response: HTTPResponse) -> Mapping[str, str]:
    """The headers of a response, in a case-insensitive mapping."""
    return CaseInsensitiveMapping(response.getheaders())
