"""How does a stream flow? As fast as its client reads, and asleep while nothing happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.streams.feeds import NOTHING, Feed, Heard
from api.streams.formats import Lines
from api.streams.lasting import Lasting, Message, Receive, Send, can_last, gone, last, with_headers
from api.streams.reading import AWAY
from api.streams.revoking import revocations
from api.streams.sending import Outgoing, transport_of
from api.streams.sharing import Read, Told, reading, written
from api.streams.watching import Listener, watch
from games.repeated import OncePerSecond

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecond())

PAUSE: Final = 1.0  # seconds until a database that is away is asked again

C = TypeVar("C")


class Stream(Lasting, Generic[C]):
    """A feed in a form, until it ends, its client has gone, or its key opens no more."""

    def __init__(self, request: Request, feed: Feed[C], form: type[Lines]) -> None:
        super().__init__(request)
        self._feed = feed
        self._form = form

    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Send what there is, then what comes."""
        out = Outgoing(send, transport_of(receive))
        leaving = asyncio.create_task(gone(receive))
        try:
            with (
                watch.listening(self._feed.topic) as listener,
                revocations.ending(self.key, listener.end),
                reading(self._feed, self._form) as read,
            ):
                leaving.add_done_callback(lambda _: listener.end())
                await out.send(with_headers(held[0], {b"content-length": None}))
                async with aclosing(self._texts(listener, read)) as texts:
                    async for text in texts:
                        await out.send(_part(text))
            await out.send({"type": "http.response.body", "body": b""})
            await out.finish()
        finally:
            leaving.cancel()

    async def _texts(self, listener: Listener, read: Read[C]) -> AsyncGenerator[bytes]:
        """What is sent. What was heard is forgotten, and the cursor moves on, only when a page is
        there: one that could not be read is asked for again with all that led to it."""
        clock = asyncio.get_running_loop().time
        end = clock() + settings.STREAM_LIFE
        told, heard = Told(self._form.first, self._feed.start, has_more=True), NOTHING
        yield told.text
        while not (told.is_last or listener.ended.done() or clock() > end):
            if not (told.has_more or await listener.wait(settings.STREAM_HEARTBEAT)):
                yield self._form.beat
                continue
            heard = heard.and_then(Heard(listener.take(), watch.told_until))
            try:
                page = await _page(read(told.cursor, heard), listener)
            except AWAY as problem:
                logger.warning("A stream cannot read: %s", problem)
                await asyncio.wait([listener.ended], timeout=PAUSE)
                told = told._replace(text=self._form.beat, has_more=True)
            except Exception as problem:  # noqa: BLE001  # its client comes again, and is told why
                logger.warning("A stream ends: %r", problem)
                return
            else:
                told, heard = page or told._replace(text=b""), NOTHING
            if told.text:
                yield told.text


async def _page(page: asyncio.Future[Told[C]], listener: Listener) -> Told[C] | None:
    """What is being read, if it is there before the next sign of life is due; None if it has ended
    meanwhile."""
    if not page.done():
        ends: list[asyncio.Future[Any]] = [page, listener.ended]
        patience = settings.STREAM_HEARTBEAT
        await asyncio.wait(ends, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
    if page.done():
        return page.result()
    if listener.ended.done():
        return None
    raise TimeoutError("The database does not answer.")


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def streamed(request: Request, feed: Feed[Any], form: type[Lines], kind: str) -> HttpResponseBase:
    """The answer that begins a stream. Where there is no event loop it tells what there is, and
    ends: its client comes again."""
    response: HttpResponseBase
    if request.method == "HEAD":
        response = StreamingHttpResponse(content_type=kind)  # its length is not known
    elif can_last(request):
        last(request, Stream(request, feed, form))
        response = HttpResponse(content_type=kind)
    else:
        response = StreamingHttpResponse(_told_now(feed, form), content_type=kind)
    response["X-Accel-Buffering"] = "no"  # proxies pass each part on at once
    return response


def _told_now(feed: Feed[C], form: type[Lines]) -> Iterator[bytes]:
    told = Told(form.first, feed.start, has_more=True)
    yield told.text
    while told.has_more and not told.is_last:
        told = written(feed.page(told.cursor, NOTHING), form)
        yield told.text
