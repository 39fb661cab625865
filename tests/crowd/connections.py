"""The connections of a person to the hosts, on asyncio: one to each host, kept between requests."""

from __future__ import annotations

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

from tests.chaos.http_client import API, NoAnswer, Reply

CONNECT_TIMEOUT: Final = 5.0  # seconds
TIMEOUT: Final = 20.0  # seconds without the answer to an ordinary request
HEAD_END: Final = b"\r\n\r\n"
NO_BODY: Final = (204, 304)


class Origin(NamedTuple):
    """A host as its clients reach it."""

    name: str
    address: str
    port: int


class Head(NamedTuple):
    """The status and the headers of a reply."""

    status: int
    headers: dict[str, str]  # by their names in lower case


class Request(NamedTuple):
    """A request to any host."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}
    seconds: float = TIMEOUT  # in which the reply must be complete

    def encode(self, origin: Origin) -> bytes:
        """The bytes of the request to a host."""
        content = b"" if self.body is None else json.dumps(self.body).encode()
        headers = {"Host": f"{origin.address}:{origin.port}", **self.headers}
        if content:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
        elif self.method == "POST":
            headers["Content-Length"] = "0"
        lines = [f"{self.method} {API}{self.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + content


class Pair(NamedTuple):
    """The two ends of a connection."""

    reader: StreamReader
    writer: StreamWriter


class Connections:
    """The kept connections of one person."""

    def __init__(self) -> None:
        self._kept: dict[Origin, Pair] = {}

    async def send(self, origin: Origin, request: Request) -> tuple[Head, Reply]:
        """Send a request; the reply, or NoAnswer if none comes in time. A kept connection that the
        host has closed before the first byte of a reply is opened again, once."""
        try:
            async with asyncio.timeout(request.seconds):
                if kept := self._kept.pop(origin, None):
                    with suppress(_ClosedWhileIdle):
                        return await self._exchange(origin, kept, request)
                return await self._exchange(origin, await connect(origin), request)
        except (OSError, EOFError, ValueError, TimeoutError) as problem:
            raise NoAnswer(f"{type(problem).__name__}: {problem}") from problem

    async def _exchange(self, origin: Origin, pair: Pair, request: Request) -> tuple[Head, Reply]:
        is_kept = False
        try:
            await _write(pair, request.encode(origin))
            head = await read_head(pair.reader)
            content = b"".join([chunk async for chunk in read_body(pair.reader, head)])
            reply = Reply(head.status, json.loads(content) if content else None)
            is_kept = head.headers.get("connection", "") != "close"
        finally:
            if is_kept:
                self._kept[origin] = pair
            else:
                pair.writer.close()
        return head, reply

    def close(self) -> None:
        """Close all of them."""
        for pair in self._kept.values():
            pair.writer.close()
        self._kept.clear()


class _ClosedWhileIdle(EOFError):
    """The end of a connection before the first byte of a reply."""


async def connect(origin: Origin) -> Pair:
    """A new connection to a host."""
    async with asyncio.timeout(CONNECT_TIMEOUT):
        return Pair(*await asyncio.open_connection(origin.address, origin.port))


@asynccontextmanager
async def open_reply(
    origin: Origin, request: Request
) -> AsyncIterator[tuple[Head, AsyncIterator[bytes]]]:
    """The head of a reply and the chunks of its body, on a connection of its own."""
    pair = await connect(origin)
    try:
        await _write(pair, request.encode(origin))
        head = await read_head(pair.reader)
        yield head, read_body(pair.reader, head)
    finally:
        pair.writer.close()


async def _write(pair: Pair, content: bytes) -> None:
    """Write a request."""
    try:
        pair.writer.write(content)
        await pair.writer.drain()
    except ConnectionError as problem:
        raise _ClosedWhileIdle("closed before the request") from problem


async def read_head(reader: StreamReader) -> Head:
    """The head of a reply."""
    try:
        text = (await reader.readuntil(HEAD_END)).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionResetError) as problem:
        if getattr(problem, "partial", b""):
            raise
        raise _ClosedWhileIdle("closed without a reply") from problem
    status_line, *lines = text.rstrip("\r\n").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Head(int(status_line.split()[1]), headers)


async def read_body(reader: StreamReader, head: Head) -> AsyncIterator[bytes]:
    """The chunks of a body."""
    if head.headers.get("transfer-encoding", "") == "chunked":
        while size := int(await reader.readuntil(b"\r\n"), 16):
            yield await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
    elif head.status not in NO_BODY:
        yield await reader.readexactly(int(head.headers.get("content-length", "")))
