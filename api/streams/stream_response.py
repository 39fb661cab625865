"""Streaming responses, which send as fast as the client reads and sleep while nothing happens."""

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
from api.streams.send_timeout import BoundedSender, transport_of
from api.streams.shared_page_cache import EncodedPage, PageReader, encode_page, page_reader
from games.logging_throttle import OncePerSecondFilter

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())

DATABASE_RETRY_SECONDS: Final = 1.0  # seconds before a database that is away is queried again

C = TypeVar("C")


class StreamContinuation(AsyncContinuation, Generic[C]):
    """A feed in a format, until it ends, its client disconnects, or its key becomes invalid."""

    def __init__(self, request: Request, feed: Feed[C], stream_format: type[NdjsonFormat]) -> None:
        super().__init__(request)
        self._feed = feed
        self._stream_format = stream_format

    async def run(self, held_messages: list[Message], receive: Receive, send: Send) -> None:
        """Send the items there are, then new ones as they come."""
        sender = BoundedSender(send, transport_of(receive))
        disconnect_task = asyncio.create_task(wait_for_disconnect(receive))
        try:
            with (
                hub.listen(self._feed.topic) as listener,
                revocation_watcher.end_when_revoked(self.key, listener.end),
                page_reader(self._feed, self._stream_format) as read,
            ):
                disconnect_task.add_done_callback(lambda _: listener.end())
                await sender.send(with_headers(held_messages[0], {b"content-length": None}))
                async with aclosing(self._chunks(listener, read)) as chunks:
                    async for chunk in chunks:
                        await sender.send(_body_message(chunk))
            await sender.send({"type": "http.response.body", "body": b""})
            await sender.drain()
        finally:
            disconnect_task.cancel()

    async def _chunks(self, listener: Listener, read: PageReader[C]) -> AsyncGenerator[bytes]:
        """The bytes to send. Pending updates are dropped, and the cursor advances, only once a page
        has been read: a failed read is repeated with the same cursor and updates."""
        clock = asyncio.get_running_loop().time
        end = clock() + settings.STREAM_LIFE
        page, pending_updates = (
            EncodedPage(self._stream_format.preamble, self._feed.start_cursor, has_more=True),
            NO_UPDATES,
        )
        yield page.text
        while not (page.is_last or listener.end_future.done() or clock() > end):
            if not (page.has_more or await listener.wait(settings.STREAM_HEARTBEAT)):
                yield self._stream_format.heartbeat
                continue
            pending_updates = pending_updates.merge(
                PendingUpdates(listener.take_updates(), hub.updates_complete_until)
            )
            try:
                next_page = await _await_page(read(page.cursor, pending_updates), listener)
            except OUTAGE_EXCEPTIONS as problem:
                logger.warning("A stream cannot read: %s", problem)
                await asyncio.wait([listener.end_future], timeout=DATABASE_RETRY_SECONDS)
                page = page._replace(text=self._stream_format.heartbeat, has_more=True)
            except Exception as problem:  # noqa: BLE001  # the client learns why on reconnecting
                logger.warning("A stream was closed after an error: %r", problem)
                return
            else:
                page, pending_updates = next_page or page._replace(text=b""), NO_UPDATES
            if page.text:
                yield page.text


async def _await_page(
    page: asyncio.Future[EncodedPage[C]], listener: Listener
) -> EncodedPage[C] | None:
    """The page, if it is read before the next heartbeat is due; None if the stream has ended."""
    if not page.done():
        futures: list[asyncio.Future[Any]] = [page, listener.end_future]
        timeout = settings.STREAM_HEARTBEAT
        await asyncio.wait(futures, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    if page.done():
        return page.result()
    if listener.end_future.done():
        return None
    raise TimeoutError("The database does not answer.")


def _body_message(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def streaming_response(
    request: Request, feed: Feed[Any], stream_format: type[NdjsonFormat], kind: str
) -> HttpResponseBase:
    """The response that starts a stream. Without an event loop it sends the items there are and
    ends; the client reconnects."""
    response: HttpResponseBase
    if request.method == "HEAD":
        response = StreamingHttpResponse(content_type=kind)  # its length is not known
    elif can_hand_over(request):
        hand_over(request, StreamContinuation(request, feed, stream_format))
        response = HttpResponse(content_type=kind)
    else:
        response = StreamingHttpResponse(_current_chunks(feed, stream_format), content_type=kind)
    response["X-Accel-Buffering"] = "no"  # proxies pass each part on at once
    return response


def _current_chunks(feed: Feed[C], stream_format: type[NdjsonFormat]) -> Iterator[bytes]:
    page = EncodedPage(stream_format.preamble, feed.start_cursor, has_more=True)
    yield page.text
    while page.has_more and not page.is_last:
        page = encode_page(feed.read_page(page.cursor, NO_UPDATES), stream_format)
        yield page.text
