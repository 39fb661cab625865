"""`python -m tests.chaos.faults.churn <port> <source address>`: open and reset connections until
killed, and print their number after every hundredth."""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import suppress
from typing import Final

RESET: Final = struct.pack("ii", 1, 0)  # RST on close


def main(port: int, source: str) -> None:
    """Open and reset connections from that source address."""
    connection_count = 0
    while True:
        with suppress(OSError), socket.socket() as client:
            client.settimeout(1)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            client.bind((source, 0))
            client.connect(("127.0.0.1", port))
            connection_count += 1
            if connection_count % 100 == 0:
                print(connection_count, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
