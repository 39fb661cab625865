"""`python -m config.web <descriptor>`: the web server, on a socket that its parent has opened."""

from __future__ import annotations

import gc
import resource
import socket
import sys
from contextlib import suppress
from typing import Final

import uvicorn

FILES: Final = 65_536  # that may be open at once: each client is one
GRACE: Final = 5  # seconds for the answers that are under way


class Server(uvicorn.Server):
    """Lets go of streams as soon as it is told to stop: their clients come again."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin. What is there by now stays: looking through it for garbage would stop the loop."""
        from api.figures import carry_on  # noqa: PLC0415  # Django had to be set up first

        await super().startup(sockets)
        carry_on()
        gc.collect()
        gc.freeze()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, in order."""
        from api.streams.watching import watch  # noqa: PLC0415  # Django had to be set up first

        watch.close()
        await super().shutdown(sockets)


def main() -> None:
    """Answer until told to stop."""
    allow_files()
    settings = uvicorn.Config(
        "config.asgi:application",
        log_config=None,  # its loggers are ours
        log_level="warning",
        access_log=False,  # see api/tracing.py
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )
    # uvicorn's own --fd takes every socket for a local one, and so never sets TCP_NODELAY
    Server(settings).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])


def allow_files() -> None:
    """As many open files as we may have: the usual 1,024 would be 1,000 streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # some systems say more than they allow
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


if __name__ == "__main__":
    main()
