"""Attacks of a hostile client on a server: each is started, lasts for a while, and is stopped.

All attackers come from their own addresses (127.1.0.0/16), with their own account and in their own
process: they share neither a player's limits nor the clock of its probe.
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
LINES: Final = "application/x-ndjson"
TIMEOUT: Final = 30.0  # seconds
CONNECTIONS_PER_ADDRESS: Final = 100  # connections from one address
FLOODERS: Final = 4  # threads


class Attack(ABC):
    """A number of connections, or requests, against a server on this machine."""

    def __init__(self, port: int, count: int, secret: str = "") -> None:
        self.port = port
        self.count = count
        self.secret = secret
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
        """A new connection that has sent these pieces, as far as the server allowed."""
        client = self.new_socket(number)
        with suppress(OSError):
            client.connect(("127.0.0.1", self.port))
            for piece in pieces:
                client.sendall(piece)
        return client

    def head(self, method: str, path: str, *lines: str) -> bytes:
        """The head of a request."""
        authorization = [f"Authorization: Bearer {self.secret}"] if self.secret else []
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
    """Uploads of which most arrives, and the rest never."""

    size = 70_000

    def start(self) -> None:
        head = self.head(
            "POST", "/verifications", f"Content-Type: {LINES}", "Content-Length: 90000"
        )
        for number in range(self.count):
            self.send_pieces(number, head + b"x" * self.size)


class StalledSmallBodies(Attack):
    """Stalled uploads of sizes that are kept in memory, without a key."""

    def start(self) -> None:
        head = self.head(
            "POST", "/guests", "Content-Type: application/json", "Content-Length: 60000"
        )
        for number in range(self.count):
            self.send_pieces(number, head + b"x" * 59_000)


class HalfHeads(Attack):
    """Heads that never end."""

    def start(self) -> None:
        for number in range(self.count):
            self.send_pieces(number, self.head("GET", "/me", "X-Padding: " + "x" * 8000)[:-2])


class UnreadReplies(Attack):
    """Pipelined requests on each connection, whose replies are not read."""

    path = "/openapi.json"
    requests = 10

    def start(self) -> None:
        pipelined_requests = self.head("GET", self.path) * self.requests
        for number in range(self.count):
            client = self.new_socket(number)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with suppress(OSError):
                client.connect(("127.0.0.1", self.port))
                client.sendall(pipelined_requests)


class SlowStreams(UnreadReplies):
    """Streams of an account that are never read."""

    path = "/me/stream"
    requests = 1


class Smuggling(Attack):
    """Requests that two servers would frame differently, with another one hidden behind."""

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


class Flood(Attack):
    """Requests as fast as they are answered, on a few connections."""

    method, path, body = "POST", "/guests", b""

    def start(self) -> None:
        with ThreadPoolExecutor(FLOODERS) as threads:
            list(threads.map(self._send_requests, range(FLOODERS)))

    def _send_requests(self, number: int) -> None:
        lines = ("Content-Type: application/json", f"Content-Length: {len(self.body)}")
        request = self.head(self.method, self.path, *lines) + self.body
        client = self.send_pieces(number * CONNECTIONS_PER_ADDRESS)
        for _ in range(self.count // FLOODERS):
            with suppress(OSError):
                client.sendall(request)
                while select([client], [], [], 0.02)[0] and client.recv(65536):
                    pass


class Keys(Flood):
    """A flood of keys for one account."""

    path, body = "/me/keys", b'{"name": "x", "scopes": ["games:read"]}'


class Bombs(Attack):
    """Uploads of the largest accepted size with a valid chain, expensive to parse."""

    path = "/verifications"

    def start(self) -> None:
        body = bomb()
        head = self.head(
            "POST", self.path, f"Content-Type: {LINES}", f"Content-Length: {len(body)}"
        )
        with ThreadPoolExecutor(FLOODERS) as threads:
            list(
                threads.map(lambda number: self.send_pieces(number, head, body), range(self.count))
            )


class ImportBombs(Bombs):
    """The same uploads, to be imported."""

    path = "/games/import"


# -- in a process of its own -----------------------------------------------------------------------


@contextmanager
def run_attack(attack: Attack) -> Iterator[Connection]:
    """Run an attack for the duration of the context; a message arrives when `start` is done."""
    our_end, attacker_end = multiprocessing.Pipe()
    attacker = multiprocessing.get_context("spawn").Process(
        target=attack_until_closed, args=(attack, attacker_end)
    )
    attacker.start()
    attacker_end.close()
    try:
        yield our_end
    finally:
        our_end.close()
        attacker.join()


def attack_until_closed(attack: Attack, watcher: Connection) -> None:
    """Attack until the watcher closes the pipe."""
    try:
        attack.start()
        watcher.send(True)
        with suppress(EOFError, OSError):
            watcher.recv()
    finally:
        attack.stop()
