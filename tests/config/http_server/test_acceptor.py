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
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from pytest_django import Settings
from uvicorn.config import LoopFactoryType

from api import process_board
from api.process_board import Board, Kind
from config.http_server import acceptor
from config.http_server.acceptor import Acceptor
from config.http_server.connection import MAX_READ_BYTES, Connection, ServerConnections
from config.http_server.limit_settings import (
    RESERVED_DESCRIPTORS,
    ConnectionLimits,
    max_connections_for,
)
from config.http_server.server import uvicorn_config
from games.logging_throttle import OncePerSecondFilter
from tests.config.http_server.connecting import RecordingApplication
from tests.config.processes import PATIENCE

CONNECTIONS = Kind.CONNECTIONS
GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"


class AcceptorServer:
    """An acceptor on its own socket."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.config = uvicorn_config(RecordingApplication())
        self.config.load()
        self.clients: list[Client] = []
        self.state = ServerConnections(limits)
        self.listening_socket = socket.create_server(("127.0.0.1", 0))
        self.acceptor = self.new_acceptor()
        self.acceptor.resume()

    def new_acceptor(self) -> Acceptor:
        """An acceptor on the socket."""
        connection_factory = partial(Connection, self.config, self.state)
        return Acceptor(self.listening_socket, self.state, connection_factory)

    async def client(self, source: str = "127.0.0.1") -> Client:
        """Connect a client."""
        address = self.listening_socket.getsockname()
        pair = await asyncio.open_connection(*address, local_addr=(source, 0))
        self.clients.append(Client(*pair))
        return self.clients[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on the server holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110  # the server signals no event
                await asyncio.sleep(0.001)

    async def close(self) -> None:
        """Close all connections."""
        self.acceptor.close()
        self.listening_socket.close()
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

    async def status(self, request: bytes = GET) -> int:
        """The status of the reply to a request."""
        self.writer.write(request)
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: ([0-9]+)", head.lower())
            await self.reader.readexactly(int(length[1]) if length else 0)
        return int(head.split()[1])


@pytest.fixture(autouse=True)
def own_board() -> None:
    """Count from zero."""
    process_board.leave()


def run_with_acceptor(
    limits: ConnectionLimits,
    scenario: Callable[[AcceptorServer], Awaitable[None]],
    loop: LoopFactoryType = "auto",
) -> None:
    """Run a scenario with an acceptor, on a loop as the server has one."""

    async def play() -> None:
        server = AcceptorServer(limits)
        try:
            await scenario(server)
        finally:
            await server.close()

    config = uvicorn.Config(RecordingApplication(), loop=loop)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(play())


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_read_is_bounded_on_every_loop(
    loop: LoopFactoryType, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    data_received = Connection.data_received

    def note(self: Connection, data: bytes) -> None:
        sizes.append(len(data))
        data_received(self, data)

    monkeypatch.setattr(Connection, "data_received", note)
    body = bytes(1_000_000)
    head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    async def scenario(server: AcceptorServer) -> None:
        client = await server.client()
        assert await client.status(head + body) == 200

    run_with_acceptor(ConnectionLimits(), scenario, loop)
    assert sum(sizes) == len(head) + len(body)
    assert max(sizes) <= MAX_READ_BYTES


def test_an_address_has_so_many_connections() -> None:
    async def scenario(server: AcceptorServer) -> None:
        first, second = await server.client(), await server.client()
        assert [await first.status(), await second.status()] == [200, 200]
        assert await (await server.client()).status(b"") == 429
        assert await (await server.client("127.0.0.2")).status() == 200
        first.writer.close()
        await server.until(lambda: server.acceptor.board.held_here(CONNECTIONS, "127.0.0.1") == 1)
        assert await (await server.client()).status() == 200

    run_with_acceptor(ConnectionLimits(max_connections_per_address=2), scenario)


def test_processes_share_connections_evenly(tmp_path: Path) -> None:
    async def scenario(server: AcceptorServer) -> None:
        server.acceptor.close()
        acceptors = [server.new_acceptor() for _ in range(3)]
        for each in acceptors:
            each.board = Board(tmp_path / "board")
            each.is_open = True
        await asyncio.sleep(0)  # the loop has forgotten the reader of the first one
        listeners = [socket.socket(fileno=os.dup(each.listener.fileno())) for each in acceptors]
        for each, listener in zip(acceptors, listeners, strict=True):
            each.listener = listener
            listener.setblocking(False)
            each.resume()
        clients = [await server.client() for _ in range(12)]
        assert {await client.status() for client in clients} == {200}
        assert [each.board.total_here(CONNECTIONS) for each in acceptors] == [4, 4, 4]
        acceptors[1].stop_accepting()
        clients = [await server.client() for _ in range(4)]
        assert {await client.status() for client in clients} == {200}
        assert [each.board.total_here(CONNECTIONS) for each in acceptors] == [6, 4, 6]
        for each in acceptors:
            each.close()
            each.listener.close()

    run_with_acceptor(ConnectionLimits(), scenario)


def test_a_process_with_more_connections_accepts_what_a_hung_one_leaves(tmp_path: Path) -> None:
    hung = Board(tmp_path / "board")
    hung.set_accepting(True)

    async def scenario(server: AcceptorServer) -> None:
        server.acceptor.board = Board(tmp_path / "board")
        clients = [await server.client() for _ in range(5)]
        assert [await client.status() for client in clients] == [200] * 5
        assert server.acceptor.board.connections_of_rivals() == [0]

    run_with_acceptor(ConnectionLimits(), scenario)


def test_an_address_has_so_many_connections_of_all_processes(tmp_path: Path) -> None:
    other = Board(tmp_path / "board")
    assert other.take(CONNECTIONS, "127.0.0.1", 1)

    async def scenario(server: AcceptorServer) -> None:
        server.acceptor.board = Board(tmp_path / "board")
        assert await (await server.client()).status() == 200
        assert await (await server.client()).status(b"") == 429
        other.give_back(CONNECTIONS, "127.0.0.1")
        assert await (await server.client()).status() == 200

    run_with_acceptor(ConnectionLimits(max_connections_per_address=2), scenario)


def test_a_proxy_has_as_many_as_there_are(settings: Settings) -> None:
    settings.PROXIES = [ip_network("127.0.0.0/31")]
    acceptor.is_proxy.cache_clear()

    async def scenario(server: AcceptorServer) -> None:
        clients = [await server.client() for _ in range(5)]
        assert [await client.status() for client in clients] == [200] * 5

    try:
        run_with_acceptor(ConnectionLimits(max_connections_per_address=2), scenario)
    finally:
        acceptor.is_proxy.cache_clear()


def test_the_longest_idle_connection_makes_room() -> None:
    async def scenario(server: AcceptorServer) -> None:
        oldest, second = await server.client(), await server.client()
        assert await oldest.status() == 200
        assert await second.status() == 200
        assert await (await server.client()).status() == 200
        assert await second.status() == 200
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await oldest.status()

    run_with_acceptor(ConnectionLimits(max_connections=2), scenario)


def test_who_opens_hundreds_at_once_keeps_another_waiting_for_few() -> None:
    async def scenario(server: AcceptorServer) -> None:
        addresses_opened: list[str] = []
        connection = server.acceptor.connection_factory

        def record_address(closed: Any) -> Connection:
            addresses_opened.extend(closed.args)
            return connection(closed)

        server.acceptor.connection_factory = record_address
        server_sides, client_sides = zip(*(socket.socketpair() for _ in range(300)), strict=True)
        addresses = ["10.0.0.1"] * 299 + ["10.0.0.2"]
        for server_side, address in zip(server_sides, addresses, strict=True):
            server_side.setblocking(False)
            server.acceptor.admit(server_side, address, address)
        assert addresses_opened == []
        await asyncio.sleep(0)
        assert addresses_opened == [
            "10.0.0.1",
            "10.0.0.2",
            *["10.0.0.1"] * (acceptor.OPENINGS_PER_TURN - 2),
        ]
        await server.until(lambda: len(server.state.connections) == 300)
        for client in client_sides:
            client.close()

    run_with_acceptor(ConnectionLimits(), scenario)


def test_a_connection_amid_a_request_makes_no_room() -> None:
    async def scenario(server: AcceptorServer) -> None:
        head = b"POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"
        busy = await server.client()
        busy.writer.write(head)
        await server.until(
            lambda: bool(server.state.connections) and not server.state.idle_connections
        )
        assert await (await server.client()).status(b"") == 503
        assert await busy.status(b"x") == 200

    run_with_acceptor(ConnectionLimits(max_connections=1), scenario)


def test_descriptors_that_run_out_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    monkeypatch.setattr(acceptor.logger, "filters", [OncePerSecondFilter(clock=lambda: 0.0)])
    monkeypatch.setattr(acceptor.logger, "handlers", [handler])
    monkeypatch.setattr(acceptor, "ACCEPT_PAUSE_SECONDS", 0.001)
    accept_calls: list[int] = []

    class ExhaustedSocket:
        """A listening socket in a process that has no descriptors for a while."""

        def __init__(self, listening_socket: socket.socket) -> None:
            self.listening_socket = listening_socket

        def accept(self) -> Any:
            accept_calls.append(1)
            if len(accept_calls) <= 100:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            return self.listening_socket.accept()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.listening_socket, name)

    async def scenario(server: AcceptorServer) -> None:
        server.acceptor.listener = ExhaustedSocket(server.listening_socket)  # type: ignore[assignment]
        assert await (await server.client()).status() == 200
        assert server.acceptor.pause_count == 100  # one pause each, so no busy loop

    run_with_acceptor(ConnectionLimits(), scenario)
    assert lines == ["No connections can be accepted at the moment: Too many open files"]


def test_the_kernel_holds_little_for_who_reads_nothing() -> None:
    async def scenario(server: AcceptorServer) -> None:
        assert await (await server.client()).status() == 200
        (connection,) = server.state.connections
        buffer_bytes = connection.transport.get_extra_info("socket").getsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF
        )
        assert buffer_bytes <= 2 * acceptor.SEND_BUFFER_BYTES

    run_with_acceptor(ConnectionLimits(), scenario)


def test_connections_leave_descriptors_to_the_rest_of_the_process() -> None:
    assert max_connections_for(20_000) == 20_000 - RESERVED_DESCRIPTORS
    assert max_connections_for(64) == 16
