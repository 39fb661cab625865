"""A TCP proxy that a test can freeze, or make reset every connection."""

from __future__ import annotations

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Coroutine
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from bench.ports import free_port

CHUNK_BYTES: Final = 65_536
HOST: Final = "127.0.0.1"


class Proxy:
    """Forwards one port to another, in its own thread."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._writers: set[StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._open_event = asyncio.Event()
        self._is_cut = False
        self._thread = Thread(target=self._loop.run_forever, daemon=True, name="proxy")

    def start(self) -> None:
        """Start to forward."""
        self._open_event.set()
        self._thread.start()
        self._run_coroutine(self._listen())

    def freeze(self) -> None:
        """Stop forwarding in both directions; connections stay open, and can be made."""
        self._run_coroutine(self._set_open(is_open=False))

    def cut(self) -> None:
        """Reset all connections, and every new one."""
        self._is_cut = True
        self._run_coroutine(self._reset_all())

    def heal(self) -> None:
        """Forward again, including the bytes received while frozen."""
        self._is_cut = False
        self._run_coroutine(self._set_open(is_open=True))

    def stop(self) -> None:
        """Close everything."""
        self.cut()
        self._run_coroutine(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run_coroutine(self, coroutine: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._handle_connection, HOST, self.port, backlog=512
        )

    async def _set_open(self, *, is_open: bool) -> None:
        if is_open:
            self._open_event.set()
        else:
            self._open_event.clear()

    async def _reset_all(self) -> None:
        for writer in list(self._writers):
            reset(writer)

    async def _close(self) -> None:
        self._server.close()
        self._open_event.set()
        current_task = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not current_task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _handle_connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self._is_cut:
            reset(writer)
            return
        await self._open_event.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection(HOST, self._target)
        except OSError:
            reset(writer)
            return
        self._writers |= {writer, far_writer}
        await asyncio.gather(self._forward(reader, far_writer), self._forward(far_reader, writer))
        self._writers -= {writer, far_writer}

    async def _forward(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK_BYTES):
                await self._open_event.wait()
                writer.write(chunk)
                await writer.drain()
        writer.close()


def reset(writer: StreamWriter) -> None:
    """End a connection with RST instead of FIN, as a firewall does."""
    with suppress(OSError):
        connection: socket.socket = writer.get_extra_info("socket")
        linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
