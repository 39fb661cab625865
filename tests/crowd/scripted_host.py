"""A host whose replies are written beforehand, for the tests of the crowd's people."""

from __future__ import annotations

import asyncio
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from typing import Any

from tests.crowd.connections import Origin


class ScriptedHost:
    """A host that answers each request with the next of its replies; b"" closes the connection."""

    def __init__(self, *replies: bytes) -> None:
        self.replies = list(replies)
        self.connection_count = 0
        self.requests: list[bytes] = []

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Answer the requests of one connection."""
        self.connection_count += 1
        try:
            while self.replies:
                self.requests.append(await reader.readuntil(b"\r\n\r\n"))
                reply = self.replies.pop(0)
                if not reply:
                    break
                writer.write(reply)
        except EOFError:  # the client has no further request
            pass
        finally:
            writer.close()


def run(host: ScriptedHost, talk: Callable[[Origin], Awaitable[None]]) -> None:
    """Run the talk with the host."""

    async def serve() -> None:
        server = await asyncio.start_server(host.answer, "127.0.0.1", 0)
        async with server:
            await talk(Origin("A", *server.sockets[0].getsockname()))

    asyncio.run(serve())


def json_reply(status: int, document: Any, *headers: str) -> bytes:
    """The bytes of a reply with this document."""
    content = json.dumps(document).encode()
    lines = [f"HTTP/1.1 {status} -", f"Content-Length: {len(content)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + content
