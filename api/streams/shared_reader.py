"""Shared reads: a page that many clients receive in the same format is read and encoded once, and
each client is sent the same bytes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from api.streams.database_threads import run_in_thread
from api.streams.feeds import NO_UPDATES, Feed, Page, PendingUpdates
from api.streams.formats import NdjsonFormat
from api.streams.hub import Listener, hub

# bytes of pages cached for clients that are a little behind
MAX_CACHED_BYTES: Final = 32 * 1024

C = TypeVar("C")


class EncodedPage(NamedTuple, Generic[C]):
    """A page as bytes."""

    text: bytes
    cursor: C
    has_more: bool = False
    is_last: bool = False


PageReader: TypeAlias = Callable[[C, PendingUpdates], asyncio.Future[EncodedPage[C]]]


def encode_page(page: Page[C], form: type[NdjsonFormat]) -> EncodedPage[C]:
    """The page in that format."""
    text = b"".join(map(form.encode, page.items))
    return EncodedPage(text, page.cursor, page.has_more, page.is_last)


@contextmanager
def page_reader(feed: Feed[C], form: type[NdjsonFormat]) -> Iterator[PageReader[C]]:
    """A reader for this feed, shared with other clients if possible."""
    if feed.sharing_key is None:
        yield _private_reader(feed, form)
    else:
        with _enter_shared_reader(feed, form) as room:
            yield room.reader_from(feed.start_cursor)


def _private_reader(feed: Feed[C], form: type[NdjsonFormat]) -> PageReader[C]:
    async def page(cursor: C, heard: PendingUpdates) -> EncodedPage[C]:
        def told() -> EncodedPage[C]:
            return encode_page(feed.read_page(cursor, heard), form)

        return await run_in_thread(told) if feed.is_database_read(cursor) else told()

    async def page_after(
        before: asyncio.Task[EncodedPage[C]], cursor: C, heard: PendingUpdates
    ) -> EncodedPage[C]:
        await asyncio.wait([before])  # one at a time: a second read would slow the late one further
        return await page(cursor, heard)

    asked: asyncio.Task[EncodedPage[C]] | None = None
    known: tuple[C, PendingUpdates] | None = None

    def read(cursor: C, heard: PendingUpdates) -> asyncio.Future[EncodedPage[C]]:
        nonlocal asked, known
        if asked is None or asked.done():
            asked = asyncio.create_task(page(cursor, heard))
        elif known == (cursor, heard):
            return asked
        else:  # it took too long, and lacks later updates
            asked = asyncio.create_task(page_after(asked, cursor, heard))
        known = cursor, heard
        asked.add_done_callback(_retrieve_exception)
        return asked

    return read


class SharedReader(Generic[C]):
    """The clients that receive the same pages."""

    def __init__(self, feed: Feed[C], form: type[NdjsonFormat], ear: Listener) -> None:
        self.member_count = 0
        self._feed = feed
        self._form = form
        self._listener = ear
        self._reads_in_progress: dict[C, asyncio.Task[EncodedPage[C]]] = {}
        self._cached_pages: OrderedDict[C, tuple[int, EncodedPage[C]]] = OrderedDict()

    def reader_from(self, start: C) -> PageReader[C]:
        """A reader for one client. Its first page is never from the cache: it may have been cached
        before the game was over."""

        def read(cursor: C, _: PendingUpdates) -> asyncio.Future[EncodedPage[C]]:
            kept = self._cached_pages.get(cursor) if cursor != start else None
            return (
                self._join_read(cursor)
                if kept is None
                else _completed_future(self._flag_if_outdated(*kept))
            )

        return read

    def _join_read(self, cursor: C) -> asyncio.Future[EncodedPage[C]]:
        """Join a read in progress or start one. One cursor never has two reads at once, which would
        slow a slow database further."""
        reading = self._reads_in_progress.get(cursor)
        if reading is None:
            reading = self._reads_in_progress[cursor] = asyncio.create_task(self._read_page(cursor))
            reading.add_done_callback(_retrieve_exception)
        return reading

    async def _read_page(self, cursor: C) -> EncodedPage[C]:
        wakes = self._listener.wake_count
        try:
            told = await run_in_thread(
                lambda: encode_page(self._feed.read_page(cursor, NO_UPDATES), self._form)
            )
        finally:
            del self._reads_in_progress[cursor]
        self._cache_page(cursor, wakes, told)
        return self._flag_if_outdated(wakes, told)

    def _flag_if_outdated(self, wakes: int, told: EncodedPage[C]) -> EncodedPage[C]:
        """A page whose read began at this wake count. If the game has grown since, there may be
        more than the page has."""
        return (
            told
            if told.is_last or wakes == self._listener.wake_count
            else told._replace(has_more=True)
        )

    def _cache_page(self, cursor: C, wakes: int, told: EncodedPage[C]) -> None:
        if told.is_last:
            self._cached_pages.clear()
        elif (
            self._feed.is_public
            and self.member_count > 1
            and 0 < len(told.text) <= MAX_CACHED_BYTES
        ):
            self._cached_pages[cursor] = wakes, told
            while sum(len(kept.text) for _, kept in self._cached_pages.values()) > MAX_CACHED_BYTES:
                self._cached_pages.popitem(last=False)


def _completed_future(told: EncodedPage[C]) -> asyncio.Future[EncodedPage[C]]:
    future: asyncio.Future[EncodedPage[C]] = asyncio.get_running_loop().create_future()
    future.set_result(told)
    return future


def _retrieve_exception(reading: asyncio.Task[EncodedPage[C]]) -> None:
    if not reading.cancelled():
        reading.exception()  # a client that still waits gets the exception


_open_readers: dict[tuple[Hashable, type[NdjsonFormat]], tuple[SharedReader[Any], ExitStack]] = {}


@contextmanager
def _enter_shared_reader(feed: Feed[C], form: type[NdjsonFormat]) -> Iterator[SharedReader[C]]:
    name = (feed.sharing_key, form)
    if name not in _open_readers:
        stack = ExitStack()
        ear = stack.enter_context(hub.listen(feed.topic))
        _open_readers[name] = (SharedReader(feed, form, ear), stack)
    room, stack = _open_readers[name]
    room.member_count += 1
    try:
        yield room
    finally:
        room.member_count -= 1
        if not room.member_count:
            del _open_readers[name]
            stack.close()
