"""Requests to witnesses: none waits longer than its time, whatever is at the other end."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest

from record.witness_client import Reply, UnansweredError, post, post_all
from tabularium_log.record.errors import MalformedError, RecordError
from tests.config.processes import PATIENCE
from tests.support.received import read_request

SHORT = 0.2  # seconds
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that treats each connection in this way; its URL."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, suppress(OSError):
                    serve(connection)

    thread = Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/witness/"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def test_a_reply_is_read() -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        seen.append(read_request(connection))
        connection.sendall(OK)

    with listening(serve) as url:
        assert post(url, b"body", PATIENCE) == Reply(200, b"ok")
    assert seen[0].startswith(b"POST /witness/add-checkpoint HTTP/1.1\r\n")
    assert b"\r\nContent-Length: 4\r\n" in seen[0]


def test_a_redirect_is_not_followed() -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 307 x\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")

    with listening(serve) as url:
        assert post(url, b"body", PATIENCE) == Reply(307, b"")


def test_a_large_reply_is_refused() -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(2**17))

    with listening(serve) as url, pytest.raises(MalformedError, match="more than 65536 bytes"):
        post(url, b"body", PATIENCE)


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\nx"])
def test_a_reply_that_trickles_is_cut(beginning: bytes) -> None:
    """Each of its bytes comes in time, and it has no end."""
    is_over = Event()

    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(beginning)
        while not is_over.wait(SHORT / 4):
            connection.sendall(b"x")

    with listening(serve) as url:
        try:
            with pytest.raises(UnansweredError):
                post(url, b"body", SHORT)
        finally:
            is_over.set()


@pytest.mark.parametrize("reply", [b"", b"x", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"])
def test_a_reply_that_is_none(reply: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(reply)

    with listening(serve) as url, pytest.raises(UnansweredError):
        post(url, b"body", PATIENCE)


def test_a_witness_that_is_away() -> None:
    with listening(lambda _: None) as url:
        pass
    with pytest.raises(UnansweredError, match="refused"):
        post(url, b"body", PATIENCE)


@pytest.mark.parametrize("url", ["", "x", "ftp://a.example", "http://", "file:///etc/passwd"])
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(MalformedError, match="not the URL of a witness"):
        post(url, b"", SHORT)


@pytest.mark.parametrize("url", ["http://[", "http://a.example:x", f"http://{'a' * 70}.example"])
def test_a_url_that_cannot_be_used(url: str) -> None:
    with pytest.raises(RecordError):
        post(url, b"", SHORT)


def test_one_that_is_silent_does_not_hold_up_the_others() -> None:
    is_over = Event()

    def keep_silent(connection: socket.socket) -> None:
        is_over.wait(PATIENCE)

    def serve(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(OK)

    with listening(keep_silent) as silent, listening(serve) as url:
        try:
            silence, reply = post_all([(silent, b"body"), (url, b"body")], 1.0)
        finally:
            is_over.set()
    assert isinstance(silence, UnansweredError)
    assert reply == Reply(200, b"ok")
