"""Request bodies: read on the event loop, into memory or, if large, into a file.

A request takes a thread only when its body is complete. The connection limits the time for that.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any, Final

from django.conf import settings
from django.db import Error, close_old_connections

from api.errors import Refusal
from api.limits import client_address, upload_limits
from api.parsers import check_content_encoding
from api.streams.request_handoff import Receive, Scope

DISCONNECT_MESSAGE: Final = "http.disconnect"
GATE_THREADS: Final = 2  # threads that check keys before a large body is read
WRITER_THREADS: Final = 2  # threads that write to temporary files
RETRY_ADVICE: Final = "Try again when other uploads have finished."

logger = logging.getLogger(__name__)
UploadGate = Callable[[Scope], None]


class BodyQuota:
    """Limits the bytes of bodies held for unanswered requests."""

    def __init__(self) -> None:
        self.total_bytes = 0
        self.bytes_by_address: Counter[str] = Counter()

    def reserve(self, address: str, size: int) -> None:
        """Reserve bytes; raises Refusal if there are too many."""
        if self.total_bytes + size > settings.BODIES_IN_ALL:
            raise Refusal("overloaded", f"The server is receiving too many uploads. {RETRY_ADVICE}")
        if self.bytes_by_address[address] + size > settings.BODIES_EACH:
            raise Refusal(
                "too-many-uploads", f"Your address is sending too many uploads. {RETRY_ADVICE}"
            )
        self.total_bytes += size
        self.bytes_by_address[address] += size

    def release(self, address: str, size: int) -> None:
        """Release bytes that are no longer held."""
        self.total_bytes -= size
        self.bytes_by_address[address] -= size
        if not self.bytes_by_address[address]:
            del self.bytes_by_address[address]


class Body:
    """The body of one request, as received so far."""

    def __init__(self, quota: BodyQuota, address: str, writer_pool: Executor) -> None:
        self.quota = quota
        self.address = address
        self.writer_pool = writer_pool
        self.size = 0
        self.content: IO[bytes] = BytesIO()
        self.is_on_disk = False

    async def add(self, piece: bytes, is_large: bool) -> None:
        """Add a piece."""
        self.quota.reserve(self.address, len(piece))
        self.size += len(piece)
        if is_large and not self.is_on_disk:
            await self._move_to_disk()
        if self.is_on_disk:
            await self._run_in_writer(self.content.write, piece)
        else:
            self.content.write(piece)

    async def _move_to_disk(self) -> None:
        """Move the body from memory to an unnamed file."""
        memory_content = self.content
        self.content = await self._run_in_writer(TemporaryFile)
        self.is_on_disk = True
        memory_content.seek(0)
        await self._run_in_writer(self.content.write, memory_content.read())

    async def _run_in_writer(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run in a writer thread: a disk may hang, the event loop may not."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.writer_pool, function, *arguments)
        except OSError as problem:
            logger.error("A body could not be written to a temporary file: %s", problem)
            raise Refusal(
                "overloaded", f"There is no space for the body. {RETRY_ADVICE}"
            ) from problem

    def close(self) -> None:
        """Discard the body."""
        self.content.close()
        self.quota.release(self.address, self.size)
        self.size = 0


class BodyReader:
    """Reads the bodies of all requests."""

    def __init__(self, gate: UploadGate = upload_limits.check_large_upload) -> None:
        self.gate = gate
        self.gate_pool = ThreadPoolExecutor(GATE_THREADS, thread_name_prefix="gate")
        self.quota = BodyQuota()
        self.writer_pool = ThreadPoolExecutor(WRITER_THREADS, thread_name_prefix="body")

    async def read_body(self, scope: Scope, receive: Receive) -> Body | None:
        """The whole body; None if its client disconnected. Raises Refusal if it is too large."""
        body = Body(self.quota, client_address.client_address_in(scope), self.writer_pool)
        try:
            is_whole = await self._read_pieces(body, scope, receive)
        except BaseException:
            body.close()
            raise
        if not is_whole:
            body.close()
            return None
        body.content.seek(0)
        return body

    async def _read_pieces(self, body: Body, scope: Scope, receive: Receive) -> bool:
        """Read the whole body; False if its client disconnected."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        expected = declared_length(scope)
        is_allowed, is_more = expected > limit, True
        if is_allowed:
            await self._check_allowed(scope, expected)
        while is_more:
            message = await receive()
            if message["type"] == DISCONNECT_MESSAGE:
                return False
            piece, is_more = message.get("body", b""), message.get("more_body", False)
            size = body.size + len(piece)
            if size > limit and not is_allowed:
                await self._check_allowed(scope, size)
                is_allowed = True
            upload_limits.check_upload_size(size)
            await body.add(piece, size > limit)
        return True

    async def _check_allowed(self, scope: Scope, size: int) -> None:
        """Refuse a body that is too large for the caller and the endpoint. This may query the
        database, in threads of its own, so a flood of uploads delays no other requests."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self.gate_pool, self._pass_gate, scope)
        upload_limits.check_upload_size(size)

    def _pass_gate(self, scope: Scope) -> None:
        close_old_connections()
        try:
            self.gate(scope)
        except Error as problem:
            raise Refusal("not-ready", "The database is unavailable: try again later.") from problem
        finally:
            close_old_connections()


def declared_length(scope: Scope) -> int:
    """The length in the head, 0 if there is none; refused if the body is encoded."""
    headers = request_headers(scope)
    length = int(headers.get("content-length", 0))
    if length or "transfer-encoding" in headers:
        check_content_encoding(headers.get("content-encoding", ""))
    return length


def request_headers(scope: Scope) -> Mapping[str, str]:
    """The headers of a request; of repeated ones, the last."""
    return {name.decode("latin1"): value.decode("latin1") for name, value in scope["headers"]}
