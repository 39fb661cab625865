"""Streams in this process: a client without a network, and queries that fail on request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Barrier, local
from types import SimpleNamespace
from typing import Any, Final

import orjson
import pytest
from django.db import connection

from api.keys import Caller
from api.streams import (
    database_threads,
    hub,
    key_revocation,
    long_poll,
    shared_page_cache,
    stream_response,
)
from api.streams.feeds import Feed
from api.streams.formats import NdjsonFormat
from api.streams.hub import Hub
from api.streams.stream_response import StreamContinuation
from games import log_store
from tests.config.processes import PATIENCE

THREADS: Final = 4  # that read for streams
RESPONSE_START: Final = [{"type": "http.response.start", "status": 200, "headers": []}]
Query = Callable[[], None]  # called before a query


class StreamClient:
    """A client that reads everything at once, and disconnects when it has enough."""

    def __init__(self, is_enough: Callable[[StreamClient], bool] = lambda _: False) -> None:
        self.parts: list[bytes] = []
        self.is_over = False
        self._is_enough = is_enough
        self._disconnected = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        """Wait until the client disconnects."""
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """Keep the body."""
        if message["type"] == "http.response.body":
            self.parts.append(message["body"])
            self.is_over = not message.get("more_body", False)
            if self._is_enough(self):
                self.hang_up()

    def hang_up(self) -> None:
        """Disconnect."""
        self._disconnected.set()

    @property
    def text(self) -> bytes:
        """All content without heartbeats."""
        return b"".join(part for part in self.parts if part not in (b"\n", b": \n\n"))

    def items(self) -> list[Any]:
        """The items received, in either format."""
        lines = self.text.splitlines()
        data_lines = [line.removeprefix(b"data: ") for line in lines]
        return [orjson.loads(line) for line in data_lines if line.startswith(b"{")]


async def read_stream(
    feed: Feed[Any], form: type[NdjsonFormat], client: StreamClient, user: Caller | None = None
) -> StreamClient:
    """Read a stream until it ends, or the client has enough."""
    request: Any = SimpleNamespace(user=user, META={"REMOTE_ADDR": "127.0.0.1"})
    async with asyncio.timeout(PATIENCE):
        await StreamContinuation(request, feed, form).run(
            list(RESPONSE_START), client.receive, client.send
        )
    return client


@contextmanager
def new_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A new hub, which no other event loop has used; the caller closes it."""
    fresh_hub = Hub()
    for module in (hub, stream_response, shared_page_cache, long_poll):
        monkeypatch.setattr(module, "hub", fresh_hub)
    monkeypatch.setattr(hub, "RECONNECT_SECONDS", 0.01)
    for module in (stream_response, long_poll):
        monkeypatch.setattr(module, "DATABASE_RETRY_SECONDS", 0.01)
    yield fresh_hub


def close_thread_connections() -> None:
    """Close the connections of the threads that read for streams: each test has a database."""
    barrier = Barrier(THREADS)

    def hang_up() -> None:
        connection.close()  # of the current thread

    def hang_up_together() -> None:
        barrier.wait(PATIENCE)
        hang_up()

    futures = [database_threads.STREAM_THREAD_POOL.submit(hang_up_together) for _ in range(THREADS)]
    for future in [*futures, key_revocation.KEY_CHECK_THREAD_POOL.submit(hang_up)]:
        future.result(PATIENCE)


@contextmanager
def before_queries(monkeypatch: pytest.MonkeyPatch, query: Query) -> Iterator[None]:
    """Call `query` before every query of the threads that read for streams."""
    call_with_connection, execute_prepared = (
        database_threads._call_with_connection,
        log_store.execute_prepared,
    )
    thread = local()  # other threads may run queries too

    def execute_wrapper(execute: Any, *arguments: Any) -> Any:
        query()
        return execute(*arguments)

    def call_watched(function: Any, *arguments: Any) -> Any:
        thread.is_reading = True
        try:
            with connection.execute_wrapper(execute_wrapper):
                return call_with_connection(function, *arguments)
        finally:
            thread.is_reading = False

    @contextmanager
    def prepared_watched(*arguments: Any) -> Iterator[Any]:
        if connection.vendor == "postgresql" and getattr(thread, "is_reading", False):
            query()  # on PostgreSQL this query bypasses Django's cursors
        with execute_prepared(*arguments) as cursor:
            yield cursor

    with monkeypatch.context() as patch:
        patch.setattr(database_threads, "_call_with_connection", call_watched)
        patch.setattr(log_store, "execute_prepared", prepared_watched)
        yield


class Failing:
    """A hook that makes the query with this number fail; 0: none."""

    def __init__(self, number: int, fail: Callable[[], None]) -> None:
        self.query_count = 0
        self._number = number
        self._fail = fail

    def __call__(self) -> None:
        """Count the query, which is about to be sent."""
        self.query_count += 1
        if self.query_count == self._number:
            self._fail()
