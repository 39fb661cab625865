"""An HTTP client for untrusted addresses: it connects only to the given addresses, its time and the
size of an answer are bounded, and it follows no redirects."""

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

from api.webhooks.target_urls import Address, ForbiddenTarget, Target, parse_target, resolve_target

# seconds to connect, and as many again for the TLS handshake
CONNECT_TIMEOUT_SECONDS: Final = 3.0
TOTAL_TIMEOUT_SECONDS: Final = 15.0  # seconds, regardless of the other side
REMOTE_ERRORS: Final = (HTTPError, HTTPException, OSError)  # failures of the other side
MAX_ANSWER_BYTES: Final = 1024  # bytes of an answer that are read
MAX_ADDRESSES_TRIED: Final = 2  # addresses of one name


@dataclass(frozen=True)
class PostResult:
    """The result of a post: a status and the beginning of the body, or an error."""

    duration_ms: int
    status: int | None = None
    text: str = ""
    error: str = ""

    @property
    def is_success(self) -> bool:
        """Whether the other side confirmed receipt. A redirect is no confirmation."""
        return self.status is not None and 200 <= self.status < 300


def post(url: str, body: bytes, headers: Mapping[str, str]) -> PostResult:
    """Post the body and return the result; failures of the other side raise no exception."""
    started_at = monotonic()
    try:
        target = parse_target(url)
        with _open_connection(target, resolve_target(target)) as connection:
            status, text = _exchange(connection, target, body, headers)
    except (ForbiddenTarget, *REMOTE_ERRORS) as problem:
        return PostResult(_elapsed_ms(started_at), error=_error_sentence(problem))
    return PostResult(_elapsed_ms(started_at), status, text)


def _elapsed_ms(started_at: float) -> int:
    return round((monotonic() - started_at) * 1000)


def _error_sentence(problem: Exception) -> str:
    """A sentence on the kind of failure that reveals nothing of our side."""
    if isinstance(problem, ForbiddenTarget):
        return str(problem)
    if isinstance(problem, ssl.SSLError) or "SSL" in str(problem):
        return "The TLS certificate is not trusted, or the handshake failed."
    if isinstance(problem, TimeoutError) or "timed out" in str(problem):
        return "The request timed out."
    return "The connection failed or was interrupted."


@contextmanager
def _open_connection(target: Target, addresses: list[Address]) -> Iterator[HTTPConnection]:
    """A connection to the first reachable address, and to nothing else."""
    for number, address in enumerate(addresses[:MAX_ADDRESSES_TRIED], 1):
        connection = _new_connection(target, address)
        try:
            connection.connect()
        except REMOTE_ERRORS:
            connection.close()
            if number == min(MAX_ADDRESSES_TRIED, len(addresses)):
                raise
            continue
        try:
            yield connection
        finally:
            connection.close()
        return


def _new_connection(target: Target, address: Address) -> HTTPConnection:
    """A connection to the address whose certificate must match the host name."""
    if target.scheme == "http":
        return HTTPConnection(str(address), target.port, timeout=CONNECT_TIMEOUT_SECONDS)
    return HTTPSConnection(
        str(address),
        target.port,
        timeout=CONNECT_TIMEOUT_SECONDS,
        server_hostname=target.host,
        ssl_context=trusted_ssl_context(),
    )


def trusted_ssl_context() -> ssl.SSLContext:
    """A TLS context that trusts the certificate authorities of this machine."""
    return ssl.create_default_context()


def _exchange(
    connection: HTTPConnection, target: Target, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str]:
    connection.timeout = TOTAL_TIMEOUT_SECONDS
    timeout_event = Event()
    # the timeout bounds each read, but not their number
    watchdog = Timer(TOTAL_TIMEOUT_SECONDS, _shut_down, [connection.sock, timeout_event])
    watchdog.daemon = True
    watchdog.start()
    try:
        request_headers = {**headers, "Host": target.host_header}
        connection.request("POST", target.path, body, request_headers, preload_content=False)
        response = connection.getresponse()
        if timeout_event.is_set():  # the head is incomplete
            raise TimeoutError
        return response.status, _read_beginning(response)
    finally:
        watchdog.cancel()


def _shut_down(open_socket: Any, timeout_event: Event) -> None:
    """Shut down a connection that a thread reads from; closing it would not interrupt the read."""
    timeout_event.set()
    try:
        socket.socket.shutdown(open_socket, socket.SHUT_RDWR)
    except OSError:
        return  # it has ended already


def _read_beginning(response: Any) -> str:
    """The beginning of the answer; the status counts even if the rest never arrives."""
    try:
        raw: bytes = response.read(MAX_ANSWER_BYTES, decode_content=False)
    except REMOTE_ERRORS:
        return ""
    return raw.decode("utf-8", "replace").replace("\0", "")
