"""The acceptor: which connections it accepts, and its behavior when descriptors run out."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_network
from typing import Any

import pytest
from pytest_django import Settings

from config.http_server import acceptor
from config.http_server.acceptor import Acceptor
from config.http_server.connection import Connection, ServerConnections
from config.http_server.limit_settings import (
    RESERVED_DESCRIPTORS,
    ConnectionLimits,
    max_connections_for,
)
from config.http_server.server import uvicorn_config
from games.log_throttle import OncePerSecondFilter
from tests.config.http_server.connecting import Asked

GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Door:
    """An acceptor on its own socket."""

    def __init__(self, bounds: ConnectionLimits) -> None:
        config = uvicorn_config(Asked())
        config.load()
        self.clients: list[Client] = []
        self.state = ServerConnections(bounds)
        self.listening = socket.create_server(("127.0.0.1", 0))
        opened = partial(Connection, config, self.state)
        self.acceptor = Acceptor(self.listening, self.state, opened)
        self.acceptor.resume()

    async def client(self, source: str = "127.0.0.1") -> Client:
        """Connect a client."""
        address = self.listening.getsockname()
        pair = await asyncio.open_connection(*address, local_addr=(source, 0))
        self.clients.append(Client(*pair))
        return self.clients[-1]

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until a condition on the server holds."""
        async with asyncio.timeout(30):
            while not is_so():  # noqa: ASYNC110  # the server signals no event
                await asyncio.sleep(0.001)

    async def close(self) -> None:
        """Close all connections."""
        self.acceptor.close()
        self.listening.close()
        for connection in list(self.state.connections):
            connection.transport.abort()
        for client in self.clients:
            client.writer.close()
            with suppress(OSError):
                await client.writer.wait_closed()


class Client:
    """A connection, seen from its client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def status(self, sent: bytes = GET) -> int:
        """The status of the reply to a request."""
        self.writer.write(sent)
        async with asyncio.timeout(30):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: ([0-9]+)", head.lower())
            await self.reader.readexactly(int(length[1]) if length else 0)
        return int(head.split()[1])


def at_a_door(bounds: ConnectionLimits, scenario: Callable[[Door], Awaitable[None]]) -> None:
    """Run a scenario with an acceptor."""

    async def play() -> None:
        door = Door(bounds)
        try:
            await scenario(door)
        finally:
            await door.close()

    asyncio.run(play())


def test_an_address_has_so_many_connections() -> None:
    async def scenario(door: Door) -> None:
        first, second = await door.client(), await door.client()
        assert [await first.status(), await second.status()] == [200, 200]
        assert await (await door.client()).status(b"") == 429
        assert await (await door.client("127.0.0.2")).status() == 200
        first.writer.close()
        await door.until(lambda: door.acceptor.connections_by_address["127.0.0.1"] == 1)
        assert await (await door.client()).status() == 200

    at_a_door(ConnectionLimits(max_connections_per_address=2), scenario)


def test_a_proxy_has_as_many_as_there_are(settings: Settings) -> None:
    settings.PROXIES = [ip_network("127.0.0.0/31")]
    acceptor.is_proxy.cache_clear()

    async def scenario(door: Door) -> None:
        clients = [await door.client() for _ in range(5)]
        assert [await client.status() for client in clients] == [200] * 5

    try:
        at_a_door(ConnectionLimits(max_connections_per_address=2), scenario)
    finally:
        acceptor.is_proxy.cache_clear()


def test_whoever_has_waited_longest_makes_room() -> None:
    async def scenario(door: Door) -> None:
        oldest, second = await door.client(), await door.client()
        assert await oldest.status() == 200
        assert await second.status() == 200
        assert await (await door.client()).status() == 200
        assert await second.status() == 200
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await oldest.status()

    at_a_door(ConnectionLimits(max_connections=2), scenario)


def test_who_opens_hundreds_at_once_keeps_another_waiting_for_few() -> None:
    async def scenario(door: Door) -> None:
        opened: list[str] = []
        connection = door.acceptor.connection_factory

        def noted(closed: Any) -> Connection:
            opened.extend(closed.args)
            return connection(closed)

        door.acceptor.connection_factory = noted
        ours, theirs = zip(*(socket.socketpair() for _ in range(300)), strict=True)
        addresses = ["10.0.0.1"] * 299 + ["10.0.0.2"]
        for server_side, address in zip(ours, addresses, strict=True):
            server_side.setblocking(False)
            door.acceptor.admit(server_side, address, address)
        assert opened == []
        await asyncio.sleep(0)
        assert opened == ["10.0.0.1", "10.0.0.2", *["10.0.0.1"] * (acceptor.OPENINGS_PER_TURN - 2)]
        await door.until(lambda: len(door.state.connections) == 300)
        for client in theirs:
            client.close()

    at_a_door(ConnectionLimits(), scenario)


def test_nobody_makes_room_amid_a_request() -> None:
    async def scenario(door: Door) -> None:
        begun = b"POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"
        busy = await door.client()
        busy.writer.write(begun)
        await door.until(lambda: bool(door.state.connections) and not door.state.idle_connections)
        assert await (await door.client()).status(b"") == 503
        assert await busy.status(b"x") == 200

    at_a_door(ConnectionLimits(max_connections=1), scenario)


def test_descriptors_that_run_out_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    listening = logging.Handler()
    listening.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    monkeypatch.setattr(acceptor.logger, "filters", [OncePerSecondFilter(clock=lambda: 0.0)])
    monkeypatch.setattr(acceptor.logger, "handlers", [listening])
    monkeypatch.setattr(acceptor, "ACCEPT_PAUSE_SECONDS", 0.001)
    asked: list[int] = []

    class Exhausted:
        """A listening socket in a process that has no descriptors for a while."""

        def __init__(self, whole: socket.socket) -> None:
            self.whole = whole

        def accept(self) -> Any:
            asked.append(1)
            if len(asked) <= 100:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            return self.whole.accept()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.whole, name)

    async def scenario(door: Door) -> None:
        door.acceptor.listener = Exhausted(door.listening)  # type: ignore[assignment]
        assert await (await door.client()).status() == 200
        assert door.acceptor.pause_count == 100  # one pause each, so no busy loop

    at_a_door(ConnectionLimits(), scenario)
    assert lines == ["No connections can be accepted at the moment: Too many open files"]


def test_the_kernel_holds_little_for_who_reads_nothing() -> None:
    async def scenario(door: Door) -> None:
        assert await (await door.client()).status() == 200
        (connection,) = door.state.connections
        held = connection.transport.get_extra_info("socket").getsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF
        )
        assert held <= 2 * acceptor.SEND_BUFFER_BYTES

    at_a_door(ConnectionLimits(), scenario)


def test_connections_leave_descriptors_to_the_rest_of_the_process() -> None:
    assert max_connections_for(20_000) == 20_000 - RESERVED_DESCRIPTORS
    assert max_connections_for(64) == 16
