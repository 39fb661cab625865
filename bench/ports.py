"""On which port may a process listen that is only about to start? Also for the tests' servers."""

from __future__ import annotations

import socket
from contextlib import suppress
from secrets import randbelow
from typing import Final

FIRST_PORT: Final = 20_000
PORT_COUNT: Final = 12_000


def free_port() -> int:
    """A port on which nobody listens, and none of those that the system gives to connections that
    go out: until the process listens, the port is nobody's."""
    while True:
        port = FIRST_PORT + randbelow(PORT_COUNT)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
