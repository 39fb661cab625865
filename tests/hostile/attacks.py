"""Attacks of a hostile client on a server.

An attack has its own addresses (127.1.0.0/16), its own account and its own process, so it shares
neither the limits of the player who measures the server nor the processor time of that player.
"""

from __future__ import annotations

import multiprocessing
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from select import select
from typing import Final

from tests.games.audit.bombs import bomb

BASE: Final = "/api/v1"
NDJSON: Final = "application/x-ndjson"
TIMEOUT: Final = 30.0  # seconds
CONNECTIONS_PER_ADDRESS: Final = 100
THREAD_COUNT: Final = 4


class Attack(ABC):
    """A number of connections or requests to a server on this machine."""

    def __init__(self, port: int, count: int, api_key: str = "") -> None:
        self.port = port
        self.count = count
        self.api_key = api_key
        self.clients: list[socket.socket] = []

    @abstractmethod
    def start(self) -> None:
        """Start the attack."""

    def stop(self) -> None:
        """Close all connections."""
        for client in self.clients:
            client.close()
        self.clients.clear()

    def new_socket(self, number: int) -> socket.socket:
        """A new unconnected socket, bound to the source address for that number."""
        address = number // CONNECTIONS_PER_ADDRESS
        source = f"127.1.{address // 250}.{address % 250 + 1}"
        client = socket.socket()
        client.settimeout(TIMEOUT)
        client.bind((source, 0))
        self.clients.append(client)
        return client

    def send_pieces(self, number: int, *pieces: bytes) -> socket.socket:
        """A new connection that has sent these pieces, or as many as the server accepted."""
        client = self.new_socket(number)
        with suppress(OSError):
            client.connect(("127.0.0.1", self.port))
            for piece in pieces:
                client.sendall(piece)
        return client

    def head(self, method: str, path: str, *lines: str) -> bytes:
        """The head of a request."""
        authorization = [f"Authorization: Bearer {self.api_key}"] if self.api_key else []
        head_lines = [
            f"{method} {BASE}{path} HTTP/1.1",
            "Host: localhost",
            *authorization,
            *lines,
            "",
            "",
        ]
        return "\r\n".join(head_lines).encode()


class StalledBodies(Attack):
    """Uploads that stop before the end of their bodies."""

    size = 70_000

    def start(self) -> None:
        head = self.head(
            "POST", "/verifications", f"Content-Type: {NDJSON}", "Content-Length: 90000"
        )
        for number in range(self.count):
            self.send_pieces(number, head + b"x" * self.size)


class StalledSmallBodies(Attack):
    """Stalled uploads where no API key is needed, of a size that the server keeps in memory."""

    def start(self) -> None:
        head = self.head(
            "POST", "/guests", "Content-Type: application/json", "Content-Length: 60000"
        )
        for number in range(self.count):
            self.send_pieces(number, head + b"x" * 59_000)


class UnfinishedHeads(Attack):
    """Request heads without an end."""

    def start(self) -> None:
        for number in range(self.count):
            self.send_pieces(number, self.head("GET", "/me", "X-Padding: " + "x" * 8000)[:-2])


class UnreadReplies(Attack):
    """Pipelined requests whose replies the client does not read."""

    path = "/openapi.json"
    requests_per_connection = 10

    def start(self) -> None:
        pipelined_requests = self.head("GET", self.path) * self.requests_per_connection
        for number in range(self.count):
            client = self.new_socket(number)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with suppress(OSError):
                client.connect(("127.0.0.1", self.port))
                client.sendall(pipelined_requests)


class UnreadStreams(UnreadReplies):
    """Streams of an account that the client does not read."""

    path = "/me/stream"
    requests_per_connection = 1


class RequestSmuggling(Attack):
    """Requests that two servers would frame differently, each with a hidden request after it."""

    def start(self) -> None:
        hidden_request = self.head("POST", "/guests", "Content-Length: 0")
        lines = ("Content-Length: 4", "Transfer-Encoding: chunked")
        for number in range(self.count):
            self.send_pieces(
                number, self.head("POST", "/guests", *lines) + b"0\r\n\r\n" + hidden_request
            )

    def statuses(self) -> Iterator[list[int]]:
        """The statuses of the replies on each connection."""
        for client in self.clients:
            received = b""
            with suppress(OSError):
                while piece := client.recv(65536):
                    received += piece
            yield [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]


class GuestFlood(Attack):
    """Requests for new guests on a few connections, sent as fast as they are answered."""

    method, path, body = "POST", "/guests", b""

    def start(self) -> None:
        with ThreadPoolExecutor(THREAD_COUNT) as threads:
            list(threads.map(self._send_requests, range(THREAD_COUNT)))

    def _send_requests(self, number: int) -> None:
        lines = ("Content-Type: application/json", f"Content-Length: {len(self.body)}")
        request = self.head(self.method, self.path, *lines) + self.body
        client = self.send_pieces(number * CONNECTIONS_PER_ADDRESS)
        for _ in range(self.count // THREAD_COUNT):
            with suppress(OSError):
                client.sendall(request)
                while select([client], [], [], 0.02)[0] and client.recv(65536):
                    pass


class KeyFlood(GuestFlood):
    """Requests for new API keys of one account."""

    path, body = "/me/keys", b'{"name": "x", "scopes": ["games:read"]}'


class VerificationBombs(Attack):
    """Uploads of the largest accepted size with a valid hash chain, which are slow to parse."""

    path = "/verifications"

    def start(self) -> None:
        body = bomb()
        head = self.head(
            "POST", self.path, f"Content-Type: {NDJSON}", f"Content-Length: {len(body)}"
        )
        with ThreadPoolExecutor(THREAD_COUNT) as threads:
            list(
                threads.map(lambda number: self.send_pieces(number, head, body), range(self.count))
            )


class ImportBombs(VerificationBombs):
    """The same uploads, sent to the import."""

    path = "/games/import"


# -- in a process of its own -----------------------------------------------------------------------


@contextmanager
def run_attack(attack: Attack) -> Iterator[Connection]:
    """Run an attack within the block, in another process, which sends a message when `start`
    returns."""
    connection, attacker_connection = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=attack_until_closed, args=(attack, attacker_connection)
    )
    process.start()
    attacker_connection.close()
    try:
        yield connection
    finally:
        connection.close()
        process.join()


def attack_until_closed(attack: Attack, connection: Connection) -> None:
    """Attack until the other end of the pipe is closed."""
    try:
        attack.start()
        connection.send(True)
        with suppress(EOFError, OSError):
            connection.recv()
    finally:
        attack.stop()
