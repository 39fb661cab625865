"""A page is read once for all subscribers that may see the same, and for no others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from api.streams import feeds, shared_page_cache
from api.streams.database_threads import run_in_thread
from api.streams.feeds import NO_UPDATES, Feed, GameFeed, Page, PendingUpdates
from api.streams.formats import NdjsonFormat, StreamItem
from api.streams.hub import Listener
from api.streams.shared_page_cache import EncodedPage, SharedReader, page_reader
from games import services
from tests.api.streams.inside import StreamClient, close_thread_connections, new_hub, read_stream
from tests.api.world import World
from tests.config.processes import PATIENCE
from tests.games.sitting import NOON
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

MANY = 40


class Numbers(Feed[int]):
    """A log of numbers that grows on request."""

    topic = "numbers"
    start_cursor = 0
    sharing_key = "numbers"
    is_public = True

    def __init__(self, last: int = 1) -> None:
        self.last = last
        self.is_over = False
        self.pages: list[int] = []

    def read_page(self, cursor: int, heard: PendingUpdates) -> Page[int]:
        """All numbers after the cursor."""
        self.pages.append(cursor)
        items = [StreamItem("number", str(one), one) for one in range(cursor + 1, self.last + 1)]
        return Page(items, max(cursor, self.last), is_last=self.is_over)

    def is_database_read(self, cursor: int) -> bool:
        """Always true."""
        return True


class Slow(Numbers):
    """A log that cannot be read until a test allows it."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = Event()

    def read_page(self, cursor: int, heard: PendingUpdates) -> Page[int]:
        """The same page, later."""
        self.go_on.wait(PATIENCE)
        return super().read_page(cursor, heard)


async def room_of(feed: Feed[int], members: int = 2) -> tuple[SharedReader[int], Listener]:
    """A shared reader with some members, and its listener."""
    listener = Listener()
    room = SharedReader(feed, NdjsonFormat, listener)
    room.member_count = members
    return room, listener


async def read_pages(
    room: SharedReader[int], *cursors: int, start: int = 0
) -> list[EncodedPage[int]]:
    """The pages for members that ask at once."""
    read = room.reader_from(start)
    return list(await asyncio.gather(*[read(cursor, NO_UPDATES) for cursor in cursors]))


class TestARoom:
    def test_reads_once_for_all_who_ask_at_once(self) -> None:
        async def read() -> None:
            room, _ = await room_of(feed)
            assert {one.text for one in await read_pages(room, *[0] * MANY)} == {b"1\n"}

        feed = Numbers()
        asyncio.run(read())
        assert feed.pages == [0]

    def test_tells_those_who_were_woken_since_it_began_that_there_may_be_more(self) -> None:
        async def read() -> None:
            room, listener = await room_of(feed)
            read = room.reader_from(0)
            before = read(0, NO_UPDATES)
            await asyncio.sleep(0)  # the read has begun
            listener.wake()
            assert read(0, NO_UPDATES) is before
            assert (await before).has_more
            assert not (await read(1, NO_UPDATES)).has_more

        feed = Numbers()
        asyncio.run(read())
        assert feed.pages == [0, 1]

    def test_tells_of_more_than_was_kept(self) -> None:
        async def read() -> None:
            room, listener = await room_of(feed)
            await read_pages(room, 1)
            assert not (await read_pages(room, 1))[0].has_more
            listener.wake()
            assert (await read_pages(room, 1))[0].has_more

        feed = Numbers(2)
        asyncio.run(read())
        assert feed.pages == [1]

    def test_reads_a_cursor_again_only_when_the_read_before_has_ended(self) -> None:
        async def read() -> None:
            room, listener = await room_of(feed)
            read = room.reader_from(0)
            late = read(0, NO_UPDATES)
            for _ in range(MANY):  # each waiter gives up, and is woken
                await asyncio.wait([late], timeout=0)
                listener.wake()
                assert read(0, NO_UPDATES) is late
            feed.go_on.set()
            assert (await late).text == b"1\n"

        feed = Slow()
        asyncio.run(read())
        assert feed.pages == [0]

    def test_keeps_a_little_for_those_who_are_a_little_behind(self) -> None:
        async def read() -> None:
            room, _ = await room_of(feed)
            await read_pages(room, 1)
            assert [one.text for one in await read_pages(room, 1)] == [b"2\n"]
            assert feed.pages == [1]
            await read_pages(room, 1, start=1)  # a new subscriber gets the present state
            assert feed.pages == [1, 1]

        feed = Numbers(2)
        asyncio.run(read())

    @pytest.mark.parametrize("reason", ["private", "alone", "large"])
    def test_keeps_nothing(self, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
        async def read() -> None:
            room, _ = await room_of(feed, members=1 if reason == "alone" else 2)
            await read_pages(room, 1)
            await read_pages(room, 1)

        feed = Numbers(2)
        feed.is_public = reason != "private"
        if reason == "large":
            monkeypatch.setattr(shared_page_cache, "MAX_CACHED_BYTES", 1)
        asyncio.run(read())
        assert feed.pages == [1, 1]

    def test_keeps_no_more_than_so_many_bytes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async def read() -> None:
            room, _ = await room_of(feed)
            for cursor in range(1, 9):
                feed.last = cursor + 1
                await read_pages(room, cursor)
            assert sum(len(one.text) for _, one in room._cached_pages.values()) <= 4
            assert list(room._cached_pages) == [7, 8]

        feed = Numbers()
        monkeypatch.setattr(shared_page_cache, "MAX_CACHED_BYTES", 5)
        asyncio.run(read())

    def test_forgets_what_was_read_before_the_game_was_over(self) -> None:
        async def read() -> None:
            room, _ = await room_of(feed)
            await read_pages(room, 1)
            feed.is_over = True
            await read_pages(room, 2)
            assert not room._cached_pages

        feed = Numbers(2)
        asyncio.run(read())


@pytest.fixture
def world(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Games whose streams have several pages."""
    monkeypatch.setattr(feeds, "PAGE_SIZE", 2)
    close_thread_connections()
    yield World()
    close_thread_connections()


def test_all_onlookers_hear_everything_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> list[StreamClient]:
        onlookers = [
            asyncio.create_task(read_stream(GameFeed(game, None, None, 0), NdjsonFormat, client))
            for client in clients
        ]
        await asyncio.wait(onlookers, timeout=0)
        await run_in_thread(services.resign_seat, game, 1)
        return list(await asyncio.gather(*onlookers))

    game = world.playing()
    clients: list[Any] = [StreamClient() for _ in range(MANY)]
    with new_hub(monkeypatch) as watch:
        asyncio.run(listen())
        watch.close()
    assert all(
        [entry["seq"] for entry in client.items()] == [1, 2, 3, 4, 5, 6] for client in clients
    )
    assert not shared_page_cache._open_readers


def test_a_reader_who_is_alone_hears_what_came_since_it_asked() -> None:
    async def read() -> None:
        with page_reader(feed, NdjsonFormat) as read:
            first = read(0, NO_UPDATES)
            assert read(0, NO_UPDATES) is first
            second = read(0, PendingUpdates(complete_until=NOON))
            assert not first.done()
            feed.last = 2
            feed.go_on.set()
            assert (await second).text == b"1\n2\n"
            assert first.done()

    feed: Any = Slow()
    feed.sharing_key = None
    asyncio.run(read())
