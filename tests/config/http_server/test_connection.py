"""Everything that a client can do with one connection is bounded."""

from __future__ import annotations

import re
from typing import Any

import pytest

from config.http_server.limit_settings import ConnectionLimits
from tests.config.http_server.connecting import Client, run

GET = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n"
SECOND = b"GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n"
TIMES = ConnectionLimits()
REFUSED_HEADS = {
    "length and coding": (b"Content-Length: 3\r\nTransfer-Encoding: chunked", 400, "bad-request"),
    "two lengths": (b"Content-Length: 3\r\nContent-Length: 4", 400, "bad-request"),
    "a list of lengths": (b"Content-Length: 3, 4", 400, "bad-request"),
    "a length that is none": (b"Content-Length: +3", 400, "bad-request"),
    "an unknown coding": (b"Transfer-Encoding: gzip", 501, "not-implemented"),
    "two codings": (b"Transfer-Encoding: gzip, chunked", 501, "not-implemented"),
    "a coding twice": (
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        501,
        "not-implemented",
    ),
    "a folded line": (b"X-A: b\r\n c: d", 400, "bad-request"),
    "a folded line with a tab": (b"X-A: b\r\n\tc: d", 400, "bad-request"),
    "a blank before the colon": (b"Content-Length : 3", 400, "bad-request"),
    "a name that is none": (b"X A: b", 400, "bad-request"),
    "two hosts": (b"Host: example.org", 400, "bad-request"),
    "an upgrade": (b"Connection: keep-alive, Upgrade\r\nUpgrade: websocket", 400, "bad-request"),
    "another expectation": (b"Expect: a-miracle", 417, "expectation-failed"),
    "a large head": (b"X-A: " + b"b" * 20_000, 431, "head-too-large"),
}


@pytest.mark.parametrize("name", REFUSED_HEADS)
def test_a_head_that_is_refused(name: str) -> None:
    lines, status, code = REFUSED_HEADS[name]

    async def scenario() -> None:
        client = Client()
        await client.send(POST % lines + b"abc" + SECOND, SECOND)
        assert (client.statuses, client.problem["code"]) == ([status], code)
        assert client.problem["status"] == status
        assert client.application_record.paths_begun == []  # nor is the request behind it begun

    run(scenario)


@pytest.mark.parametrize("text", [b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET /\r\n\r\n"])
def test_what_is_no_http_is_refused(text: bytes) -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(text)
        assert (client.statuses, client.problem["code"]) == ([400], "bad-request")

    run(scenario)


REFUSED_REQUEST_LINES = {
    b"get /a HTTP/1.1": "bad-request",
    b"GET /a HTTP/2.0": "bad-request",
    b"GET /a HTTP/0.9": "bad-request",
    b"PRI * HTTP/2.0": "bad-request",  # the beginning of HTTP/2
    b"GET /a%2fb HTTP/1.1": "not-found",
    b"GET /a%2Fb?c HTTP/1.1": "not-found",
}


@pytest.mark.parametrize("line", REFUSED_REQUEST_LINES, ids=bytes.decode)
def test_a_request_line_that_others_read_differently_is_refused(line: bytes) -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(line + b"\r\nHost: localhost\r\n\r\n", b"SM\r\n\r\n")
        assert client.problem["code"] == REFUSED_REQUEST_LINES[line]
        assert client.application_record.paths_begun == []
        client.connection.connection_lost(None)

    run(scenario)


@pytest.mark.parametrize("line", [b"GET /a HTTP/1.0", b"GET /a HTTP/1.9", b"GET /a?b=%2f HTTP/1.1"])
def test_a_request_line_that_is_served(line: bytes) -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(line + b"\r\nHost: localhost\r\n\r\n")
        assert (client.statuses, client.application_record.paths_begun) == ([200], ["/a"])

    run(scenario)


def test_a_head_in_pieces_is_checked_as_a_whole() -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(*(bytes([each]) for each in POST % b"X-A: b\r\n c: d"))
        assert client.statuses == [400]

    run(scenario)


def test_a_body_may_look_like_a_folded_line() -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(POST % b"Content-Length: 6" + b"\n a\n b", SECOND)
        assert client.application_record.requests == [("/a", b"\n a\n b"), ("/second", b"")]

    run(scenario)


def test_requests_that_come_together_are_answered_in_order() -> None:
    async def scenario() -> None:
        client = Client()
        await client.send(
            GET + POST % b"Transfer-Encoding: chunked" + b"1\r\nx\r\n0\r\n\r\n" + SECOND
        )
        assert client.application_record.requests == [("/a", b""), ("/a", b"x"), ("/second", b"")]
        assert client.statuses == [200, 200, 200]

    run(scenario)


class TestTime:
    def test_a_silent_connection_is_closed(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.wait(TIMES.head_seconds - 0.5)
            assert not client.pipe.is_closed
            await client.wait(TIMES.head_seconds)
            assert (client.pipe.is_closed, client.pipe.bytes_written) == (True, b"")

        run(scenario)

    def test_half_a_head_is_answered_with_a_timeout(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(GET[:20])
            await client.wait(TIMES.head_seconds)
            assert (client.statuses, client.problem["code"]) == ([408], "request-timeout")
            assert client.application_record.paths_begun == []
            assert client.pipe.is_closed

        run(scenario)

    def test_more_of_a_head_earns_no_more_time(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(b"G")
            deadline = client.connection.deadline
            await client.send(b"E", b"T /a HTTP/1.1\r\n", b"X-A: b\r\n")
            assert client.connection.deadline == deadline

        run(scenario)

    def test_an_idle_connection_is_closed_in_peace(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(GET)
            bytes_before = client.pipe.bytes_written
            await client.wait(TIMES.idle_seconds - 0.5)
            assert not client.pipe.is_closed
            await client.wait(TIMES.idle_seconds)
            assert (client.pipe.is_closed, client.pipe.bytes_written) == (True, bytes_before)

        run(scenario)

    def test_the_next_head_has_as_long_as_the_first(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(GET, GET[:20])
            await client.wait(TIMES.head_seconds)
            assert client.statuses == [200, 408]

        run(scenario)

    def test_a_body_that_stalls_is_answered_with_a_timeout(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Content-Length: 5" + b"ab")
            await client.wait(TIMES.body_seconds - 0.5)
            assert client.statuses == []
            await client.wait(TIMES.body_seconds + 1)
            assert (client.statuses, client.problem["code"]) == ([408], "request-timeout")
            assert (client.application_record.paths_begun, client.application_record.requests) == (
                ["/a"],
                [],
            )

        run(scenario)

    def test_a_body_that_goes_on_has_longer(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Content-Length: 50000" + b"a" * 40_960)
            await client.wait(TIMES.body_seconds + 9.5)
            assert client.statuses == []
            await client.wait(TIMES.body_seconds + 10)
            assert client.statuses == [408]

        run(scenario)

    def test_no_body_has_for_ever(self) -> None:
        async def scenario() -> None:
            client = Client()
            size = int(TIMES.body_bytes_per_second * TIMES.max_body_seconds * 2)
            await client.send(POST % b"Content-Length: 9999999" + b"a" * size)
            await client.wait(TIMES.max_body_seconds + 1)
            assert client.statuses == [408]

        run(scenario)

    def test_an_answer_may_take_long(self) -> None:
        async def never_answer(scope: Any, receive: Any, send: Any) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        async def scenario() -> None:
            client = Client(never_answer)
            await client.send(GET)
            await client.wait(10_000)
            assert not client.pipe.is_closed
            client.connection.connection_lost(None)
            await client.settle()

        run(scenario)

    def test_a_reply_that_is_not_read_is_broken_off(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(GET)
            client.pipe.unread_bytes = 5000
            await client.wait(1)
            await client.wait(TIMES.reply_stall_seconds)
            assert not client.pipe.is_aborted
            client.pipe.unread_bytes = 4999  # the client has read something
            await client.wait(TIMES.reply_stall_seconds + 0.5)
            await client.wait(2 * TIMES.reply_stall_seconds)
            assert not client.pipe.is_aborted
            await client.wait(2 * TIMES.reply_stall_seconds + 0.5)
            assert client.pipe.is_aborted

        run(scenario)


class TestTheEnd:
    def test_what_still_comes_of_a_refused_request_is_dropped(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Content-Length: 5\r\nTransfer-Encoding: chunked")
            assert (client.pipe.has_eof, client.pipe.is_closed) == (True, False)
            await client.send(b"x" * 1000, SECOND)
            assert (client.statuses, client.application_record.paths_begun) == ([400], [])
            await client.wait(TIMES.linger_seconds - 0.5)
            assert not client.pipe.is_closed
            await client.wait(TIMES.linger_seconds)
            assert client.pipe.is_aborted

        run(scenario)

    def test_only_so_much_is_dropped(self) -> None:
        async def scenario() -> None:
            client = Client(limits=ConnectionLimits(max_discarded_bytes=1000))
            await client.send(b"nonsense\r\n\r\n", b"x" * 1000)
            assert not client.pipe.is_closed
            await client.send(b"x")
            assert client.pipe.is_aborted

        run(scenario)

    def test_an_early_verdict_of_the_application_comes_before_the_end(self) -> None:
        async def refuse_early(scope: Any, receive: Any, send: Any) -> None:
            headers = [(b"connection", b"close"), (b"content-length", b"2")]
            await send({"type": "http.response.start", "status": 413, "headers": headers})
            await send({"type": "http.response.body", "body": b"no"})

        async def scenario() -> None:
            client = Client(refuse_early)
            await client.send(POST % b"Content-Length: 50000\r\nExpect: 100-continue")
            assert client.statuses == [413]  # and no 100 before it
            assert (client.pipe.has_eof, client.pipe.is_closed) == (True, False)
            await client.send(b"x" * 50_000 + SECOND)
            assert client.statuses == [413]

        run(scenario)

    def test_a_body_that_is_wanted_is_asked_for(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Content-Length: 2\r\nExpect: 100-continue")
            assert client.statuses == [100]
            await client.send(b"ab")
            assert client.statuses == [100, 200]

        run(scenario)

    def test_a_last_reply_closes_at_once_when_nothing_more_comes(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Connection: close")
            assert (client.statuses, client.pipe.is_closed) == ([200], True)

        run(scenario)

    def test_an_application_that_fails_is_answered_for(self) -> None:
        async def raise_error(scope: Any, receive: Any, send: Any) -> None:
            raise OSError("gone")

        async def scenario() -> None:
            client = Client(raise_error)
            await client.send(GET)
            assert (client.statuses, client.problem["code"]) == ([500], "internal-error")

        run(scenario)

    def test_tiny_chunks_are_refused(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(POST % b"Transfer-Encoding: chunked" + b"1\r\nx\r\n" * 1024)
            assert client.statuses == []
            await client.send(b"1\r\nx\r\n")
            assert (client.statuses, client.application_record.requests) == ([400], [])

        run(scenario)

    def test_a_refusal_of_head_has_no_body(self) -> None:
        async def scenario() -> None:
            client = Client()
            await client.send(
                GET.replace(b"GET", b"HEAD").replace(b"\r\n\r\n", b"\r\nExpect: x\r\n\r\n")
            )
            assert client.pipe.bytes_written.endswith(b"\r\n\r\n")
            assert re.search(rb"content-length: [1-9]", client.pipe.bytes_written)

        run(scenario)
