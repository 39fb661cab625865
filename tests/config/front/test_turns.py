"""Do those wait little who ask little, however many requests come from one address?"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from config.front.turns import Turns


class Asking:
    """Requests that note when they are answered, each after it was told to go on."""

    def __init__(self, places: int) -> None:
        self.turns = Turns(places)
        self.begun: list[str] = []
        self.going_on = asyncio.Event()

    async def ask(self, address: str) -> None:
        """A request."""
        async with self.turns.turn(address):
            self.begun.append(address)
            await self.going_on.wait()

    async def crowd(self, *addresses: str) -> list[asyncio.Task[None]]:
        """Requests of these addresses, in this order."""
        tasks = [asyncio.create_task(self.ask(address)) for address in addresses]
        await asyncio.sleep(0)
        return tasks


def run(scenario: Callable[[], Awaitable[Any]]) -> None:
    """Play a scenario."""

    async def play() -> None:
        await scenario()

    asyncio.run(play())


def test_addresses_take_turns() -> None:
    async def scenario() -> None:
        asking = Asking(2)
        tasks = await asking.crowd(*["a"] * 6, "b", "c", "b")
        assert asking.begun == ["a", "a"]
        asking.going_on.set()
        await asyncio.gather(*tasks)
        assert asking.begun == ["a", "a", "a", "b", "c", "a", "b", "a", "a"]
        assert (asking.turns.free, len(asking.turns.queues)) == (2, 0)

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
        assert asking.turns.free == 1

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
        assert asking.turns.free == 1

    run(scenario)


def test_a_request_that_fails_gives_its_place_back() -> None:
    async def scenario() -> None:
        turns = Turns(1)
        for _ in range(3):
            try:
                async with turns.turn("a"):
                    raise OSError
            except OSError:
                assert turns.free == 1

    run(scenario)
