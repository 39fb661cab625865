"""A time limit for clients that do not read. What a client has not taken yet is kept in the buffers
of its connection; one that takes nothing at all for too long is cut off."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any, Final

from django.conf import settings

from api.streams.async_handoff import Message, Receive, Send

BUFFER_POLL_SECONDS: Final = 0.1  # seconds between two looks at what is not sent yet


class BoundedSender:
    """What goes out to a client. `transport` is its connection, if the server shows it."""

    def __init__(self, send: Send, transport: asyncio.WriteTransport | None) -> None:
        self._send = send
        self._transport = transport

    async def send(self, message: Message) -> None:
        """Send it, as soon as the client has taken most of what was sent before."""
        left = self._unsent_bytes()
        if self._transport is not None and not left:
            await self._send(message)  # which does not wait, for all is taken
            return
        while not await self._send_in_time(message):
            if self._cut_if_stalled(left):
                return
            left = self._unsent_bytes()

    async def drain(self) -> None:
        """Wait until the client has taken everything: a server that closes a connection waits for
        that as long as it takes."""
        clock = asyncio.get_running_loop().time
        left, since = self._unsent_bytes(), clock()
        while self._unsent_bytes():
            await asyncio.sleep(BUFFER_POLL_SECONDS)
            if self._unsent_bytes() < left:
                left, since = self._unsent_bytes(), clock()
            elif clock() - since > settings.STREAM_SEND_TIMEOUT and self._cut_if_stalled(left):
                return

    async def _send_in_time(self, message: Message) -> bool:
        """Whether it could be sent in time. If not, the server has kept nothing of it: it waits
        before it writes."""
        try:
            async with asyncio.timeout(settings.STREAM_SEND_TIMEOUT):
                await self._send(message)
        except TimeoutError:
            return False
        return True

    def _cut_if_stalled(self, left: int) -> bool:
        """Whether nothing was taken since so much was left; then the connection is cut."""
        if self._unsent_bytes() < left:
            return False
        if self._transport is not None:
            _abort_connection(self._transport)
        return True

    def _unsent_bytes(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()


def _abort_connection(transport: asyncio.WriteTransport) -> None:
    """Close a connection, and keep nothing of what was not sent, not even in the kernel."""
    open_ = transport.get_extra_info("socket")
    if open_ is not None:
        open_.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def transport_of(receive: Receive) -> asyncio.WriteTransport | None:
    """The connection of a request, which ASGI hides: `receive` is a method of what has it."""
    of_server: Any = getattr(receive, "__self__", None)
    transport = getattr(of_server, "transport", None)
    return transport if isinstance(transport, asyncio.WriteTransport) else None
