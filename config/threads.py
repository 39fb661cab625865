"""How does an event loop get answers from synchronous views? Each request goes over to a thread
once, and its answer comes back once; only what is long goes over in pieces."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BufferedReader, BytesIO, RawIOBase
from typing import IO, Any, Final

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.http.response import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from api.streams.lasting import Message, Receive, Scope, Send

START: Final = "http.response.start"
BODY: Final = "http.response.body"
GONE: Final = "http.disconnect"


class InThreads(BaseHandler):
    """Django, on a fixed pool of threads that keep their database connections."""

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.load_middleware()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Whoever sends slowly, or has hung up, takes no thread."""
        loop = asyncio.get_running_loop()
        begun = await _begun(receive)
        if begun is not None:
            content, is_whole = begun
            body: IO[bytes] = BytesIO(content)
            if not is_whole:
                body = BufferedReader(Coming(content, receive, loop))
            passage = Passage(send, loop)
            context = copy_context()  # the thread's own knows nothing of this request
            for message in await loop.run_in_executor(
                self._pool, context.run, self._answered, scope, body, passage
            ):
                await send(message)

    def _answered(self, scope: Scope, body: IO[bytes], passage: Passage) -> list[Message]:
        """In a thread: the answer, if it is not long."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        response: Any = self.get_response(ASGIRequest(scope, body))
        try:
            start = {"type": START, "status": response.status_code, "headers": _headers(response)}
            if isinstance(response, HttpResponse):
                return [start, {"type": BODY, "body": response.content}]
            passage.hand_over(start)
            for piece in response:
                passage.hand_over({"type": BODY, "body": piece, "more_body": True})
            return [{"type": BODY, "body": b""}]
        finally:
            response.close()


async def _begun(receive: Receive) -> tuple[bytes, bool] | None:
    """As much of the body as is kept in memory, and whether that is all; None if nobody waits."""
    content, is_whole = b"", False
    while not is_whole and len(content) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        message = await receive()
        if message["type"] == GONE:
            return None
        content += message.get("body", b"")
        is_whole = not message.get("more_body", False)
    return content, is_whole


def _headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    cookies = (("set-cookie", cookie.OutputString()) for cookie in response.cookies.values())
    pairs = [*response.items(), *cookies]
    return [(name.lower().encode("ascii"), value.encode("latin1")) for name, value in pairs]


class Passage:
    """From a thread to the client, no faster than the client takes it."""

    def __init__(self, send: Send, loop: asyncio.AbstractEventLoop) -> None:
        self._send = send
        self._loop = loop

    def hand_over(self, message: Message) -> None:
        """Send a message, and wait until it is sent."""

        async def send() -> None:
            await self._send(message)

        asyncio.run_coroutine_threadsafe(send(), self._loop).result()


class Coming(RawIOBase):
    """A body of which only the beginning is here yet."""

    def __init__(self, here: bytes, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self._here = here
        self._receive = receive
        self._loop = loop
        self._is_whole = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As much of it as has come and there is room for; wait if there is nothing."""
        while not self._here and not self._is_whole:
            message = asyncio.run_coroutine_threadsafe(self._next(), self._loop).result()
            self._here = message.get("body", b"")
            self._is_whole = not message.get("more_body", False)
        piece, self._here = self._here[: len(buffer)], self._here[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)

    async def _next(self) -> Message:
        return await self._receive()
