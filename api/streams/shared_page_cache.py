"""The cache of stream pages shared by clients: a page that many receive in the same format is read
and encoded once, and each client is sent the same bytes."""

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


def encode_page(page: Page[C], stream_format: type[NdjsonFormat]) -> EncodedPage[C]:
    """The page in the format of the stream."""
    text = b"".join(map(stream_format.encode, page.items))
    return EncodedPage(text, page.cursor, page.has_more, page.is_last)


@contextmanager
def page_reader(feed: Feed[C], stream_format: type[NdjsonFormat]) -> Iterator[PageReader[C]]:
    """A reader for this feed, shared with other clients if possible."""
    if feed.sharing_key is None:
        yield _private_reader(feed, stream_format)
    else:
        with _enter_shared_reader(feed, stream_format) as shared_reader:
            yield shared_reader.reader_from(feed.start_cursor)


def _private_reader(feed: Feed[C], stream_format: type[NdjsonFormat]) -> PageReader[C]:
    async def page(cursor: C, pending_updates: PendingUpdates) -> EncodedPage[C]:
        def read_encoded() -> EncodedPage[C]:
            return encode_page(feed.read_page(cursor, pending_updates), stream_format)

        return (
            await run_in_thread(read_encoded) if feed.is_database_read(cursor) else read_encoded()
        )

    async def page_after(
        previous: asyncio.Task[EncodedPage[C]], cursor: C, pending_updates: PendingUpdates
    ) -> EncodedPage[C]:
        # one at a time: a second read would slow the late one further
        await asyncio.wait([previous])
        return await page(cursor, pending_updates)

    task: asyncio.Task[EncodedPage[C]] | None = None
    task_arguments: tuple[C, PendingUpdates] | None = None

    def read(cursor: C, pending_updates: PendingUpdates) -> asyncio.Future[EncodedPage[C]]:
        nonlocal task, task_arguments
        if task is None or task.done():
            task = asyncio.create_task(page(cursor, pending_updates))
        elif task_arguments == (cursor, pending_updates):
            return task
        else:  # it took too long, and lacks later updates
            task = asyncio.create_task(page_after(task, cursor, pending_updates))
        task_arguments = cursor, pending_updates
        task.add_done_callback(_retrieve_exception)
        return task

    return read


class SharedReader(Generic[C]):
    """The clients that receive the same pages."""

    def __init__(
        self, feed: Feed[C], stream_format: type[NdjsonFormat], listener: Listener
    ) -> None:
        self.member_count = 0
        self._feed = feed
        self._stream_format = stream_format
        self._listener = listener
        self._reads_in_progress: dict[C, asyncio.Task[EncodedPage[C]]] = {}
        self._cached_pages: OrderedDict[C, tuple[int, EncodedPage[C]]] = OrderedDict()

    def reader_from(self, start: C) -> PageReader[C]:
        """A reader for one client. Its first page is never from the cache: it may have been cached
        before the game was over."""

        def read(cursor: C, _: PendingUpdates) -> asyncio.Future[EncodedPage[C]]:
            cached = self._cached_pages.get(cursor) if cursor != start else None
            return (
                self._join_read(cursor)
                if cached is None
                else _completed_future(self._flag_if_outdated(*cached))
            )

        return read

    def _join_read(self, cursor: C) -> asyncio.Future[EncodedPage[C]]:
        """Join a read in progress or start one. One cursor never has two reads at once, which would
        slow a slow database further."""
        task = self._reads_in_progress.get(cursor)
        if task is None:
            task = self._reads_in_progress[cursor] = asyncio.create_task(self._read_page(cursor))
            task.add_done_callback(_retrieve_exception)
        return task

    async def _read_page(self, cursor: C) -> EncodedPage[C]:
        wake_count = self._listener.wake_count
        try:
            page = await run_in_thread(
                lambda: encode_page(self._feed.read_page(cursor, NO_UPDATES), self._stream_format)
            )
        finally:
            del self._reads_in_progress[cursor]
        self._cache_page(cursor, wake_count, page)
        return self._flag_if_outdated(wake_count, page)

    def _flag_if_outdated(self, wake_count: int, page: EncodedPage[C]) -> EncodedPage[C]:
        """A page whose read began at this wake count. If the game has grown since, there may be
        more than the page has."""
        return (
            page
            if page.is_last or wake_count == self._listener.wake_count
            else page._replace(has_more=True)
        )

    def _cache_page(self, cursor: C, wake_count: int, page: EncodedPage[C]) -> None:
        if page.is_last:
            self._cached_pages.clear()
        elif (
            self._feed.is_public
            and self.member_count > 1
            and 0 < len(page.text) <= MAX_CACHED_BYTES
        ):
            self._cached_pages[cursor] = wake_count, page
            while (
                sum(len(cached.text) for _, cached in self._cached_pages.values())
                > MAX_CACHED_BYTES
            ):
                self._cached_pages.popitem(last=False)


def _completed_future(page: EncodedPage[C]) -> asyncio.Future[EncodedPage[C]]:
    future: asyncio.Future[EncodedPage[C]] = asyncio.get_running_loop().create_future()
    future.set_result(page)
    return future


def _retrieve_exception(task: asyncio.Task[EncodedPage[C]]) -> None:
    if not task.cancelled():
        task.exception()  # a client that still waits gets the exception


_open_readers: dict[tuple[Hashable, type[NdjsonFormat]], tuple[SharedReader[Any], ExitStack]] = {}


@contextmanager
def _enter_shared_reader(
    feed: Feed[C], stream_format: type[NdjsonFormat]
) -> Iterator[SharedReader[C]]:
    reader_key = (feed.sharing_key, stream_format)
    if reader_key not in _open_readers:
        stack = ExitStack()
        listener = stack.enter_context(hub.listen(feed.topic))
        _open_readers[reader_key] = (SharedReader(feed, stream_format, listener), stack)
    reader, stack = _open_readers[reader_key]
    reader.member_count += 1
    try:
        yield reader
    finally:
        reader.member_count -= 1
        if not reader.member_count:
            del _open_readers[reader_key]
            stack.close()
