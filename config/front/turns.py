"""Whose request is next, when more wait than there are threads? One of the address whose turn it
is. An address takes a place only while it has fewer than are free: one alone gets half of them, and
there is room at once for the first request of any other (a dynamic threshold, as in switches)."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many places, and queues before them, one an address. It belongs to one event loop."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.taken: Counter[str] = Counter()
        self.queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """A place for as long as it is needed, when it is the address's turn."""
        if address not in self.queues and self._may_take(address):
            self._take(address)
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._give_back(address)

    async def _wait(self, address: str) -> None:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queues.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if not called.cancelled():  # the place was given at the same moment
                self._give_back(address)
            raise

    def _may_take(self, address: str) -> bool:
        return self.taken[address] < self.free

    def _take(self, address: str) -> None:
        self.free -= 1
        self.taken[address] += 1

    def _give_back(self, address: str) -> None:
        """A place is free: for all who may have one now."""
        self.free += 1
        self.taken[address] -= 1
        if not self.taken[address]:
            del self.taken[address]
        while (following := next(filter(self._may_take, self.queues), None)) is not None:
            self._call(following)

    def _call(self, address: str) -> None:
        """It is this address's turn; its next request comes after all others."""
        queue = self.queues.pop(address)
        called = queue.popleft()
        if queue:
            self.queues[address] = queue
        if not called.done():  # nobody has given up
            self._take(address)
            called.set_result(None)
