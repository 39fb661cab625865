"""How does an event loop get answers from synchronous views? Each request goes over to a thread
once, when its body is whole, and its reply comes back once, when that is whole: no thread ever
waits for a client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import response_for_exception
from django.core.signals import request_started
from django.http.response import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from api import uploads
from api.errors import Refusal
from api.streams.lasting import Message, Receive, Scope, Send
from config.front import refusals
from config.front.bodies import Bodies, Body, Gate
from config.front.turns import Turns

KEPT: Final = 256 * 1024  # bytes of a streamed reply in memory; what is more lies in a file
PIECE: Final = 64 * 1024  # bytes that are sent at once


class InThreads(BaseHandler):
    """Django, on a fixed pool of threads that keep their database connections."""

    def __init__(self, threads: int, gate: Gate = uploads.check) -> None:
        super().__init__()
        self.load_middleware()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._turns = Turns(threads)
        self._bodies = Bodies(gate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            body = await self._bodies.whole(scope, receive)
        except Refusal as refusal:
            for message in refusals.messages(refusals.response_of(refusal)):
                await send(message)
            return
        if body is None:
            return
        try:
            await self._answer(scope, body, send)
        finally:
            body.close()

    async def _answer(self, scope: Scope, body: Body, send: Send) -> None:
        loop = asyncio.get_running_loop()
        context = copy_context()
        async with self._turns.turn(body.address):
            start, content = await loop.run_in_executor(
                self._pool, context.run, self._answered, scope, body.content
            )
        with content:
            await send(start)
            for piece, is_last in pieces(content):
                await send({"type": refusals.BODY, "body": piece, "more_body": not is_last})

    def _answered(self, scope: Scope, body: IO[bytes]) -> tuple[Message, IO[bytes]]:
        """In a thread: the start of the reply, and all of its content."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request = ASGIRequest(scope, body)
        response: Any = self.get_response(request)
        try:
            content = content_of(response)
        except Exception as failed:  # noqa: BLE001  # as Django does around its views
            return whole(refusals.finished(response_for_exception(request, failed)))
        finally:
            response.close()
        return start_of(response), content


def whole(response: HttpResponse) -> tuple[Message, IO[bytes]]:
    """A reply that is not streamed."""
    return start_of(response), content_of(response)


def content_of(response: Any) -> IO[bytes]:
    """All of a reply's content. A streamed one fails here, before anything of it is sent."""
    if isinstance(response, HttpResponse):
        return BytesIO(response.content)
    content: Any = SpooledTemporaryFile(KEPT)  # noqa: SIM115  # closed when it is sent
    try:
        for piece in response:
            content.write(piece)
    except BaseException:
        content.close()
        raise
    if content.tell():  # of a stream only the head may be asked for
        response.setdefault("Content-Length", str(content.tell()))
    content.seek(0)
    return content  # type: ignore[no-any-return]


def start_of(response: HttpResponseBase) -> Message:
    """The start of a reply as ASGI has it."""
    headers = refusals.headers(response)
    return {"type": refusals.START, "status": response.status_code, "headers": headers}


def pieces(content: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The content in pieces, and whether each is the last."""
    piece = content.read(PIECE)
    while len(piece) == PIECE:
        following = content.read(PIECE)
        yield piece, not following
        if not following:
            return
        piece = following
    yield piece, True
