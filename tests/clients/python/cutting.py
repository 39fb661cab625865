"""A TCP proxy that closes each connection after so many bytes of the server's replies."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

CHUNK_BYTES: Final = 65_536


class CuttingProxy(ThreadingTCPServer):
    """Forwards to a server. Each connection has the next budget of bytes; those after the last have
    no limit."""

    daemon_threads = True

    def __init__(self, url: str, budgets: Iterable[int]) -> None:
        super().__init__(("127.0.0.1", 0), Cut)
        place = urlsplit(url)
        self.target = (place.hostname or "", place.port or 80)
        self.budgets = list(budgets)
        self.connections = 0
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def next_budget(self) -> float:
        """The budget of the next connection."""
        self.connections += 1
        return self.budgets.pop(0) if self.budgets else float("inf")


class Cut(BaseRequestHandler):
    """One connection."""

    server: CuttingProxy

    def handle(self) -> None:
        """Forward until the budget is spent."""
        budget = self.server.next_budget()
        with socket.create_connection(self.server.target) as far, suppress(OSError):
            Thread(target=self.forward_requests, args=(far,), daemon=True).start()
            while budget > 0 and (chunk := far.recv(CHUNK_BYTES)):
                self.request.sendall(chunk[: int(min(budget, CHUNK_BYTES))])
                budget -= len(chunk)
            self.request.shutdown(socket.SHUT_RDWR)

    def forward_requests(self, far: socket.socket) -> None:
        """Forward all that the client sends."""
        with suppress(OSError):
            while chunk := self.request.recv(CHUNK_BYTES):
                far.sendall(chunk)


@contextmanager
def cutting(url: str, budgets: Iterable[int]) -> Iterator[CuttingProxy]:
    """A proxy within the block."""
    with CuttingProxy(url, budgets) as proxy:
        Thread(target=proxy.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
