"""How is something posted to an address that nobody has reason to trust? To exactly that address,
in bounded time, with a bounded answer, following nothing."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from threading import Event, Timer
from time import monotonic
from typing import Any, Final

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from api.webhooks.resolving import Address
from api.webhooks.targets import Forbidden, Target, addresses, target

CONNECT: Final = 3.0  # seconds to a connection, and as long again for its encryption
TOTAL: Final = 15.0  # seconds, whatever the other side does
TROUBLE: Final = (HTTPError, HTTPException, OSError)  # which are the other side's
LONGEST_ANSWER: Final = 1024  # bytes that are read
TRIED: Final = 2  # addresses of one name


@dataclass(frozen=True)
class Answer:
    """What came of it: a status and the beginning of a text, or an error."""

    duration_ms: int
    status: int | None = None
    text: str = ""
    error: str = ""

    @property
    def is_good(self) -> bool:
        """Did the other side say that it has it? A redirect is no such word."""
        return self.status is not None and 200 <= self.status < 300


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post it, and tell how that went; nothing is raised for what the other side does."""
    begun = monotonic()
    try:
        found = target(url)
        with _connected(found, addresses(found)) as connection:
            status, text = _exchanged(connection, found, body, headers)
    except (Forbidden, *TROUBLE) as problem:
        return Answer(_since(begun), error=_named(problem))
    return Answer(_since(begun), status, text)


def _since(begun: float) -> int:
    return round((monotonic() - begun) * 1000)


def _named(problem: Exception) -> str:
    """The kind of trouble, without what it tells of our side."""
    if isinstance(problem, Forbidden):
        return str(problem)
    if isinstance(problem, ssl.SSLError) or "SSL" in str(problem):
        return "The encryption cannot be trusted, or failed."
    if isinstance(problem, TimeoutError) or "timed out" in str(problem):
        return "It took too long."
    return "The connection failed, or was broken off."


@contextmanager
def _connected(found: Target, listed: list[Address]) -> Iterator[HTTPConnection]:
    """A connection to the first of the addresses that can be reached, and to nothing else."""
    for number, address in enumerate(listed[:TRIED], 1):
        connection = _connection(found, address)
        try:
            connection.connect()
        except TROUBLE:
            connection.close()
            if number == min(TRIED, len(listed)):
                raise
            continue
        try:
            yield connection
        finally:
            connection.close()
        return


def _connection(found: Target, address: Address) -> HTTPConnection:
    """What connects to the address; the certificate has to be for the name."""
    if found.scheme == "http":
        return HTTPConnection(str(address), found.port, timeout=CONNECT)
    return HTTPSConnection(
        str(address),
        found.port,
        timeout=CONNECT,
        server_hostname=found.host,
        ssl_context=trusted(),
    )


def trusted() -> ssl.SSLContext:
    """Whose certificates are believed: those that this machine believes."""
    return ssl.create_default_context()


def _exchanged(
    connection: HTTPConnection, found: Target, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str]:
    connection.timeout = TOTAL
    is_late = Event()
    cut = Timer(TOTAL, _cut, [connection.sock, is_late])  # each read is bounded, many are not
    cut.daemon = True
    cut.start()
    try:
        sent = {**headers, "Host": found.named}
        connection.request("POST", found.path, body, sent, preload_content=False)
        response = connection.getresponse()
        if is_late.is_set():  # half of its head
            raise TimeoutError
        return response.status, _beginning(response)
    finally:
        cut.cancel()


def _cut(connected: Any, is_late: Event) -> None:
    """End a connection in which somebody reads; not by closing it, which that one would not see."""
    is_late.set()
    try:
        socket.socket.shutdown(connected, socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _beginning(response: Any) -> str:
    """The beginning of the answer; its status counts, also when the rest never comes."""
    try:
        raw: bytes = response.read(LONGEST_ANSWER, decode_content=False)
    except TROUBLE:
        return ""
    return raw.decode("utf-8", "replace").replace("\0", "")
