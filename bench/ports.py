"""Choosing a free port for a server that is about to start; also used by the tests' servers."""

from __future__ import annotations

import socket
from contextlib import suppress
from secrets import randbelow
from typing import Final

FIRST_PORT: Final = 20_000
PORT_COUNT: Final = 12_000


def free_port() -> int:
    """A port with no listener, outside the range that the system assigns to outgoing connections:
    the port is not reserved until the server listens."""
    while True:
        port = FIRST_PORT + randbelow(PORT_COUNT)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
