"""A client connection of the HTTP server: uvicorn's, with time limits and refusals of its own.

Connections have no timers: `enforce_deadline` is called once a second for each of them and compares
the clock with the deadline of the current phase.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from collections.abc import Callable
from typing import Any, ClassVar, Final, Protocol, cast
from urllib.parse import unquote

import h11
import uvicorn
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from api.errors import Refusal
from api.games.actions import FAILURE_STATE
from config.http_server import head_validation, problem_responses
from config.http_server.limit_settings import ConnectionLimits
from config.http_server.quick_requests import (
    METHOD,
    QuickRequest,
    may_become_quick,
    read_request,
)

CREATED: Final = b"HTTP/1.1 201 Created\r\n"
MAX_READ_BYTES: Final = 65_536  # per read; bounds how long a hostile client occupies the loop
SMALL_CHUNKS_ALLOWED: Final = 1024  # chunks of a body that may be small …
# … later ones must reach this average, as each costs parsing
MIN_AVERAGE_CHUNK_BYTES: Final = 16


class QuickPath(Protocol):
    """Answers ordinary requests without the application."""

    def begin(
        self,
        request: QuickRequest,
        finish: Callable[[bytes | None, BaseException | None], None],
    ) -> bool:
        """Begin to answer, and call `finish` later with the rest of the head and the body of a 201;
        or with None, and maybe a failure, if the application has to answer. Returns whether it has
        begun."""


class ServerConnections(ServerState):
    """The state that all connections share: the limits, and the connections without a request, the
    oldest first."""

    def __init__(self, limits: ConnectionLimits, quick_path: QuickPath | None = None) -> None:
        super().__init__()
        self.limits = limits
        self.quick_path = quick_path
        self.is_draining = False
        self.idle_connections: dict[Connection, None] = {}

    def enforce_deadlines(self, now: float) -> None:
        """End connections that are past a deadline; called once a second."""
        for connection in list(self.connections):
            cast("Connection", connection).enforce_deadline(now)


class Connection(H11Protocol):
    """A connection, from accepted to closed."""

    def __init__(
        self,
        config: uvicorn.Config,
        state: ServerConnections,
        closed: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(config, state, {})
        self.shared = state
        self.limits = state.limits
        self.on_closed = closed
        self.deadline: float | None = None  # of the current phase
        self.body_started_at = 0.0
        self.body_bytes = 0  # bytes of the current body
        self.body_chunks = 0
        self.is_head_request = False  # whether the reply to the current request has no body
        self.has_head_begun = False  # whether a byte of the next head has arrived
        self.is_lingering = False  # the last reply is written: further input is discarded
        self.discarded_bytes = 0
        self.unsent_bytes = 0
        self.last_progress_at = 0.0
        self.is_quick = False  # whether the quick path has the current request
        self.quick_data = b""  # received, and not yet read by h11
        self.is_last = False  # whether the connection ends with the reply of the quick path
        self.failure: BaseException | None = None  # of the quick path, for the next request

    # -- opening and closing ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_head_deadline(self.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self.deadline = None
        self.shared.idle_connections.pop(self, None)
        super().connection_lost(exc)
        if self.on_closed:
            self.on_closed()
            self.on_closed = None

    def shutdown(self) -> None:
        """Close the connection: the server is stopping."""
        if self.is_lingering:
            self.transport.close()
        elif self.is_quick:
            self.is_last = True
        else:
            super().shutdown()

    def _set_head_deadline(self, seconds: float) -> None:
        self.has_head_begun = False
        self.deadline = self.loop.time() + seconds
        self.shared.idle_connections[self] = None

    # -- reading ----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.is_lingering:
            self._discard(len(data))
            return
        if self in self.shared.idle_connections and not self.has_head_begun:
            self.has_head_begun = True
            self.deadline = self.loop.time() + self.limits.head_seconds
        if not self._take_quickly(data):
            self.conn.receive_data(data)
            self.process_events()

    # -- the quick path ---------------------------------------------------------------------------

    def _take_quickly(self, data: bytes) -> bool:
        """Whether the quick path takes the data, or waits for more: then h11 never sees it. It does
        only between two requests, with all earlier data read and all earlier replies sent."""
        if self.is_quick:
            self._keep_for_later(data)
            return True
        if not self.quick_data and not self._may_be_quick(data):
            return False
        data = self.quick_data + data
        self.quick_data = b""
        request = read_request(data)
        if request is None:
            if may_become_quick(data):
                self._await_rest(data)
                return True
        elif self._begin_quickly(request, data):
            return True
        self.conn.receive_data(data)
        self.process_events()
        return True

    def _may_be_quick(self, data: bytes) -> bool:
        return (
            self.shared.quick_path is not None
            and data.startswith(METHOD)
            and self in self.shared.idle_connections
            and self.conn.their_state is h11.IDLE
            and not self.conn.trailing_data[0]
            and not self.flow.write_paused
            and not self.shared.is_draining
        )

    def _await_rest(self, data: bytes) -> None:
        """Keep a whole head until its body is complete, which has the time of any body."""
        self.quick_data = data
        if self.shared.idle_connections.pop(self, self) is None:
            self.deadline = self.loop.time() + self.limits.body_seconds

    def _begin_quickly(self, request: QuickRequest, data: bytes) -> bool:
        def finish(reply: bytes | None, failure: BaseException | None) -> None:
            self._finish_quickly(data, reply, failure)

        assert self.shared.quick_path is not None
        request = request._replace(client=self.client)
        self.is_quick = self.shared.quick_path.begin(request, finish)
        if self.is_quick:
            self.deadline = None
            self.shared.idle_connections.pop(self, None)
        return self.is_quick

    def _keep_for_later(self, data: bytes) -> None:
        self.quick_data += data
        if len(self.quick_data) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()

    def _finish_quickly(
        self, data: bytes, reply: bytes | None, failure: BaseException | None
    ) -> None:
        """Answer, or let the application do it."""
        self.is_quick = False
        later, self.quick_data = self.quick_data, b""
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if reply is None:
            self.failure = failure
            self._set_head_deadline(self.limits.head_seconds)
            self.conn.receive_data(data + later)
            self.process_events()
            return
        self.transport.write(CREATED + default_head(self.server_state.default_headers) + reply)
        self.server_state.total_requests += 1
        self._set_head_deadline(self.limits.idle_seconds)
        if self.is_last:
            self.shutdown()
        elif later:
            self.data_received(later)

    def process_events(self) -> None:
        """Process the events received so far."""
        try:
            while not self.is_lingering and self._process_event():
                pass
        except h11.RemoteProtocolError as problem:
            self.refuse(head_validation.protocol_refusal(problem))
        except Refusal as refusal:
            self.refuse(refusal)

    def _process_event(self) -> bool:
        """Process one event; returns whether there may be more."""
        if self.conn.their_state is h11.IDLE:
            head_validation.check_raw_head(self.conn.trailing_data[0])
        event = self.conn.next_event()
        if event is h11.PAUSED:  # the client pipelines requests
            self.flow.pause_reading()
        elif isinstance(event, h11.Request):
            self._start_request(event)
            return True
        elif isinstance(event, h11.Data):
            self._receive_body_piece(event.data)
            return True
        elif isinstance(event, h11.EndOfMessage):
            return self._complete_body()
        return False

    def _start_request(self, request: h11.Request) -> None:
        """Run the application for a complete head."""
        self.shared.idle_connections.pop(self, None)
        self.is_head_request = request.method == b"HEAD"
        head_validation.check_framing(request)
        self.body_started_at, self.body_bytes, self.body_chunks = self.loop.time(), 0, 0
        self._set_body_deadline()
        self.headers = list(request.headers)
        self.scope = cast("Any", self._build_scope(request))
        self.cycle = Exchange(
            scope=self.scope,
            conn=self.conn,
            transport=cast("asyncio.Transport", ExchangeTransport(self)),
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            on_response=self.on_response_complete,
        )
        task = self.loop.create_task(self.cycle.run_asgi(self.app))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def _build_scope(self, request: h11.Request) -> dict[str, Any]:
        raw_path, _, query = request.target.partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": request.http_version.decode("ascii"),
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": request.method.decode("ascii"),
            "root_path": self.root_path,
            "path": self.root_path + unquote(raw_path.decode("ascii")),
            "raw_path": self.root_path.encode("ascii") + raw_path,
            "query_string": query,
            "headers": self.headers,
            "state": self._request_state(),
        }

    def _request_state(self) -> dict[str, Any]:
        """The state of a request: the failure of the quick path, if it had begun to answer it."""
        failure, self.failure = self.failure, None
        return {} if failure is None else {FAILURE_STATE: failure}

    def _receive_body_piece(self, piece: bytes) -> None:
        """Receive a piece of the body; dropped if the request has been answered."""
        self.body_bytes += len(piece)
        self.body_chunks += 1
        if self.conn.our_state is h11.DONE:
            return
        if (
            self.body_chunks > SMALL_CHUNKS_ALLOWED
            and self.body_bytes < self.body_chunks * MIN_AVERAGE_CHUNK_BYTES
        ):
            raise Refusal("bad-request", "The chunks of the body are too small.")
        self._set_body_deadline()
        self.cycle.body += piece
        if len(self.cycle.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        self.cycle.message_event.set()

    def _set_body_deadline(self) -> None:
        seconds = self.limits.body_seconds + self.body_bytes / self.limits.body_bytes_per_second
        self.deadline = self.body_started_at + min(seconds, self.limits.max_body_seconds)

    def _complete_body(self) -> bool:
        """Complete the body; returns whether there may be more events."""
        self.deadline = None
        if self.conn.our_state is h11.DONE:
            self.conn.start_next_cycle()
            self._set_head_deadline(self.limits.idle_seconds)
            return True
        self.cycle.more_body = False
        self.cycle.message_event.set()
        return self.conn.their_state is not h11.MUST_CLOSE

    # -- responses --------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Wait for the next request: the reply is written."""
        self.server_state.total_requests += 1
        if self.is_lingering or self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.conn.their_state is h11.DONE and self.conn.our_state is h11.DONE:
            self._set_head_deadline(self.limits.idle_seconds)
            self.conn.start_next_cycle()
            self.process_events()

    def refuse(self, refusal: Refusal, is_sending: bool = True) -> None:
        """Answer without the application, and process no more requests."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.abort()
                return
        self.transport.write(
            problem_responses.raw_response(
                problem_responses.refusal_response(refusal), not self.is_head_request
            )
        )
        self.close_after_reply(is_sending)

    def close_after_reply(self, is_sending: bool = True) -> None:
        """Close after the last reply. Further input is discarded for a while: closing at once would
        reset the connection, and the client could lose the reply."""
        self.is_lingering = True
        self.shared.idle_connections.pop(self, None)
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
        is_sending = is_sending and not (is_whole and not self.conn.trailing_data[0])
        if self.transport.is_closing() or not is_sending:
            self.transport.close()
            return
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.deadline = self.loop.time() + self.limits.linger_seconds

    def _discard(self, size: int) -> None:
        self.discarded_bytes += size
        if self.discarded_bytes > self.limits.max_discarded_bytes:
            self.transport.abort()

    # -- time limits ------------------------------------------------------------------------------

    def enforce_deadline(self, now: float) -> None:
        """End the connection if it is past a deadline."""
        if self.deadline is not None and now >= self.deadline:
            self._time_out()
        self._check_reply_progress(now)

    def _time_out(self) -> None:
        """End the current phase, which has taken too long."""
        self.deadline = None
        if self.is_lingering:
            self.transport.abort()
        elif self in self.shared.idle_connections and not self.has_head_begun:
            self.transport.close()
        else:
            refusal = Refusal("request-timeout", "The request did not arrive in time.")
            self.refuse(refusal, is_sending=False)  # the client is silent: nothing is on its way

    def _check_reply_progress(self, now: float) -> None:
        """Close the connection if its client reads nothing of the data waiting for it."""
        buffered_bytes = self.transport.get_write_buffer_size()
        unsent_bytes = buffered_bytes + kernel_unsent_bytes(self.transport) if buffered_bytes else 0
        if not unsent_bytes or not self.unsent_bytes or unsent_bytes < self.unsent_bytes:
            self.last_progress_at = now
        self.unsent_bytes = unsent_bytes
        if unsent_bytes and now - self.last_progress_at >= self.limits.reply_stall_seconds:
            self.transport.abort()


class BoundedReads(asyncio.BufferedProtocol):
    """Hands a connection its data in bounded pieces: uvloop would read four times as much at
    once."""

    _buffer: ClassVar = bytearray(MAX_READ_BYTES)  # of all connections: each read empties it

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._connection.data_received(bytes(memoryview(self._buffer)[:nbytes]))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connection.connection_made(cast("asyncio.Transport", transport))

    def connection_lost(self, exc: Exception | None) -> None:
        self._connection.connection_lost(exc)

    def pause_writing(self) -> None:
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        self._connection.resume_writing()


class Exchange(RequestResponseCycle):
    """A request and its reply."""

    async def send_500_response(self) -> None:
        """Answer for an application that failed outside of Django."""
        response = problem_responses.refusal_response(Refusal("internal-error", ""))
        for message in problem_responses.asgi_messages(response):
            await self.send(cast("Any", message))


class ExchangeTransport:
    """The transport of an exchange; closing it ends the connection in an orderly way."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._transport = connection.transport
        self.write = self._transport.write
        self.is_closing = self._transport.is_closing

    def close(self) -> None:
        """Close after the last reply, or after one that was cut off."""
        if self._connection.cycle.response_complete:
            self._connection.close_after_reply()
        else:
            self._transport.close()


def default_head(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The server's own headers."""
    return b"".join(name + b": " + value + b"\r\n" for name, value in headers)


def kernel_unsent_bytes(transport: asyncio.Transport) -> int:
    """The unsent bytes that the kernel holds for the client."""
    sock = transport.get_extra_info("socket")
    try:
        (size,) = struct.unpack("i", fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4)))
    except (OSError, AttributeError):
        return 0
    return int(size)
