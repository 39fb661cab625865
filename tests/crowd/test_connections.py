"""The connections of a crowd's people read whole and chunked replies, are kept, and report a reply
that is missing."""

from __future__ import annotations

from asyncio import StreamReader, StreamWriter

import pytest

from tests.chaos.http_client import NoAnswer, Reply
from tests.crowd.connections import Connections, Origin, Request, open_reply
from tests.crowd.scripted_host import ScriptedHost, run

WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}'
CHUNKED = (
    b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n[1,2\r\n1\r\n]\r\n0\r\n\r\n"
)
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"


def replies_of(host: ScriptedHost, count: int) -> list[Reply]:
    """The replies to so many requests of one person."""
    replies: list[Reply] = []

    async def talk(origin: Origin) -> None:
        connections = Connections()
        while len(replies) < count:
            _, reply = await connections.send(origin, Request("GET", "/me"))
            replies.append(reply)
        connections.close()

    run(host, talk)
    return replies


def test_all_kinds_of_replies_are_read_over_one_connection() -> None:
    host = ScriptedHost(WHOLE, CHUNKED, EMPTY)
    assert replies_of(host, 3) == [Reply(200, {"a": 1}), Reply(201, [1, 2]), Reply(204, None)]
    assert host.connection_count == 1
    assert host.requests[0].startswith(b"GET /api/v1/me HTTP/1.1\r\nHost: 127.0.0.1:")


def test_a_kept_connection_that_was_closed_is_opened_again() -> None:
    host = ScriptedHost(WHOLE, b"", WHOLE)
    assert replies_of(host, 2) == [Reply(200, {"a": 1})] * 2
    assert host.connection_count == 2


@pytest.mark.parametrize(
    "reply", [b"", WHOLE[:20], WHOLE[:-1], CHUNKED[:-8], b"HTTP/1.1 200 OK\r\n\r\n"]
)
def test_no_whole_reply_is_no_answer(reply: bytes) -> None:
    class ClosingHost(ScriptedHost):
        """A host that closes after its reply."""

        async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            writer.close()

    with pytest.raises(NoAnswer):
        replies_of(ClosingHost(), 1)


def test_a_host_that_does_not_listen_is_no_answer() -> None:
    async def talk(origin: Origin) -> None:
        with pytest.raises(NoAnswer):
            await Connections().send(origin._replace(port=1), Request("GET", "/me"))

    run(ScriptedHost(), talk)


def test_a_stream_is_read_chunk_by_chunk() -> None:
    chunks: list[bytes] = []

    async def talk(origin: Origin) -> None:
        async with open_reply(origin, Request("GET", "/me")) as (head, body):
            assert head.status == 201
            chunks.extend([chunk async for chunk in body])

    run(ScriptedHost(CHUNKED), talk)
    assert chunks == [b"[1,2", b"]"]
