"""The acceptor of connections, which bounds them in total and per address, shares them evenly with
the other processes of the socket, and pauses while the process has no file descriptors left."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import ip_address
from typing import Final

from django.conf import settings

from api import process_board
from api.errors import Refusal
from api.limits import client_address
from api.process_board import Kind
from config.http_server import problem_responses
from config.http_server.connection import BoundedReads, Connection, ServerConnections
from config.http_server.fair_queue import RoundRobinQueue
from games.logging_throttle import OncePerSecondFilter

ACCEPTS_PER_TURN: Final = 64  # connections accepted per turn of the loop by a single process …
OPENINGS_PER_TURN: Final = 8  # … and opened, as each has a head to parse
YIELD_SECONDS: Final = 0.002  # seconds in which a process with fewer connections may be first
UNLIMITED: Final = 1 << 62
# bytes that the kernel buffers for a client; the kernel doubles the value
SEND_BUFFER_BYTES: Final = 128 * 1024
ACCEPT_PAUSE_SECONDS: Final = 0.2  # seconds without accepting after descriptors have run out
REJECTION_LINGER_SECONDS: Final = 1.0  # seconds in which a rejected client can read the reason
MAX_LINGERING_REJECTIONS: Final = 64  # such clients; further ones are closed at once
EXHAUSTION_ERRNOS: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())


class Acceptor:
    """A listening socket on an event loop; asyncio's own would log every failure of a batch."""

    def __init__(
        self,
        listener: socket.socket,
        state: ServerConnections,
        connection_factory: Callable[[Callable[[], None]], Connection],
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.listener = listener
        self.state = state
        self.connection_factory = connection_factory
        self.board = process_board.board()
        self.rejected_sockets: set[socket.socket] = set()
        self.is_open = True
        self.pause_count = 0
        self.unopened_sockets: RoundRobinQueue[socket.socket] = RoundRobinQueue()
        self.opening_tasks: dict[asyncio.Task[None], Connection] = {}
        listener.setblocking(False)
        # inherited by accepted sockets; would otherwise grow to 4 MB for a client that never reads
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    # -- server interface for uvicorn -------------------------------------------------------------

    def stop_accepting(self) -> None:
        """Leave new connections to another process; those that are accepted are still opened."""
        self.is_open = False
        self.board.set_accepting(False)
        self.loop.remove_reader(self.listener.fileno())

    @property
    def is_opening(self) -> bool:
        """Whether there are accepted connections that are not open yet."""
        return bool(self.unopened_sockets or self.opening_tasks)

    def close(self) -> None:
        """Stop accepting, and close connections that are not open yet."""
        self.stop_accepting()
        for client_socket in list(self.rejected_sockets):
            self._close_rejected(client_socket)
        while self.unopened_sockets:
            address, client_socket = self.unopened_sockets.pop()
            self._release_address(address)
            client_socket.close()

    async def wait_closed(self) -> None:
        """Nothing to wait for."""

    # -- accepting --------------------------------------------------------------------------------

    def resume(self) -> None:
        """Accept from now on."""
        if self.is_open:
            self.board.set_accepting(True)
            self.loop.add_reader(self.listener.fileno(), self.accept)

    def accept(self) -> None:
        """Accept the waiting connections. Among several processes each accepts one at a time, and
        lets those that have fewer be first."""
        rivals = self.board.connections_of_rivals()
        if not rivals:
            self.accept_some(ACCEPTS_PER_TURN)
        elif self.board.total_here(Kind.CONNECTIONS) > min(rivals):
            self.loop.remove_reader(self.listener.fileno())
            self.loop.call_later(YIELD_SECONDS, self.accept_late)
        else:
            self.accept_some(1)

    def accept_late(self) -> None:
        """Accept a connection that no other process has accepted."""
        if self.is_open:
            self.resume()
            self.accept_some(1)

    def accept_some(self, most: int) -> None:
        """Accept the waiting connections, so many at most."""
        for _ in range(most):
            try:
                client_socket, peer = self.listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                self._pause_accepting(problem)
                return
            client_socket.setblocking(False)
            self.admit(
                client_socket, client_address.client_address_of({"REMOTE_ADDR": peer[0]}), peer[0]
            )

    def _pause_accepting(self, problem: OSError) -> None:
        """Pause while there are no descriptors: clients wait in the kernel's queue."""
        if problem.errno not in EXHAUSTION_ERRNOS:
            logger.error("A connection could not be accepted: %s", problem)
            return
        self.pause_count += 1
        logger.error("No connections can be accepted at the moment: %s", problem.strerror)
        self.loop.remove_reader(self.listener.fileno())
        self.loop.call_later(ACCEPT_PAUSE_SECONDS, self.resume)

    def admit(self, client_socket: socket.socket, address: str, peer: str) -> None:
        """Open a connection, or reject its client."""
        limit = UNLIMITED if is_proxy(peer) else self.state.limits.max_connections_per_address
        if not self.board.take(Kind.CONNECTIONS, address, limit):
            self._reject(
                client_socket,
                Refusal(
                    "too-many-connections",
                    "Your address has too many open connections: close some of them.",
                ),
            )
        elif not self._has_room():
            self._release_address(address)
            self._reject(
                client_socket, Refusal("overloaded", "The server has too many open connections.")
            )
        else:
            self.unopened_sockets.add(address, client_socket)
            if len(self.unopened_sockets) == 1:
                self.loop.call_soon(self._open_next_batch)

    def _has_room(self) -> bool:
        """Whether there is room for one more; if not, the connection that has waited longest
        without a request is closed to make room."""
        opening_count = sum(
            connection.transport is None for connection in self.opening_tasks.values()
        )
        open_count = len(self.state.connections) + opening_count + len(self.unopened_sockets)
        if open_count < self.state.limits.max_connections:
            return True
        if not self.state.idle_connections:
            return False
        oldest = next(iter(self.state.idle_connections))
        del self.state.idle_connections[oldest]
        self.state.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def _open_next_batch(self) -> None:
        """Open a few of the accepted connections, taking turns by address: a client that opens
        hundreds at once delays others by only a few."""
        for _ in range(min(OPENINGS_PER_TURN, len(self.unopened_sockets))):
            address, client_socket = self.unopened_sockets.pop()
            connection = self.connection_factory(partial(self._release_address, address))
            task = self.loop.create_task(self._open(connection, client_socket))
            self.opening_tasks[task] = connection
            task.add_done_callback(self.opening_tasks.pop)
        if self.unopened_sockets:
            self.loop.call_soon(self._open_next_batch)

    async def _open(self, connection: Connection, client_socket: socket.socket) -> None:
        try:
            await self.loop.connect_accepted_socket(lambda: BoundedReads(connection), client_socket)
        except OSError:
            if connection.on_closed:
                connection.on_closed()
            client_socket.close()

    def _release_address(self, address: str) -> None:
        """Count a connection of this address as closed."""
        self.board.give_back(Kind.CONNECTIONS, address)

    # -- rejecting --------------------------------------------------------------------------------

    def _reject(self, client_socket: socket.socket, refusal: Refusal) -> None:
        """Send the reason, and close once the client has had time to read it."""
        with suppress(OSError):
            client_socket.send(
                problem_responses.raw_response(problem_responses.refusal_response(refusal))
            )
            client_socket.shutdown(socket.SHUT_WR)
        if len(self.rejected_sockets) < MAX_LINGERING_REJECTIONS:
            self.rejected_sockets.add(client_socket)
            self.loop.call_later(REJECTION_LINGER_SECONDS, self._close_rejected, client_socket)
        else:
            client_socket.close()

    def _close_rejected(self, client_socket: socket.socket) -> None:
        self.rejected_sockets.discard(client_socket)
        client_socket.close()


@lru_cache(maxsize=1024)
def is_proxy(peer: str) -> bool:
    """Whether this address forwards requests for many clients."""
    try:
        address = ip_address(peer)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in settings.PROXIES)
