"""How does a stream flow? As fast as its client reads, and asleep while nothing happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Final

from django.conf import settings
from django.db import Error
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.streams.feeds import Feed, Page
from api.streams.formats import Lines
from api.streams.lasting import (
    Lasting,
    Message,
    Receive,
    Send,
    can_last,
    gone,
    last,
    place_of,
    with_headers,
)
from api.streams.reading import in_a_thread
from api.streams.watching import Listener, watch

logger = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds until a database that is away is asked again


class Stream(Lasting):
    """A feed in a form, until it ends or its client has gone."""

    def __init__(self, caller: str, feed: Feed, form: type[Lines]) -> None:
        super().__init__(caller)
        self._feed = feed
        self._form = form

    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Send what there is, then what comes."""
        leaving = asyncio.create_task(gone(receive))
        try:
            with watch.listening(self._feed.topic) as listener:
                leaving.add_done_callback(lambda _: listener.wake())
                await send(with_headers(held[0], {b"content-length": None}))
                await send(_part(self._form.first))
                async for text in self._texts(listener, leaving):
                    await send(_part(text))
                await send({"type": "http.response.body", "body": b""})
        finally:
            leaving.cancel()

    async def _texts(self, listener: Listener, leaving: asyncio.Task[None]) -> AsyncIterator[bytes]:
        clock = asyncio.get_running_loop().time
        end = clock() + settings.STREAM_LIFE
        page = Page([], has_more=True)
        while not (page.is_last or leaving.done() or watch.is_closed or clock() > end):
            if not (page.has_more or await listener.wait(settings.STREAM_HEARTBEAT)):
                yield self._form.beat
                continue
            page = await self._page(listener.take())
            if page.items:
                yield b"".join(map(self._form.written, page.items))

    async def _page(self, grown: set[str]) -> Page:
        while True:
            try:
                return await in_a_thread(self._feed.page, grown)
            except Error as problem:
                logger.warning("A stream cannot read: %s", problem)
                await asyncio.sleep(PAUSE)


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def streamed(request: Request, feed: Feed, form: type[Lines], kind: str) -> HttpResponseBase:
    """The answer that begins a stream. Where there is no event loop it tells what there is, and
    ends: its client comes again."""
    response: HttpResponseBase
    if request.method == "HEAD":
        response = StreamingHttpResponse(content_type=kind)  # its length is not known
    elif can_last(request):
        last(request, Stream(place_of(request), feed, form))
        response = HttpResponse(content_type=kind)
    else:
        response = StreamingHttpResponse(_told_now(feed, form), content_type=kind)
    response["X-Accel-Buffering"] = "no"  # proxies pass each part on at once
    return response


def _told_now(feed: Feed, form: type[Lines]) -> Iterator[bytes]:
    yield form.first
    page = Page([], has_more=True)
    while page.has_more and not page.is_last:
        page = feed.page(set())
        yield b"".join(map(form.written, page.items))
