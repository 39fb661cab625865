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
from config.http_server.connection import Connection, QuickPath, ServerConnections
from config.http_server.limit_settings import ConnectionLimits
from config.supervisor import heartbeat, process_specs

CLOSE_HEADER: Final = (b"connection", b"close")
SHUTDOWN_GRACE_SECONDS: Final = 5  # seconds for unfinished replies
ALLOCATIONS_PER_COLLECTION: Final = 20_000  # Python's 700 are those of one action
TICKS_PER_SECOND: Final = 10  # ticks of uvicorn


class Server(uvicorn.Server):
    """Ends streams at the start of a shutdown, as their clients reconnect."""

    def __init__(
        self,
        application: Any,
        limits: ConnectionLimits | None = None,
        quick_path: QuickPath | None = None,
    ) -> None:
        super().__init__(uvicorn_config(application))
        self.shared_state = ServerConnections(
            limits or ConnectionLimits.from_settings(descriptor_limit()), quick_path
        )
        self.server_state = self.shared_state
        self.is_draining = False

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
        asyncio.get_running_loop().add_signal_handler(process_specs.DRAIN_SIGNAL, self.drain)
        metric_rows.start_flush_thread()
        self.started = True
        gc.collect()
        gc.freeze()
        gc.set_threshold(ALLOCATIONS_PER_COLLECTION)

    async def on_tick(self, counter: int) -> bool:
        """Run ten times a second."""
        if counter % TICKS_PER_SECOND == 0:
            heartbeat.send_sign(heartbeat.ALIVE)
            self.shared_state.enforce_deadlines(asyncio.get_running_loop().time())
        return await super().on_tick(counter) or self.is_drained()

    def drain(self) -> None:
        """Leave new connections to a successor. Streams end, for their clients to connect again;
        every other connection gets its reply, or one more, which says that it is the last."""
        self.is_draining = self.shared_state.is_draining = True
        for acceptor in self.servers:
            acceptor.stop_accepting()
        hub.close()
        self.config.encoded_headers.append(CLOSE_HEADER)  # of the default headers of each second …
        self.shared_state.default_headers = [*self.shared_state.default_headers, CLOSE_HEADER]

    def is_drained(self) -> bool:
        """Whether a draining server has answered all that it was asked."""
        return (
            self.is_draining
            and not self.shared_state.connections
            and not any(acceptor.is_opening for acceptor in self.servers)
        )

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
