"""One connection of a client: uvicorn's, with time limits and refusals of its own.

Nothing here has a timer: `look` is called once a second for every connection, and compares the
clock with the time at which the present phase has to be over.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast
from urllib.parse import unquote

import h11
import uvicorn
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from api.errors import Refusal
from config.front import heads, refusals
from config.front.bounds import Bounds

READ: Final = 65_536  # bytes at once: so long does a hostile client keep the loop busy
ROOMY: Final = 1024  # chunks of a body that may be small …
SMALLEST: Final = 16  # … later ones have as many bytes on average: each costs parsing


class State(ServerState):
    """What all connections share: the bounds, and who has no request under way, oldest first."""

    def __init__(self, bounds: Bounds) -> None:
        super().__init__()
        self.bounds = bounds
        self.waiting: dict[Connection, None] = {}

    def look(self, now: float) -> None:
        """Once a second: end what has taken too long."""
        for connection in list(self.connections):
            cast("Connection", connection).look(now)


class Connection(H11Protocol):
    """From accepted to closed."""

    def __init__(
        self, config: uvicorn.Config, state: State, closed: Callable[[], None] | None = None
    ) -> None:
        super().__init__(config, state, {})
        self.shared = state
        self.bounds = state.bounds
        self.closed = closed
        self.due: float | None = None  # when the present phase has to be over
        self.body_begun = 0.0
        self.received = 0  # bytes of the present body
        self.chunks = 0
        self.is_head = False  # has the reply to the present request no body?
        self.has_begun = False  # has a byte of the next head come?
        self.has_ended = False  # the last reply is written: what still comes is discarded
        self.discarded = 0
        self.unsent = 0
        self.taken_at = 0.0

    # -- beginning and ending ---------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        with suppress(AttributeError):  # of asyncio's own transports
            transport.max_size = READ  # type: ignore[attr-defined]
        self._await_head(self.bounds.head)

    def connection_lost(self, exc: Exception | None) -> None:
        self.due = None
        self.shared.waiting.pop(self, None)
        super().connection_lost(exc)
        if self.closed:
            self.closed()
            self.closed = None

    def shutdown(self) -> None:
        """The server stops."""
        if self.has_ended:
            self.transport.close()
        else:
            super().shutdown()

    def _await_head(self, seconds: float) -> None:
        self.has_begun = False
        self.due = self.loop.time() + seconds
        self.shared.waiting[self] = None

    # -- reading ----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.has_ended:
            self._discard(len(data))
            return
        if self in self.shared.waiting and not self.has_begun:
            self.has_begun = True
            self.due = self.loop.time() + self.bounds.head
        self.conn.receive_data(data)
        self.advance()

    def advance(self) -> None:
        """Carry out what has come."""
        try:
            while not self.has_ended and self._step():
                pass
        except h11.RemoteProtocolError as broken:
            self.refuse(heads.refusal(broken))
        except Refusal as refusal:
            self.refuse(refusal)

    def _step(self) -> bool:
        """Carry out one thing, if there is one."""
        if self.conn.their_state is h11.IDLE:
            heads.check_text(self.conn.trailing_data[0])
        event = self.conn.next_event()
        if event is h11.PAUSED:  # the client sends requests before it has had its replies
            self.flow.pause_reading()
        elif isinstance(event, h11.Request):
            self._begin(event)
            return True
        elif isinstance(event, h11.Data):
            self._take(event.data)
            return True
        elif isinstance(event, h11.EndOfMessage):
            return self._complete()
        return False

    def _begin(self, request: h11.Request) -> None:
        """A head is whole: let the application answer."""
        self.shared.waiting.pop(self, None)
        self.is_head = request.method == b"HEAD"
        heads.check(request)
        self.body_begun, self.received, self.chunks = self.loop.time(), 0, 0
        self._await_body()
        self.headers = list(request.headers)
        self.scope = cast("Any", self._scope_of(request))
        self.cycle = Exchange(
            scope=self.scope,
            conn=self.conn,
            transport=cast("asyncio.Transport", Outlet(self)),
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

    def _scope_of(self, request: h11.Request) -> dict[str, Any]:
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
            "state": {},
        }

    def _take(self, piece: bytes) -> None:
        """A piece of the body has come; that of a request that is answered is dropped."""
        self.received += len(piece)
        self.chunks += 1
        if self.conn.our_state is h11.DONE:
            return
        if self.chunks > ROOMY and self.received < self.chunks * SMALLEST:
            raise Refusal("bad-request", "The chunks of the body are too small.")
        self._await_body()
        self.cycle.body += piece
        if len(self.cycle.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        self.cycle.message_event.set()

    def _await_body(self) -> None:
        allowed = self.bounds.body + self.received / self.bounds.rate
        self.due = self.body_begun + min(allowed, self.bounds.longest)

    def _complete(self) -> bool:
        """The body is whole; whether there may be more to carry out."""
        self.due = None
        if self.conn.our_state is h11.DONE:
            self.conn.start_next_cycle()
            self._await_head(self.bounds.idle)
            return True
        self.cycle.more_body = False
        self.cycle.message_event.set()
        return self.conn.their_state is not h11.MUST_CLOSE

    # -- replying ---------------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """The reply is written: wait for the next request."""
        self.server_state.total_requests += 1
        if self.has_ended or self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.conn.their_state is h11.DONE and self.conn.our_state is h11.DONE:
            self._await_head(self.bounds.idle)
            self.conn.start_next_cycle()
            self.advance()

    def refuse(self, refusal: Refusal, is_sending: bool = True) -> None:
        """Answer without the application, and carry out nothing more."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.abort()
                return
        self.transport.write(refusals.raw(refusals.response_of(refusal), not self.is_head))
        self.end(is_sending)

    def end(self, is_sending: bool = True) -> None:
        """The last reply is written. What the client still sends is read and dropped for a while:
        to close at once would reset the connection, and take the reply from it."""
        self.has_ended = True
        self.shared.waiting.pop(self, None)
        is_whole = self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
        is_sending = is_sending and not (is_whole and not self.conn.trailing_data[0])
        if self.transport.is_closing() or not is_sending:
            self.transport.close()
            return
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.due = self.loop.time() + self.bounds.linger

    def _discard(self, size: int) -> None:
        self.discarded += size
        if self.discarded > self.bounds.discarded:
            self.transport.abort()

    # -- time -------------------------------------------------------------------------------------

    def look(self, now: float) -> None:
        """End what has taken too long."""
        if self.due is not None and now >= self.due:
            self._give_up()
        self._check_taken(now)

    def _give_up(self) -> None:
        """The present phase has taken too long."""
        self.due = None
        if self.has_ended:
            self.transport.abort()
        elif self in self.shared.waiting and not self.has_begun:
            self.transport.close()
        else:
            late = Refusal("request-timeout", "The request did not come in time.")
            self.refuse(late, is_sending=False)  # it is silent: nothing is on its way

    def _check_taken(self, now: float) -> None:
        """Close a connection whose client reads nothing of what waits for it."""
        waiting = self.transport.get_write_buffer_size()
        unsent = waiting + unacknowledged(self.transport) if waiting else 0
        if not unsent or not self.unsent or unsent < self.unsent:
            self.taken_at = now
        self.unsent = unsent
        if unsent and now - self.taken_at >= self.bounds.reply:
            self.transport.abort()


class Exchange(RequestResponseCycle):
    """A request and its reply."""

    async def send_500_response(self) -> None:
        """The application failed outside of Django."""
        response = refusals.response_of(Refusal("internal-error", ""))
        for message in refusals.messages(response):
            await self.send(cast("Any", message))


class Outlet:
    """The transport as an exchange sees it: to close it is to end the connection in order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._transport = connection.transport
        self.write = self._transport.write
        self.is_closing = self._transport.is_closing

    def close(self) -> None:
        """The reply is the last, or was broken off."""
        if self._connection.cycle.response_complete:
            self._connection.end()
        else:
            self._transport.close()


def unacknowledged(transport: asyncio.Transport) -> int:
    """The bytes that the kernel holds for the client."""
    sock = transport.get_extra_info("socket")
    try:
        (size,) = struct.unpack("i", fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4)))
    except (OSError, AttributeError):
        return 0
    return int(size)
