"""The handoff of a request from its thread to the event loop, within the limits on open streams and
long polls: of a caller, and of this process. The view names a continuation; the messages of its
response are held back for that continuation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request

from api.errors import Refusal
from api.keys import Caller
from api.limits.client_address import client_address_of
from api.process_board import Kind, board
from api.streams.machine_counts import machine_counts

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTINUATION_KEY: Final = "tabularium.continuation"  # in the scope of a request: its continuation
LOWEST_ERROR_STATUS: Final = 400


class AsyncContinuation(ABC):
    """The rest of a request on the event loop; it counts against its caller's connection limit."""

    def __init__(self, request: Request) -> None:
        self.caller = connection_owner_of(request)
        self.key = key_id_of(request)

    @abstractmethod
    async def run(self, held_messages: list[Message], receive: Receive, send: Send) -> None:
        """Send the messages held back, or others in their place, when it is time."""


def can_hand_over(request: Request) -> bool:
    """Whether the request runs on an event loop."""
    return isinstance(request._request, ASGIRequest)


def connection_owner_of(request: Request) -> str:
    """The owner of the connection for the limit: the account or, without a key, the address."""
    caller: Any = request.user
    return caller.account if isinstance(caller, Caller) else client_address_of(request.META)


def key_id_of(request: Request) -> str | None:
    """The id of the key in the request, if any."""
    caller: Any = request.user
    return caller.key if isinstance(caller, Caller) else None


def hand_over(request: Request, continuation: AsyncContinuation) -> None:
    """Continue the request on the event loop; refused if too many connections are open."""
    connection_limiter.acquire(continuation.caller)
    django_request: Any = request._request
    django_request.scope[CONTINUATION_KEY] = continuation


def handoff_middleware(application: Application) -> Application:
    """The application, with support for continuations."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        held_messages: list[Message] = []

        async def hold(message: Message) -> None:
            if CONTINUATION_KEY in scope:
                held_messages.append(message)
            else:
                await send(message)

        try:
            await application(scope, receive, hold)
            if held_messages:
                await _run_continuation(scope[CONTINUATION_KEY], held_messages, receive, send)
        finally:
            if CONTINUATION_KEY in scope:
                connection_limiter.release(scope[CONTINUATION_KEY].caller)

    return serve


async def _run_continuation(
    continuation: AsyncContinuation, held_messages: list[Message], receive: Receive, send: Send
) -> None:
    if held_messages[0]["status"] < LOWEST_ERROR_STATUS:
        await continuation.run(held_messages, receive, send)
        return
    for message in held_messages:
        await send(message)


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def with_headers(start: Message, changes: dict[bytes, bytes | None]) -> Message:
    """The start of a response with changed headers; None removes one."""
    unchanged = [(name, value) for name, value in start["headers"] if name not in changes]
    added = [(name, value) for name, value in changes.items() if value is not None]
    return {**start, "headers": unchanged + added}


# -- limits on open connections -------------------------------------------------------------------


class ConnectionLimiter:
    """Counts open streams and long polls: those of a caller on all machines, and those of this
    process."""

    def acquire(self, caller: str) -> None:
        """Take a slot, which the caller must release; refused if there is none."""
        if board().total_here(Kind.STREAMS) >= settings.STREAMS_IN_ALL:
            raise Refusal(
                "too-many-streams", "The server has too many open streams: try again later."
            )
        if not self._take(caller, settings.STREAMS_EACH):
            raise Refusal(
                "too-many-streams", f"You have {settings.STREAMS_EACH} open streams: close one."
            )

    def _take(self, caller: str, limit: int) -> bool:
        """Take a slot on this machine and, if there may be others, on all together."""
        if not board().take(Kind.STREAMS, caller, limit):
            return False
        counts = machine_counts()
        if counts is None or counts.take(caller, limit):
            return True
        board().give_back(Kind.STREAMS, caller)
        return False

    def release(self, caller: str) -> None:
        """Give the slot back."""
        board().give_back(Kind.STREAMS, caller)
        if counts := machine_counts():
            counts.give_back(caller)

    @property
    def open_count(self) -> int:
        """The number of slots in use on this machine."""
        streams = Kind.STREAMS
        return board().total_here(streams) + sum(board().totals_elsewhere(streams))


connection_limiter = ConnectionLimiter()
