"""Requests as a server of a test receives them."""

from __future__ import annotations

import re
import socket
from typing import Final

LENGTH: Final = re.compile(rb"^content-length: (\d+)\r$", re.IGNORECASE | re.MULTILINE)


def read_request(connection: socket.socket) -> bytes:
    """A request with a body, whole unless its sender leaves: a server that closes earlier breaks
    off its own response."""
    head = b""
    with connection.makefile("rb") as stream:
        while (line := stream.readline()) not in (b"", b"\r\n"):
            head += line
        length = LENGTH.search(head)
        return head + line + stream.read(int(length[1]) if length else 0)
