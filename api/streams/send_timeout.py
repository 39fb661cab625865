"""The send timeout of streams, for clients that do not read. Unread data stays in the buffers of
the connection; a client that reads nothing for too long is disconnected."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any, Final

from django.conf import settings

from api.streams.request_handoff import Message, Receive, Send

BUFFER_POLL_SECONDS: Final = 0.1  # seconds between two checks of the unsent bytes


class BoundedSender:
    """The sending side of a connection. `transport` is None if the server does not expose it."""

    def __init__(self, send: Send, transport: asyncio.WriteTransport | None) -> None:
        self._send = send
        self._transport = transport

    async def send(self, message: Message) -> None:
        """Send the message as soon as the client has read most of the data sent before."""
        unsent = self._unsent_bytes()
        if self._transport is not None and not unsent:
            await self._send(message)  # does not wait: nothing is unsent
            return
        while not await self._send_in_time(message):
            if self._cut_if_stalled(unsent):
                return
            unsent = self._unsent_bytes()

    async def drain(self) -> None:
        """Wait until the client has read everything; a server that closes a connection waits for
        that without a limit."""
        clock = asyncio.get_running_loop().time
        unsent, read_at = self._unsent_bytes(), clock()
        while self._unsent_bytes():
            await asyncio.sleep(BUFFER_POLL_SECONDS)
            if self._unsent_bytes() < unsent:
                unsent, read_at = self._unsent_bytes(), clock()
            elif clock() - read_at > settings.STREAM_SEND_TIMEOUT and self._cut_if_stalled(unsent):
                return

    async def _send_in_time(self, message: Message) -> bool:
        """Whether the message was sent in time. If not, the server has kept none of it: it waits
        before it writes."""
        try:
            async with asyncio.timeout(settings.STREAM_SEND_TIMEOUT):
                await self._send(message)
        except TimeoutError:
            return False
        return True

    def _cut_if_stalled(self, unsent: int) -> bool:
        """Whether nothing was read of `unsent` bytes; if so, the connection is cut."""
        if self._unsent_bytes() < unsent:
            return False
        if self._transport is not None:
            _abort_connection(self._transport)
        return True

    def _unsent_bytes(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()


def _abort_connection(transport: asyncio.WriteTransport) -> None:
    """Close a connection and discard its unsent data, in the kernel too."""
    connection_socket = transport.get_extra_info("socket")
    if connection_socket is not None:
        connection_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def transport_of(receive: Receive) -> asyncio.WriteTransport | None:
    """The connection of a request, which ASGI hides: `receive` is a method of the object that has
    it."""
    protocol: Any = getattr(receive, "__self__", None)
    transport = getattr(protocol, "transport", None)
    return transport if isinstance(transport, asyncio.WriteTransport) else None
