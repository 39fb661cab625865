"""Stream responses, which send as fast as the client reads and sleep while nothing happens."""

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

from api.streams.bounded_sender import BoundedSender, transport_of
from api.streams.database_threads import OUTAGE_EXCEPTIONS
from api.streams.feeds import NO_UPDATES, Feed, PendingUpdates
from api.streams.formats import NdjsonFormat
from api.streams.hub import Listener, hub
from api.streams.key_revocation import revocation_watcher
from api.streams.request_handoff import (
    AsyncContinuation,
    Message,
    Receive,
    Send,
    can_hand_over,
    hand_over,
    wait_for_disconnect,
    with_headers,
)
from api.streams.shared_reader import EncodedPage, PageReader, encode_page, page_reader
from games.log_throttle import OncePerSecondFilter

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())

DATABASE_RETRY_SECONDS: Final = 1.0  # seconds before a database that is away is queried again

C = TypeVar("C")


class StreamContinuation(AsyncContinuation, Generic[C]):
    """A feed in a format, until it ends, its client disconnects, or its key becomes invalid."""

    def __init__(self, request: Request, feed: Feed[C], form: type[NdjsonFormat]) -> None:
        super().__init__(request)
        self._feed = feed
        self._form = form

    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Send the items there are, then new ones as they come."""
        out = BoundedSender(send, transport_of(receive))
        leaving = asyncio.create_task(wait_for_disconnect(receive))
        try:
            with (
                hub.listen(self._feed.topic) as listener,
                revocation_watcher.end_when_revoked(self.key, listener.end),
                page_reader(self._feed, self._form) as read,
            ):
                leaving.add_done_callback(lambda _: listener.end())
                await out.send(with_headers(held[0], {b"content-length": None}))
                async with aclosing(self._chunks(listener, read)) as texts:
                    async for text in texts:
                        await out.send(_body_message(text))
            await out.send({"type": "http.response.body", "body": b""})
            await out.drain()
        finally:
            leaving.cancel()

    async def _chunks(self, listener: Listener, read: PageReader[C]) -> AsyncGenerator[bytes]:
        """The bytes to send. Pending updates are dropped, and the cursor advances, only once a page
        has been read: a failed read is repeated with the same cursor and updates."""
        clock = asyncio.get_running_loop().time
        end = clock() + settings.STREAM_LIFE
        told, heard = (
            EncodedPage(self._form.preamble, self._feed.start_cursor, has_more=True),
            NO_UPDATES,
        )
        yield told.text
        while not (told.is_last or listener.when_ended.done() or clock() > end):
            if not (told.has_more or await listener.wait(settings.STREAM_HEARTBEAT)):
                yield self._form.heartbeat
                continue
            heard = heard.merge(PendingUpdates(listener.take_updates(), hub.updates_complete_until))
            try:
                page = await _await_page(read(told.cursor, heard), listener)
            except OUTAGE_EXCEPTIONS as problem:
                logger.warning("A stream cannot read: %s", problem)
                await asyncio.wait([listener.when_ended], timeout=DATABASE_RETRY_SECONDS)
                told = told._replace(text=self._form.heartbeat, has_more=True)
            except Exception as problem:  # noqa: BLE001  # the client learns why on reconnecting
                logger.warning("A stream was closed after an error: %r", problem)
                return
            else:
                told, heard = page or told._replace(text=b""), NO_UPDATES
            if told.text:
                yield told.text


async def _await_page(
    page: asyncio.Future[EncodedPage[C]], listener: Listener
) -> EncodedPage[C] | None:
    """The page, if it is read before the next heartbeat is due; None if the stream has ended."""
    if not page.done():
        ends: list[asyncio.Future[Any]] = [page, listener.when_ended]
        patience = settings.STREAM_HEARTBEAT
        await asyncio.wait(ends, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
    if page.done():
        return page.result()
    if listener.when_ended.done():
        return None
    raise TimeoutError("The database does not answer.")


def _body_message(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def streaming_response(
    request: Request, feed: Feed[Any], form: type[NdjsonFormat], kind: str
) -> HttpResponseBase:
    """The response that starts a stream. Without an event loop it sends the items there are and
    ends; the client reconnects."""
    response: HttpResponseBase
    if request.method == "HEAD":
        response = StreamingHttpResponse(content_type=kind)  # its length is not known
    elif can_hand_over(request):
        hand_over(request, StreamContinuation(request, feed, form))
        response = HttpResponse(content_type=kind)
    else:
        response = StreamingHttpResponse(_current_chunks(feed, form), content_type=kind)
    response["X-Accel-Buffering"] = "no"  # proxies pass each part on at once
    return response


def _current_chunks(feed: Feed[C], form: type[NdjsonFormat]) -> Iterator[bytes]:
    told = EncodedPage(form.preamble, feed.start_cursor, has_more=True)
    yield told.text
    while told.has_more and not told.is_last:
        told = encode_page(feed.read_page(told.cursor, NO_UPDATES), form)
        yield told.text
