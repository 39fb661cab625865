"""Fair queueing by client address, for when more requests wait than there are threads. Addresses
take turns, and an address may take a place only while it holds fewer than are free: one alone gets
half of them, and the first request of any other finds room at once (a dynamic threshold, as in
network switches)."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class RoundRobinQueue(Generic[T]):
    """One queue per address; the addresses take turns."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[T]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __contains__(self, address: str) -> bool:
        return address in self._queues

    def add(self, address: str, item: T) -> None:
        """Append to the address's queue."""
        self._queues.setdefault(address, deque()).append(item)
        self._length += 1

    def pop(self, is_allowed: Callable[[str], bool] = lambda address: True) -> tuple[str, T]:
        """Remove the first item of the next allowed address, which then moves behind all others.
        Raises LookupError if there is none."""
        for address in self._queues:
            if is_allowed(address):
                queue = self._queues.pop(address)
                first = queue.popleft()
                if queue:
                    self._queues[address] = queue
                self._length -= 1
                return address, first
        raise LookupError


class FairSemaphore:
    """A number of places with a queue per address. It belongs to one event loop."""

    def __init__(self, places: int) -> None:
        self.free_places = places
        self.places_by_address: Counter[str] = Counter()
        self.waiters: RoundRobinQueue[asyncio.Future[None]] = RoundRobinQueue()

    @asynccontextmanager
    async def hold_place(self, address: str) -> AsyncIterator[None]:
        """Hold a place, once it is the address's turn."""
        if address not in self.waiters and self._may_take(address):
            self._take(address)
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._release(address)

    async def _wait(self, address: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiters.add(address, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place was given at the same moment
                self._release(address)
            raise

    def _may_take(self, address: str) -> bool:
        return self.places_by_address[address] < self.free_places

    def _take(self, address: str) -> None:
        self.free_places -= 1
        self.places_by_address[address] += 1

    def _release(self, address: str) -> None:
        """Free a place, and fill the free places from the queues."""
        self.free_places += 1
        self.places_by_address[address] -= 1
        if not self.places_by_address[address]:
            del self.places_by_address[address]
        with suppress(LookupError):
            while True:
                next_address, turn = self.waiters.pop(self._may_take)
                if not turn.done():  # it has not given up
                    self._take(next_address)
                    turn.set_result(None)
