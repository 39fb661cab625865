"""A client that reads nothing is disconnected, and only such a client."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
import uvicorn

from api.streams.send_timeout import BoundedSender, transport_of
from tests.config.processes import PATIENCE

PART: Final = {"type": "http.response.body", "body": b"x" * 65_536, "more_body": True}
START: Final = {"type": "http.response.start", "status": 200, "headers": []}
Send = Callable[[Any], Awaitable[None]]


@pytest.fixture(autouse=True)
def short_timeout(settings: Any) -> None:
    """A short timeout for clients that read nothing."""
    settings.STREAM_SEND_TIMEOUT = 0.05


class Connection(asyncio.WriteTransport):
    """A connection whose write buffer has the next of these sizes at each check."""

    def __init__(self, *buffer_sizes: int) -> None:
        super().__init__()
        self.is_aborted = False
        self._left = list(buffer_sizes)

    def get_write_buffer_size(self) -> int:
        """The number of bytes that the client has not read."""
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]

    def abort(self) -> None:
        """Cut the connection."""
        self.is_aborted = True


def blocking_server(times: int) -> tuple[Send, list[Any]]:
    """A server whose first sends block, this many times; and the messages sent."""
    messages: list[Any] = []
    tries = iter(range(times))

    async def send(message: Any) -> None:
        if next(tries, None) is not None:
            await asyncio.Event().wait()
        messages.append(message)

    return send, messages


class TestOutgoing:
    def test_waits_for_a_client_that_reads_slowly(self) -> None:
        connection = Connection(90, 80, 80, 70, 70, 60)
        send, messages = blocking_server(3)
        asyncio.run(BoundedSender(send, connection).send(PART))
        assert messages == [PART]
        assert not connection.is_aborted

    def test_cuts_off_a_client_that_reads_nothing(self) -> None:
        connection = Connection(90)
        send, messages = blocking_server(100)
        asyncio.run(BoundedSender(send, connection).send(PART))
        assert not messages
        assert connection.is_aborted

    @pytest.mark.parametrize(
        ("buffer_sizes", "is_aborted"), [((9, 9, 7, 7, 0), False), ((9,), True)]
    )
    def test_waits_in_the_end_until_all_is_read(
        self, buffer_sizes: tuple[int, ...], is_aborted: bool
    ) -> None:
        connection = Connection(*buffer_sizes)
        asyncio.run(BoundedSender(blocking_server(0)[0], connection).drain())
        assert connection.is_aborted == is_aborted


# -- over a real socket ---------------------------------------------------------------------------


async def served(application: Any, client: Callable[[int], Any]) -> Any:
    """The result of a client that connects to this application in our server."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, lifespan="off", log_level="critical", ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        return await asyncio.to_thread(client, listener.getsockname()[1])
    finally:
        server.should_exit = server.force_exit = True
        await serving


def idle_client(port: int) -> socket.socket:
    """A client that has sent a request, and reads nothing yet."""
    client = socket.create_connection(("127.0.0.1", port), PATIENCE)
    client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client


def read_all(client: socket.socket) -> None:
    """Read to the end."""
    while client.recv(65_536):
        pass


def test_a_client_that_reads_nothing_is_cut_off() -> None:
    ended = asyncio.Event()

    async def send_endlessly(_: Any, receive: Any, send: Any) -> None:
        connection = transport_of(receive)
        assert connection is not None
        out = BoundedSender(send, connection)
        await out.send(START)
        while not connection.is_closing():
            await out.send(PART)
        ended.set()

    def read_nothing(port: int) -> bool:
        with idle_client(port) as client:
            asyncio.run_coroutine_threadsafe(ended.wait(), loops[0]).result(PATIENCE)
            with pytest.raises(ConnectionResetError):
                read_all(client)
        return True

    async def run() -> bool:
        loops.append(asyncio.get_running_loop())
        return bool(await served(send_endlessly, read_nothing))

    loops: list[asyncio.AbstractEventLoop] = []
    assert asyncio.run(run())


def test_a_server_alone_would_wait_as_long_as_it_takes() -> None:
    stalled = asyncio.Event()

    async def send_endlessly(_: Any, receive: Any, send: Any) -> None:
        await send(START)
        while True:
            sending = asyncio.ensure_future(send(PART))
            if not (await asyncio.wait([sending], timeout=1.0))[0]:
                stalled.set()
            await sending

    def read_nothing(port: int) -> bool:
        with idle_client(port) as client:
            asyncio.run_coroutine_threadsafe(stalled.wait(), loops[0]).result(PATIENCE)
            return bool(client.recv(65_536))

    async def run() -> bool:
        loops.append(asyncio.get_running_loop())
        return bool(await served(send_endlessly, read_nothing))

    loops: list[asyncio.AbstractEventLoop] = []
    assert asyncio.run(run())
