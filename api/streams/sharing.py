"""One reads for all: a page that many clients are told in the same form is read and written
once, and each of them is sent the same bytes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from api.streams.feeds import NOTHING, Feed, Heard, Page
from api.streams.formats import Lines
from api.streams.reading import in_a_thread
from api.streams.watching import Listener, watch

KEPT: Final = 32 * 1024  # bytes of pages that are kept for those who are a little behind

C = TypeVar("C")


class Told(NamedTuple, Generic[C]):
    """A page as it goes out."""

    text: bytes
    cursor: C
    has_more: bool = False
    is_last: bool = False


Read: TypeAlias = Callable[[C, Heard], asyncio.Future[Told[C]]]


def written(page: Page[C], form: type[Lines]) -> Told[C]:
    """The page in that form."""
    text = b"".join(map(form.written, page.items))
    return Told(text, page.cursor, page.has_more, page.is_last)


@contextmanager
def reading(feed: Feed[C], form: type[Lines]) -> Iterator[Read[C]]:
    """How one is told of this feed, alone or together with others."""
    if feed.shared_by is None:
        yield _alone(feed, form)
    else:
        with _entered(feed, form) as room:
            yield room.read_from(feed.start)


def _alone(feed: Feed[C], form: type[Lines]) -> Read[C]:
    async def page(cursor: C, heard: Heard) -> Told[C]:
        def told() -> Told[C]:
            return written(feed.page(cursor, heard), form)

        return await in_a_thread(told) if feed.is_read(cursor) else told()

    async def page_after(before: asyncio.Task[Told[C]], cursor: C, heard: Heard) -> Told[C]:
        await asyncio.wait([before])  # one at a time: what is late is not made later still
        return await page(cursor, heard)

    asked: asyncio.Task[Told[C]] | None = None
    known: tuple[C, Heard] | None = None

    def read(cursor: C, heard: Heard) -> asyncio.Future[Told[C]]:
        nonlocal asked, known
        if asked is None or asked.done():
            asked = asyncio.create_task(page(cursor, heard))
        elif known == (cursor, heard):
            return asked
        else:  # it took too long, and does not know what was heard since
            asked = asyncio.create_task(page_after(asked, cursor, heard))
        known = cursor, heard
        asked.add_done_callback(_seen)
        return asked

    return read


class Room(Generic[C]):
    """Those who are told the same."""

    def __init__(self, feed: Feed[C], form: type[Lines], ear: Listener) -> None:
        self.members = 0
        self._feed = feed
        self._form = form
        self._ear = ear
        self._being_read: dict[C, asyncio.Task[Told[C]]] = {}
        self._kept: OrderedDict[C, tuple[int, Told[C]]] = OrderedDict()

    def read_from(self, start: C) -> Read[C]:
        """How one of them is told. The first page is read anew: what was kept for the others may
        have been read before the game was over."""

        def read(cursor: C, _: Heard) -> asyncio.Future[Told[C]]:
            kept = self._kept.get(cursor) if cursor != start else None
            return self._read_together(cursor) if kept is None else _here(self._of_now(*kept))

        return read

    def _read_together(self, cursor: C) -> asyncio.Future[Told[C]]:
        """What is being read for another already. There is never a second read of one cursor: where
        the database is slow, that would make it slower still."""
        reading = self._being_read.get(cursor)
        if reading is None:
            reading = self._being_read[cursor] = asyncio.create_task(self._read(cursor))
            reading.add_done_callback(_seen)
        return reading

    async def _read(self, cursor: C) -> Told[C]:
        wakes = self._ear.wakes
        try:
            told = await in_a_thread(lambda: written(self._feed.page(cursor, NOTHING), self._form))
        finally:
            del self._being_read[cursor]
        self._keep(cursor, wakes, told)
        return self._of_now(wakes, told)

    def _of_now(self, wakes: int, told: Told[C]) -> Told[C]:
        """A page that was begun after so many wakes. If the game has grown since, there may be more
        than it tells."""
        return told if told.is_last or wakes == self._ear.wakes else told._replace(has_more=True)

    def _keep(self, cursor: C, wakes: int, told: Told[C]) -> None:
        if told.is_last:
            self._kept.clear()
        elif self._feed.is_public and self.members > 1 and 0 < len(told.text) <= KEPT:
            self._kept[cursor] = wakes, told
            while sum(len(kept.text) for _, kept in self._kept.values()) > KEPT:
                self._kept.popitem(last=False)


def _here(told: Told[C]) -> asyncio.Future[Told[C]]:
    future: asyncio.Future[Told[C]] = asyncio.get_running_loop().create_future()
    future.set_result(told)
    return future


def _seen(reading: asyncio.Task[Told[C]]) -> None:
    if not reading.cancelled():
        reading.exception()  # whoever still waits is told


_rooms: dict[tuple[Hashable, type[Lines]], tuple[Room[Any], ExitStack]] = {}


@contextmanager
def _entered(feed: Feed[C], form: type[Lines]) -> Iterator[Room[C]]:
    name = (feed.shared_by, form)
    if name not in _rooms:
        stack = ExitStack()
        ear = stack.enter_context(watch.listening(feed.topic))
        _rooms[name] = (Room(feed, form, ear), stack)
    room, stack = _rooms[name]
    room.members += 1
    try:
        yield room
    finally:
        room.members -= 1
        if not room.members:
            del _rooms[name]
            stack.close()
