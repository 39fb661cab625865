"""Requests to witnesses: `add-checkpoint` of C2SP tlog-witness, within a time limit."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Thread, Timer
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from tabularium_log.record.errors import MalformedError, RecordError

REPLY_BYTES_LIMIT: Final = 2**16
CONNECTIONS: Final = {"http": HTTPConnection, "https": HTTPSConnection}
CONTENT_TYPE: Final = "text/plain; charset=utf-8"


class UnansweredError(RecordError):
    """A witness has not answered."""


@dataclass(frozen=True)
class Reply:
    """The status and the body of a reply."""

    status: int
    body: bytes


def post(url: str, body: bytes, seconds: float) -> Reply:
    """The reply of the witness at a URL. Once there is a connection, it has this time for all of
    its reply; redirects are not followed."""
    connection = None
    try:
        parts = urlsplit(f"{url.rstrip('/')}/add-checkpoint")
        kind = CONNECTIONS.get(parts.scheme)
        if kind is None or not parts.hostname:
            raise MalformedError(f"{url[:200]!r} is not the URL of a witness.")
        connection = kind(parts.hostname, parts.port, timeout=seconds)
        connection.connect()
        with cut_after(seconds, connection.sock):
            connection.request("POST", parts.path, body, {"Content-Type": CONTENT_TYPE})
            response = connection.getresponse()
            reply = Reply(response.status, response.read(REPLY_BYTES_LIMIT + 1))
    except RecordError:
        raise
    except (OSError, HTTPException, ValueError) as problem:
        raise UnansweredError(f"{type(problem).__name__}: {problem}") from problem
    finally:
        if connection:
            connection.close()
    if len(reply.body) > REPLY_BYTES_LIMIT:
        raise MalformedError(f"The reply has more than {REPLY_BYTES_LIMIT} bytes.")
    if response.length:
        raise UnansweredError(f"The reply lacks {response.length} bytes.")
    return reply


@contextmanager
def cut_after(seconds: float, connection: socket.socket) -> Iterator[None]:
    """End a connection, in which this thread may wait, and raise an error, unless the block takes
    less time."""
    is_late = Event()

    def cut() -> None:
        is_late.set()
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if is_late.is_set():
        raise UnansweredError(f"The reply takes more than {seconds} s.")


class _Call(Thread):
    """A request in a thread of its own, which nothing has to wait for."""

    def __init__(self, url: str, body: bytes, seconds: float) -> None:
        super().__init__(name=f"witness {url}", daemon=True)
        self._url, self._body, self._seconds = url, body, seconds
        self.outcome: Reply | RecordError = UnansweredError("No reply in time.")

    def run(self) -> None:
        try:
            self.outcome = post(self._url, self._body, self._seconds)
        except RecordError as problem:
            self.outcome = problem


def post_all(requests: Iterable[tuple[str, bytes]], seconds: float) -> list[Reply | RecordError]:
    """The replies of the witnesses at these URLs to these bodies, asked in parallel, or the reasons
    of failures."""
    calls = [_Call(url, body, seconds) for url, body in requests]
    for call in calls:
        call.start()
    end = monotonic() + 2 * seconds  # one for the connection, and one for the reply
    for call in calls:
        call.join(max(0.0, end - monotonic()))
    return [call.outcome for call in calls]
