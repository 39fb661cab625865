"""Ordinary requests for actions are read without h11: to the same effect, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import h11
import pytest
from pytest_django import Settings

from api.games.actions import FAILURE_STATE
from config.http_server import head_validation
from config.http_server.limit_settings import ConnectionLimits
from config.http_server.quick_requests import (
    HARMLESS_HEADERS,
    MAX_BODY_BYTES,
    QuickRequest,
    may_become_quick,
    read_request,
)
from tests.config.http_server.connecting import Client, run

BODY: Final = b'{"seat": 0}'
PATH: Final = b"/api/v1/games/game_1/actions"
HEADERS: Final = (
    b"Host: localhost",
    b"Authorization: Bearer tab_1_2",
    b"Content-Type: application/json",
    b"Content-Length: 11",
)
REPLY: Final = b"content-length: 3\r\n\r\nyes"
GET: Final = b"GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n"


def request_of(*more: bytes, headers: tuple[bytes, ...] = HEADERS, body: bytes = BODY) -> bytes:
    """A request with more headers."""
    return b"\r\n".join([b"POST " + PATH + b" HTTP/1.1", *headers, *more, b"", body])


ORDINARY: Final = request_of()


class Path:
    """A quick path that answers when the test says so."""

    def __init__(self, takes: bool = True) -> None:
        self.takes = takes
        self.requests: list[QuickRequest] = []
        self.finishes: list[Callable[[bytes | None, BaseException | None], None]] = []

    def begin(
        self, request: QuickRequest, finish: Callable[[bytes | None, BaseException | None], None]
    ) -> bool:
        if self.takes:
            self.requests.append(request)
            self.finishes.append(finish)
        return self.takes

    def finish(self, reply: bytes | None = REPLY, failure: BaseException | None = None) -> None:
        """Answer the oldest request."""
        self.finishes.pop(0)(reply, failure)


# -- reading ---------------------------------------------------------------------------------------


def test_an_ordinary_request_is_read() -> None:
    request = read_request(request_of(b"X-Forwarded-For: 10.0.0.1", b"accept: */*"))
    assert request is not None
    assert (request.game, request.body) == ("game_1", BODY)
    assert request.headers[b"authorization"] == b"Bearer tab_1_2"
    assert request.headers[b"x-forwarded-for"] == b"10.0.0.1"


@pytest.mark.parametrize(
    "data",
    [
        ORDINARY[:-1],
        ORDINARY + b" ",
        ORDINARY.replace(b"POST", b"PUT"),
        ORDINARY.replace(b"/actions", b"/actions?a=b"),
        ORDINARY.replace(b"/actions", b"/actions/check"),
        ORDINARY.replace(b"game_1", b"game%31"),
        ORDINARY.replace(b"HTTP/1.1", b"HTTP/1.0"),
        ORDINARY.replace(b"\r\n", b"\n"),
        ORDINARY.replace(b"localhost", b"elsewhere.example"),
        ORDINARY.replace(b"localhost", b"local host"),
        ORDINARY.replace(b"application/json", b"text/plain"),
        ORDINARY.replace(b"Content-Length: 11", b"Content-Length: +11"),
        ORDINARY.replace(b"Content-Length: 11", b"Content-Length: 011"),
        ORDINARY.replace(b"Content-Length: 11", b"Content-Length: 11, 11"),
        ORDINARY.replace(b"Content-Length: 11", b"Transfer-Encoding: chunked"),
        ORDINARY.replace(b"Host: ", b"Host : "),
        ORDINARY.replace(b"tab_1_2", "tab_ä".encode()),
        ORDINARY.replace(b"tab_1_2", b"tab_1\x00"),
        *(
            request_of(header)
            for header in (
                *(b"Prefer: wait=1", b"Idempotency-Key: 1", b"Expect: 100-continue"),
                *(b"Connection: close", b"Connection: upgrade", b"Upgrade: websocket"),
                *(b"Transfer-Encoding: chunked", b"Content-Encoding: gzip", b"Accept: text/html"),
                *(b"Host: localhost", b"content-length: 11", b" folded", b"Unknown: 1", b"Empty:"),
            )
        ),
        *(request_of(headers=HEADERS[:index] + HEADERS[index + 1 :]) for index in range(4)),
        request_of(headers=(*HEADERS[:3], b"Content-Length: 20000"), body=b" " * 20000),
        request_of(b"User-Agent: " + b"a" * 5000),
    ],
)
def test_another_one_is_left_to_h11(data: bytes) -> None:
    assert read_request(data) is None


def test_debugging_is_left_to_django(settings: Settings) -> None:
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["debugged.example"]
    assert read_request(request_of(headers=(b"Host: debugged.example", *HEADERS[1:]))) is None


def mutated(chance: Random) -> bytes:
    """A request with some bytes replaced, doubled or removed."""
    more = [b"%b: x" % chance.choice([*HARMLESS_HEADERS]) for _ in range(chance.randrange(3))]
    data = bytearray(request_of(*more))
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(data))
        new = chance.choice([b"", b" ", b"\r\n", b"\t", b":", b"0", b"\x00", b"\xff", b",", b"A"])
        data[place : place + chance.randrange(2)] = new
    return bytes(data)


def test_h11_reads_the_same(games_count: Callable[[int, int], int]) -> None:
    """Whatever is read here, h11 reads to the same effect, and nothing is left over."""
    chance, count = Random(7), 0
    for _ in range(games_count(4_000, 400_000)):
        data = mutated(chance)
        request = read_request(data)
        if request is not None:
            count += 1
            assert as_h11_reads(data) == (
                f"/api/v1/games/{request.game}/actions".encode(),
                request.headers,
                request.body,
            )
    assert count > 500


def as_h11_reads(data: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    head_validation.check_raw_head(data)
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request, body, end = (connection.next_event() for _ in range(3))
    assert isinstance(request, h11.Request)
    assert isinstance(body, h11.Data)
    assert isinstance(end, h11.EndOfMessage)
    head_validation.check_framing(request)
    assert connection.trailing_data[0] == b""
    headers = dict(request.headers)
    assert len(headers) == len(list(request.headers))
    return bytes(request.target), headers, bytes(body.data)


def test_only_a_whole_head_is_waited_for() -> None:
    assert may_become_quick(ORDINARY[:-1])
    assert may_become_quick(ORDINARY[: -len(BODY)])
    assert not may_become_quick(ORDINARY[: -len(BODY) - 1])
    assert not may_become_quick(ORDINARY)
    assert not may_become_quick(request_of(b"Prefer: wait=1")[:-1])
    too_long = request_of(headers=(*HEADERS[:3], b"Content-Length: %d" % (MAX_BODY_BYTES + 1)))
    assert not may_become_quick(too_long)


# -- connections -----------------------------------------------------------------------------------


def test_it_is_answered_without_the_application() -> None:
    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        await client.send(ORDINARY)
        assert client.pipe.bytes_written == b""
        path.finish()
        head, _, body = client.pipe.bytes_written.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 201 Created\r\n")
        assert body == b"yes"
        await client.send(GET, ORDINARY)
        path.finish()
        assert client.statuses == [201, 200, 201]
        assert [request.game for request in path.requests] == ["game_1", "game_1"]
        assert client.application_record.paths_begun == ["/later"]

    run(scenario)


def test_it_may_come_in_pieces() -> None:
    """Wherever it is cut, it is answered once: quickly, or by the application."""

    async def scenario() -> None:
        for cut in range(1, len(ORDINARY)):
            path = Path()
            client = Client(quick_path=path)
            await client.send(ORDINARY[:cut], ORDINARY[cut:])
            is_quick = cut >= len(ORDINARY) - len(BODY)
            assert len(path.requests) == is_quick
            assert client.application_record.requests == (
                [] if is_quick else [(PATH.decode(), BODY)]
            )
            if is_quick:
                path.finish()
            await client.send(GET)
            assert client.statuses == [201 if is_quick else 200, 200]

    run(scenario)


@pytest.mark.parametrize("failure", [None, ValueError("the disk")])
def test_the_application_answers_what_cannot_be_answered_quickly(
    failure: ValueError | None,
) -> None:
    states: list[Any] = []

    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        application = client.application_record

        async def note(scope: Any, receive: Any, send: Any) -> None:
            states.append(scope["state"])
            await application(scope, receive, send)

        vars(client.connection)["app"] = note
        await client.send(ORDINARY, GET)
        path.finish(None, failure)
        await client.settle()
        await client.send(ORDINARY)
        path.finish()
        assert client.statuses == [200, 200, 201]
        assert application.requests == [(PATH.decode(), BODY), ("/later", b"")]

    run(scenario)
    assert states == [{} if failure is None else {FAILURE_STATE: failure}, {}]


def test_a_path_that_does_not_begin_leaves_it_to_the_application() -> None:
    async def scenario() -> None:
        client = Client(quick_path=Path(takes=False))
        await client.send(ORDINARY, ORDINARY[:-3], ORDINARY[-3:])
        assert client.statuses == [200, 200]
        assert client.application_record.requests == [(PATH.decode(), BODY)] * 2

    run(scenario)


def test_requests_that_come_early_are_answered_in_order() -> None:
    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        await client.send(ORDINARY, ORDINARY, GET[:10], GET[10:])
        assert len(path.requests) == 1
        path.finish()
        await client.settle()
        while path.finishes:
            path.finish()
            await client.settle()
        assert client.statuses in ([201, 200, 200], [201, 201, 200])

    run(scenario)


def test_one_who_sends_too_much_early_is_not_read() -> None:
    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        await client.send(ORDINARY, GET * 2000)
        assert client.pipe.is_reading_paused
        path.finish()
        assert client.statuses[0] == 201

    run(scenario)


def test_one_who_hangs_up_is_not_answered() -> None:
    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        await client.send(ORDINARY)
        client.pipe.close()
        client.connection.connection_lost(None)
        path.finish()
        assert client.pipe.bytes_written == b""

    run(scenario)


def test_an_end_waits_for_the_reply() -> None:
    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        await client.send(ORDINARY)
        client.connection.shutdown()
        assert not client.pipe.is_closed
        path.finish()
        assert client.statuses == [201]
        assert client.pipe.is_closed

    run(scenario)


def test_the_last_reply_of_a_drained_server_is_the_applications() -> None:
    """Its head says that it is the last."""

    async def scenario() -> None:
        client = Client(quick_path=Path())
        client.state.is_draining = True
        await client.send(ORDINARY)
        assert client.statuses == [200]

    run(scenario)


def test_a_client_that_reads_nothing_is_left_to_the_application() -> None:
    """That one waits until the earlier replies are read."""

    async def scenario() -> None:
        path = Path()
        client = Client(quick_path=path)
        client.connection.pause_writing()
        await client.send(ORDINARY)
        assert client.application_record.paths_begun == [PATH.decode()]
        client.connection.resume_writing()
        await client.settle()
        assert (client.statuses, path.requests) == ([200], [])

    run(scenario)


def test_a_body_that_stalls_is_answered_with_a_timeout() -> None:
    async def scenario() -> None:
        client = Client(limits=ConnectionLimits(head_seconds=5, body_seconds=20), quick_path=Path())
        await client.send(ORDINARY[:-1])
        assert not client.state.idle_connections
        await client.wait(19)
        assert client.statuses == []
        await client.wait(21)
        assert client.statuses == [408]

    run(scenario)


def test_nothing_is_hidden_from_h11_that_refuses_it() -> None:
    async def scenario() -> None:
        client = Client(quick_path=Path())
        await client.send(request_of(b"Transfer-Encoding: chunked"))
        assert client.statuses == [400]
        assert client.problem["code"] == "bad-request"

    run(scenario)
