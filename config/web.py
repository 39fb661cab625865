"""`python -m config.web <descriptor>`: the web server, on a socket that its parent has opened."""

from __future__ import annotations

import resource
import socket
import sys
from contextlib import suppress
from typing import Final

MAX_OPEN_FILES: Final = 65_536  # that may be open at once: each client is one


def main() -> None:
    """Answer until told to stop."""
    raise_open_file_limit()
    from config.asgi import application  # noqa: PLC0415  # sets Django up, for all that follows
    from config.http_server.server import Server  # noqa: PLC0415

    # uvicorn's own --fd takes every socket for a local one, and so never sets TCP_NODELAY
    Server(application).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])


def raise_open_file_limit() -> None:
    """As many open files as we may have: the usual 1,024 would be 1,000 streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # some systems say more than they allow
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


if __name__ == "__main__":
    main()
