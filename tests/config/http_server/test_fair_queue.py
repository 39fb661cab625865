"""The fair queue: an address with few requests waits briefly, however many another address
sends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from config.http_server.fair_queue import FairSemaphore


class Asking:
    """Requests that record when they begin; each is answered once the test lets it proceed."""

    def __init__(self, places: int) -> None:
        self.turns = FairSemaphore(places)
        self.begun: list[str] = []
        self.going_on = asyncio.Event()

    async def ask(self, address: str) -> None:
        """Send a request."""
        async with self.turns.hold_place(address):
            self.begun.append(address)
            await self.going_on.wait()

    async def crowd(self, *addresses: str) -> list[asyncio.Task[None]]:
        """Requests from these addresses, in this order."""
        tasks = [asyncio.create_task(self.ask(address)) for address in addresses]
        await asyncio.sleep(0)
        return tasks


def run(scenario: Callable[[], Awaitable[Any]]) -> None:
    """Run a scenario."""

    async def play() -> None:
        await scenario()

    asyncio.run(play())


def test_addresses_take_turns() -> None:
    async def scenario() -> None:
        asking = Asking(1)
        tasks = await asking.crowd(*["a"] * 5, "b", "c", "b")
        assert asking.begun == ["a"]
        asking.going_on.set()
        await asyncio.gather(*tasks)
        assert asking.begun == ["a", "a", "b", "c", "a", "b", "a", "a"]
        assert (
            asking.turns.free_places,
            len(asking.turns.waiters),
            asking.turns.places_by_address,
        ) == (1, 0, {})

    run(scenario)


def test_one_address_has_half_of_all_places() -> None:
    async def scenario() -> None:
        asking = Asking(8)
        tasks = await asking.crowd(*["a"] * 20)
        assert asking.begun == ["a"] * 4
        asking.going_on.set()
        await asyncio.gather(*tasks)
        assert (len(asking.begun), asking.turns.free_places) == (20, 8)

    run(scenario)


@pytest.mark.parametrize(("crowds", "room"), [(1, 4), (2, 2), (3, 2), (6, 1)])
def test_there_is_room_at_once_for_another(crowds: int, room: int) -> None:
    async def scenario() -> None:
        asking = Asking(8)
        tasks = await asking.crowd(*[str(number % crowds) for number in range(20 * crowds)])
        assert asking.turns.free_places == room
        tasks += await asking.crowd("another")
        assert asking.begun[-1] == "another"
        asking.going_on.set()
        await asyncio.gather(*tasks)
        assert (len(asking.begun), asking.turns.free_places) == (20 * crowds + 1, 8)

    run(scenario)


def test_an_address_asks_again_when_others_have_gone() -> None:
    async def scenario() -> None:
        asking = Asking(8)
        others = await asking.crowd(*["a", "b", "c"] * 3)
        begun = len(asking.begun)
        for task in others[:begun]:
            task.cancel()
        await asyncio.wait(others[:begun])
        await asyncio.sleep(0)
        assert len(asking.begun) == 9
        asking.going_on.set()
        await asyncio.wait(others)
        assert (asking.turns.free_places, len(asking.turns.waiters)) == (8, 0)

    run(scenario)


def test_who_gives_up_keeps_no_place() -> None:
    async def scenario() -> None:
        asking = Asking(1)
        first, second, third = await asking.crowd("a", "b", "c")
        second.cancel()
        await asyncio.sleep(0)
        asking.going_on.set()
        await asyncio.gather(first, third)
        assert asking.begun == ["a", "c"]
        assert asking.turns.free_places == 1

    run(scenario)


def test_who_gives_up_in_the_moment_of_being_called_passes_the_place_on() -> None:
    async def scenario() -> None:
        asking = Asking(1)
        first, second, third = await asking.crowd("a", "b", "c")
        first.cancel()
        asyncio.get_running_loop().call_soon(second.cancel)  # called, but not awake yet
        await asyncio.wait([first, second])
        asking.going_on.set()
        await third
        assert asking.begun == ["a", "c"]
        assert asking.turns.free_places == 1

    run(scenario)


def test_a_request_that_fails_gives_its_place_back() -> None:
    async def scenario() -> None:
        turns = FairSemaphore(1)
        for _ in range(3):
            try:
                async with turns.hold_place("a"):
                    raise OSError
            except OSError:
                assert turns.free_places == 1

    run(scenario)
