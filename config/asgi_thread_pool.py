"""The ASGI handler that runs Django's synchronous views in a thread pool. Each request goes to a
thread once, with its whole body, and comes back once, with the whole reply: no thread ever waits
for a client."""

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

from api.errors import Refusal
from api.limits import upload_limits
from api.streams.request_handoff import Message, Receive, Scope, Send
from config.http_server import problem_responses
from config.http_server.fair_queue import FairSemaphore
from config.http_server.request_bodies import Body, BodyReader, UploadGate

# bytes of a streamed reply in memory; a larger one goes to a file
MAX_REPLY_BYTES_IN_MEMORY: Final = 256 * 1024
PIECE_BYTES: Final = 64 * 1024  # bytes sent at once


class ThreadPoolHandler(BaseHandler):
    """Django on a fixed pool of threads that keep their database connections."""

    def __init__(self, threads: int, gate: UploadGate = upload_limits.check_large_upload) -> None:
        super().__init__()
        self.load_middleware()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._request_slots = FairSemaphore(threads)
        self._body_reader = BodyReader(gate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            body = await self._body_reader.read_body(scope, receive)
        except Refusal as refusal:
            for message in problem_responses.asgi_messages(
                problem_responses.refusal_response(refusal)
            ):
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
        async with self._request_slots.hold_place(body.address):
            start, content = await loop.run_in_executor(
                self._pool, context.run, self._answer_in_thread, scope, body.content
            )
        with content:
            await send(start)
            for piece, is_last in split_pieces(content):
                await send(
                    {
                        "type": problem_responses.RESPONSE_BODY,
                        "body": piece,
                        "more_body": not is_last,
                    }
                )

    def _answer_in_thread(self, scope: Scope, body: IO[bytes]) -> tuple[Message, IO[bytes]]:
        """The start of the reply and its whole content; runs in a thread of the pool."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request = ASGIRequest(scope, body)
        response: Any = self.get_response(request)
        try:
            content = response_content(response)
        except Exception as problem:  # noqa: BLE001  # as Django does around its views
            return response_parts(
                problem_responses.finish_response(response_for_exception(request, problem))
            )
        finally:
            response.close()
        return response_start(response), content


def response_parts(response: HttpResponse) -> tuple[Message, IO[bytes]]:
    """The start and the content of a reply that is not streamed."""
    return response_start(response), response_content(response)


def response_content(response: Any) -> IO[bytes]:
    """The whole content of a reply. If a streamed one fails, it does so before any of it is
    sent."""
    if isinstance(response, HttpResponse):
        return BytesIO(response.content)
    content: Any = SpooledTemporaryFile(MAX_REPLY_BYTES_IN_MEMORY)  # noqa: SIM115  # closed later
    try:
        for piece in response:
            content.write(piece)
    except BaseException:
        content.close()
        raise
    if content.tell():  # empty for a HEAD request of a stream
        response.setdefault("Content-Length", str(content.tell()))
    content.seek(0)
    return content  # type: ignore[no-any-return]


def response_start(response: HttpResponseBase) -> Message:
    """The start of a reply as an ASGI message."""
    headers = problem_responses.asgi_headers(response)
    return {
        "type": problem_responses.RESPONSE_START,
        "status": response.status_code,
        "headers": headers,
    }


def split_pieces(content: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The content in pieces, and whether each is the last."""
    piece = content.read(PIECE_BYTES)
    while len(piece) == PIECE_BYTES:
        next_piece = content.read(PIECE_BYTES)
        yield piece, not next_piece
        if not next_piece:
            return
        piece = next_piece
    yield piece, True
