"""A web server that drains leaves new connections to its successor, and answers all others."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from api import metric_rows
from api.streams.hub import Hub
from config.http_server import server as server_module
from config.http_server.limit_settings import ConnectionLimits
from config.http_server.server import Server
from tests.config.http_server.connecting import RecordingApplication
from tests.config.processes import PATIENCE

Scenario = Callable[["Draining"], Awaitable[None]]
Play = Callable[[Scenario], None]
GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Draining:
    """A server in this process, and its clients."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.writers: list[asyncio.StreamWriter] = []
        self.server = Server(RecordingApplication(), ConnectionLimits())
        self.end = asyncio.create_task(self.server.serve([self.listener.dup()]))

    async def started(self) -> None:
        """Wait until it accepts connections."""
        await until(lambda: self.server.started)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the process that listens now."""
        pair = await asyncio.open_connection(*self.listener.getsockname())
        self.writers.append(pair[1])
        return pair

    async def close(self) -> None:
        """Close all."""
        self.server.should_exit = True
        self.listener.close()
        for writer in self.writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition on the server holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  # the server signals no event
            await asyncio.sleep(0.001)


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The head of the reply to a request."""
    writer.write(GET)
    async with asyncio.timeout(PATIENCE):
        head = await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(2) == b"ok"
    return head.lower()


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a scenario with a server, which drains at its end and must then end by itself."""
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(metric_rows, "start_flush_thread", lambda: None)
    monkeypatch.setattr(server_module, "hub", Hub())

    async def run(scenario: Scenario) -> None:
        draining = Draining()
        try:
            await draining.started()
            await scenario(draining)
            async with asyncio.timeout(PATIENCE):
                await draining.end
        finally:
            await draining.close()

    return lambda scenario: asyncio.run(run(scenario))


def test_a_kept_connection_gets_one_more_reply_which_says_so(
    play: Play,
) -> None:
    async def scenario(draining: Draining) -> None:
        kept = await draining.connect()
        assert b"connection: close" not in await ask(*kept)
        draining.server.drain()
        assert not draining.server.is_drained()
        assert b"connection: close" in await ask(*kept)
        assert await kept[0].read() == b""

    play(scenario)


def test_a_connection_that_was_just_accepted_is_answered(
    play: Play,
) -> None:
    async def scenario(draining: Draining) -> None:
        reader, writer = await draining.connect()
        writer.write(GET)
        (acceptor,) = draining.server.servers
        acceptor.accept()
        assert acceptor.is_opening
        draining.server.drain()
        assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        assert (await reader.read()).endswith(b"ok")

    play(scenario)


def test_a_new_connection_is_left_to_the_successor(
    play: Play,
) -> None:
    async def scenario(draining: Draining) -> None:
        draining.server.drain()
        reader, writer = await draining.connect()
        successor = Server(RecordingApplication(), ConnectionLimits())
        task = asyncio.create_task(successor.serve([draining.listener.dup()]))
        assert b"200 ok" in await ask(reader, writer)
        successor.drain()
        assert b"connection: close" in await ask(reader, writer)
        await task

    play(scenario)
