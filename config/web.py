"""A web server process: `python -m config.web <descriptor>` runs it on a socket opened by its
parent, which other web processes may have, too."""

from __future__ import annotations

import os
import resource
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

MAX_OPEN_FILES: Final = 65_536  # each client uses one


def main() -> None:
    """Serve until stopped."""
    raise_open_file_limit()
    from config.asgi import application  # noqa: PLC0415  # sets up Django for the rest
    from config.http_server.server import Server  # noqa: PLC0415
    from config.quick_path import QuickPath  # noqa: PLC0415

    quick_path = QuickPath() if settings.QUICK_ACTIONS else None
    share_counts()
    # uvicorn's own --fd treats every socket as a local one, and so never sets TCP_NODELAY
    Server(application, quick_path=quick_path).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
    if quick_path is not None:
        quick_path.close()


def share_counts() -> None:
    """Count with the other web processes of this server, if they have a folder."""
    from api import metrics, process_board  # noqa: PLC0415  # Django must be set up first

    if folder := os.environ.get(process_board.FOLDER_VARIABLE):
        board = process_board.join(Path(folder))
        metrics.share_requests(Path(folder), board.section)


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
