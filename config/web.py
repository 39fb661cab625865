"""The web server process: `python -m config.web <descriptor>` runs it on a socket opened by its
parent."""

from __future__ import annotations

import resource
import socket
import sys
from contextlib import suppress
from typing import Final

MAX_OPEN_FILES: Final = 65_536  # each client uses one


def main() -> None:
    """Serve until stopped."""
    raise_open_file_limit()
    from config.asgi import application  # noqa: PLC0415  # sets up Django for the rest
    from config.http_server.server import Server  # noqa: PLC0415

    # uvicorn's own --fd treats every socket as a local one, and so never sets TCP_NODELAY
    Server(application).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])


def raise_open_file_limit() -> None:
    """Raise the limit of open files as far as allowed: the usual 1,024 allow 1,000 streams."""
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = (
        MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard_limit)
    )
    if soft_limit != resource.RLIM_INFINITY and soft_limit < limit:
        with suppress(ValueError, OSError):  # some systems report more than they allow
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))


if __name__ == "__main__":
    main()
