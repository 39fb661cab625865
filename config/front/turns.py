"""Whose request is next, when more wait than there are threads? One of the address whose turn it
is: however many come from one address, others wait for one of them at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many places, and queues before them, one an address. It belongs to one event loop."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """A place for as long as it is needed, when it is the address's turn."""
        if self.free:
            self.free -= 1
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, address: str) -> None:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queues.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if not called.cancelled():  # the place was given at the same moment
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """The place is the next one's."""
        while self.queues:
            address, queue = self.queues.popitem(last=False)
            called = queue.popleft()
            if queue:
                self.queues[address] = queue  # its next one comes after all others
            if not called.done():
                called.set_result(None)
                return
        self.free += 1
