"""The fair queue: an address with few requests waits briefly, however many another address
sends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from config.http_server.fair_queue import FairSemaphore


class QueuedRequests:
    """Requests that record when they begin; each is answered once the test lets it proceed."""

    def __init__(self, places: int) -> None:
        self.semaphore = FairSemaphore(places)
        self.addresses_begun: list[str] = []
        self.may_proceed = asyncio.Event()

    async def send(self, address: str) -> None:
        """Send a request."""
        async with self.semaphore.hold_place(address):
            self.addresses_begun.append(address)
            await self.may_proceed.wait()

    async def send_all(self, *addresses: str) -> list[asyncio.Task[None]]:
        """Requests from these addresses, in this order."""
        tasks = [asyncio.create_task(self.send(address)) for address in addresses]
        await asyncio.sleep(0)
        return tasks


def run(scenario: Callable[[], Awaitable[Any]]) -> None:
    """Run a scenario."""

    async def play() -> None:
        await scenario()

    asyncio.run(play())


def test_addresses_take_turns() -> None:
    async def scenario() -> None:
        requests = QueuedRequests(1)
        tasks = await requests.send_all(*["a"] * 5, "b", "c", "b")
        assert requests.addresses_begun == ["a"]
        requests.may_proceed.set()
        await asyncio.gather(*tasks)
        assert requests.addresses_begun == ["a", "a", "b", "c", "a", "b", "a", "a"]
        assert (
            requests.semaphore.free_places,
            len(requests.semaphore.waiters),
            requests.semaphore.places_by_address,
        ) == (1, 0, {})

    run(scenario)


def test_one_address_has_half_of_all_places() -> None:
    async def scenario() -> None:
        requests = QueuedRequests(8)
        tasks = await requests.send_all(*["a"] * 20)
        assert requests.addresses_begun == ["a"] * 4
        requests.may_proceed.set()
        await asyncio.gather(*tasks)
        assert (len(requests.addresses_begun), requests.semaphore.free_places) == (20, 8)

    run(scenario)


@pytest.mark.parametrize(("address_count", "room"), [(1, 4), (2, 2), (3, 2), (6, 1)])
def test_there_is_room_at_once_for_another(address_count: int, room: int) -> None:
    async def scenario() -> None:
        requests = QueuedRequests(8)
        tasks = await requests.send_all(
            *[str(number % address_count) for number in range(20 * address_count)]
        )
        assert requests.semaphore.free_places == room
        tasks += await requests.send_all("another")
        assert requests.addresses_begun[-1] == "another"
        requests.may_proceed.set()
        await asyncio.gather(*tasks)
        assert (len(requests.addresses_begun), requests.semaphore.free_places) == (
            20 * address_count + 1,
            8,
        )

    run(scenario)


def test_an_address_asks_again_when_others_have_gone() -> None:
    async def scenario() -> None:
        requests = QueuedRequests(8)
        tasks = await requests.send_all(*["a", "b", "c"] * 3)
        begun_count = len(requests.addresses_begun)
        for task in tasks[:begun_count]:
            task.cancel()
        await asyncio.wait(tasks[:begun_count])
        await asyncio.sleep(0)
        assert len(requests.addresses_begun) == 9
        requests.may_proceed.set()
        await asyncio.wait(tasks)
        assert (requests.semaphore.free_places, len(requests.semaphore.waiters)) == (8, 0)

    run(scenario)


def test_who_gives_up_keeps_no_place() -> None:
    async def scenario() -> None:
        requests = QueuedRequests(1)
        first, second, third = await requests.send_all("a", "b", "c")
        second.cancel()
        await asyncio.sleep(0)
        requests.may_proceed.set()
        await asyncio.gather(first, third)
        assert requests.addresses_begun == ["a", "c"]
        assert requests.semaphore.free_places == 1

    run(scenario)


def test_who_gives_up_in_the_moment_of_being_called_passes_the_place_on() -> None:
    async def scenario() -> None:
        requests = QueuedRequests(1)
        first, second, third = await requests.send_all("a", "b", "c")
        first.cancel()
        asyncio.get_running_loop().call_soon(second.cancel)  # called, but not awake yet
        await asyncio.wait([first, second])
        requests.may_proceed.set()
        await third
        assert requests.addresses_begun == ["a", "c"]
        assert requests.semaphore.free_places == 1

    run(scenario)


def test_a_request_that_fails_gives_its_place_back() -> None:
    async def scenario() -> None:
        semaphore = FairSemaphore(1)
        for _ in range(3):
            try:
                async with semaphore.hold_place("a"):
                    raise OSError
            except OSError:
                assert semaphore.free_places == 1

    run(scenario)
