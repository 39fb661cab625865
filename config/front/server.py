"""uvicorn's server, with an accept loop and connections of our own."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
from functools import partial
from typing import Any, Final

import uvicorn

from api import figures
from api.streams.watching import watch
from config.front.accepting import Acceptor
from config.front.bounds import Bounds
from config.front.connection import Connection, State
from config.supervisor import heartbeat

GRACE: Final = 5  # seconds for the answers that are under way
TICKS: Final = 10  # of uvicorn's, in a second


class Server(uvicorn.Server):
    """Lets go of streams as soon as it is told to stop: their clients come again."""

    def __init__(self, application: Any, bounds: Bounds | None = None) -> None:
        super().__init__(configured(application))
        self.state = State(bounds or Bounds.configured(descriptors()))
        self.server_state = self.state

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin. What is there by now stays: looking through it for garbage would stop the loop."""
        opened = partial(Connection, self.config, self.state)
        acceptors = [Acceptor(each, self.state, opened) for each in sockets or []]
        self.servers: Any = acceptors
        for acceptor in acceptors:
            acceptor.resume()
        figures.carry_on()
        self.started = True
        gc.collect()
        gc.freeze()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % TICKS == 0:
            heartbeat.tell(heartbeat.ALIVE)
            self.state.look(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, in order."""
        watch.close()
        await super().shutdown(sockets)


def configured(application: Any) -> uvicorn.Config:
    """How uvicorn is set up."""
    return uvicorn.Config(
        application,
        http=Connection,
        log_config=None,  # its loggers are ours
        log_level="warning",
        access_log=False,  # see api/tracing.py
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )


def descriptors() -> int:
    """How many this process may have."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if soft == resource.RLIM_INFINITY else soft
