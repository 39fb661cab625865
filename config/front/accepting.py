"""Which connections are accepted? So many in all and from each address, and none while the process
has no descriptors left."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import ip_address
from typing import Final

from django.conf import settings

from api.errors import Refusal
from api.limits import callers
from config.front import refusals
from config.front.connection import Connection, State
from config.front.turns import RoundRobin
from games.repeated import OncePerSecond

AT_ONCE: Final = 64  # connections that are taken from the kernel, then the loop turns …
OPENED: Final = 8  # … and of these, so many are listened to: each has a head to parse
SENDING: Final = 128 * 1024  # bytes that the kernel holds for a client; it takes twice as many
PAUSE: Final = 0.2  # seconds without accepting when descriptors have run out
PARTING: Final = 1.0  # seconds in which a client that is turned away can read why
MOST_PARTING: Final = 64  # such clients; further ones are closed at once
EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecond())


class Acceptor:
    """A listening socket on an event loop; asyncio's own logs every failure of a batch."""

    def __init__(
        self,
        listening: socket.socket,
        state: State,
        connection: Callable[[Callable[[], None]], Connection],
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.listening = listening
        self.state = state
        self.connection = connection
        self.counts: Counter[str] = Counter()
        self.parting: set[socket.socket] = set()
        self.is_open = True
        self.pauses = 0
        self.arrived: RoundRobin[socket.socket] = RoundRobin()
        self.opening: dict[asyncio.Task[None], Connection] = {}
        listening.setblocking(False)
        # inherited by what is accepted; it would grow to 4 MB for a client that reads nothing
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)

    # -- as uvicorn wants a server ----------------------------------------------------------------

    def close(self) -> None:
        """Accept no more."""
        self.is_open = False
        self.loop.remove_reader(self.listening.fileno())
        for each in list(self.parting):
            self._part(each)
        while self.arrived:
            self.arrived.next()[1].close()

    async def wait_closed(self) -> None:
        """It is closed at once."""

    # -- accepting --------------------------------------------------------------------------------

    def resume(self) -> None:
        """Accept from now on."""
        if self.is_open:
            self.loop.add_reader(self.listening.fileno(), self.accept)

    def accept(self) -> None:
        """Take all who wait."""
        for _ in range(AT_ONCE):
            try:
                incoming, peer = self.listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as failed:
                self._pause(failed)
                return
            incoming.setblocking(False)
            self.admit(incoming, callers.address({"REMOTE_ADDR": peer[0]}), peer[0])

    def _pause(self, failed: OSError) -> None:
        """There are no descriptors: who waits, waits in the kernel's queue."""
        if failed.errno not in EXHAUSTED:
            logger.error("A connection could not be accepted: %s", failed)
            return
        self.pauses += 1
        logger.error("No connection can be accepted for now: %s", failed.strerror)
        self.loop.remove_reader(self.listening.fileno())
        self.loop.call_later(PAUSE, self.resume)

    def admit(self, incoming: socket.socket, address: str, peer: str) -> None:
        """Open a connection, or turn its client away."""
        is_counted = not is_proxy(peer)
        if is_counted and self.counts[address] >= self.state.bounds.each:
            self._turn_away(incoming, Refusal("too-many-connections", "Close some of them."))
        elif not self._has_room():
            self._turn_away(incoming, Refusal("overloaded", "Too many connections are open."))
        else:
            self.counts[address] += 1
            self.arrived.add(address, incoming)
            if len(self.arrived) == 1:
                self.loop.call_soon(self._open_some)

    def _has_room(self) -> bool:
        """Is there room for one more? Who has waited longest without a request makes it."""
        opening = sum(each.transport is None for each in self.opening.values())
        opened = len(self.state.connections) + opening + len(self.arrived)
        if opened < self.state.bounds.connections:
            return True
        if not self.state.waiting:
            return False
        oldest = next(iter(self.state.waiting))
        del self.state.waiting[oldest]
        self.state.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def _open_some(self) -> None:
        """Listen to a few of those that have arrived, in turns of their addresses: who opens
        hundreds at once keeps others waiting for a few of them."""
        for _ in range(min(OPENED, len(self.arrived))):
            address, incoming = self.arrived.next()
            connection = self.connection(partial(self._closed, address))
            task = self.loop.create_task(self._open(connection, incoming))
            self.opening[task] = connection
            task.add_done_callback(self.opening.pop)
        if self.arrived:
            self.loop.call_soon(self._open_some)

    async def _open(self, connection: Connection, incoming: socket.socket) -> None:
        try:
            await self.loop.connect_accepted_socket(lambda: connection, incoming)
        except OSError:
            if connection.closed:
                connection.closed()
            incoming.close()

    def _closed(self, address: str) -> None:
        """A connection of this address is no more."""
        self.counts[address] -= 1
        if self.counts[address] <= 0:
            del self.counts[address]

    # -- turning away -----------------------------------------------------------------------------

    def _turn_away(self, incoming: socket.socket, refusal: Refusal) -> None:
        """Say why, and close when the client has had the time to read it."""
        with suppress(OSError):
            incoming.send(refusals.raw(refusals.response_of(refusal)))
            incoming.shutdown(socket.SHUT_WR)
        if len(self.parting) < MOST_PARTING:
            self.parting.add(incoming)
            self.loop.call_later(PARTING, self._part, incoming)
        else:
            incoming.close()

    def _part(self, incoming: socket.socket) -> None:
        self.parting.discard(incoming)
        incoming.close()


@lru_cache(maxsize=1024)
def is_proxy(peer: str) -> bool:
    """Does this address ask for many others?"""
    try:
        asking = ip_address(peer)
    except ValueError:
        return False
    asking = getattr(asking, "ipv4_mapped", None) or asking
    return any(asking in network for network in settings.PROXIES)
