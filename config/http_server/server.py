"""The HTTP server: uvicorn's, with the project's own accept loop and connections."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
from functools import partial
from typing import Any, Final

import uvicorn

from api import metric_rows
from api.streams.hub import hub
from config.http_server.acceptor import Acceptor
from config.http_server.connection import Connection, ServerConnections
from config.http_server.limit_settings import ConnectionLimits
from config.supervisor import heartbeat

SHUTDOWN_GRACE_SECONDS: Final = 5  # seconds for unfinished replies
TICKS_PER_SECOND: Final = 10  # ticks of uvicorn


class Server(uvicorn.Server):
    """Ends streams at the start of a shutdown, as their clients reconnect."""

    def __init__(self, application: Any, limits: ConnectionLimits | None = None) -> None:
        super().__init__(uvicorn_config(application))
        self.shared_state = ServerConnections(
            limits or ConnectionLimits.from_settings(descriptor_limit())
        )
        self.server_state = self.shared_state

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start. Existing objects are frozen: a garbage collection through them would block the
        loop."""
        connection_factory = partial(Connection, self.config, self.shared_state)
        acceptors = [
            Acceptor(listener, self.shared_state, connection_factory) for listener in sockets or []
        ]
        self.servers: Any = acceptors
        for acceptor in acceptors:
            acceptor.resume()
        metric_rows.start_flush_thread()
        self.started = True
        gc.collect()
        gc.freeze()

    async def on_tick(self, counter: int) -> bool:
        """Run ten times a second."""
        if counter % TICKS_PER_SECOND == 0:
            heartbeat.send_sign(heartbeat.ALIVE)
            self.shared_state.enforce_deadlines(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then shut down gracefully."""
        hub.close()
        await super().shutdown(sockets)


def uvicorn_config(application: Any) -> uvicorn.Config:
    """The configuration of uvicorn."""
    return uvicorn.Config(
        application,
        http=Connection,
        log_config=None,  # logging is configured by Django
        log_level="warning",
        access_log=False,  # see api/request_ids.py
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=SHUTDOWN_GRACE_SECONDS,
    )


def descriptor_limit() -> int:
    """The number of descriptors that this process may open."""
    soft_limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if soft_limit == resource.RLIM_INFINITY else soft_limit
