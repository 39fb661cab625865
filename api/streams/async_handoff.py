"""How does a request go on, on the event loop, that began in a thread? Its view says who will go on
with it; what it has answered meanwhile is held back for that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request

from api.keys import Caller
from api.limits.client_address import client_address_of
from api.streams.connection_limit import connection_limiter

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTINUATION_KEY: Final = "tabularium.lasting"  # in the scope of a request: who goes on with it
LOWEST_ERROR_STATUS: Final = 400


class AsyncContinuation(ABC):
    """What goes on with a request, in a place of its caller's."""

    def __init__(self, request: Request) -> None:
        self.caller = connection_owner_of(request)
        self.key = key_id_of(request)

    @abstractmethod
    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Send what was held back, or something else, when its time has come."""


def can_hand_over(request: Request) -> bool:
    """Is there an event loop?"""
    return isinstance(request._request, ASGIRequest)


def connection_owner_of(request: Request) -> str:
    """Whose place it takes: the account's, or, of strangers, the address's."""
    caller: Any = request.user
    return caller.account if isinstance(caller, Caller) else client_address_of(request.META)


def key_id_of(request: Request) -> str | None:
    """The key that was shown, if any."""
    caller: Any = request.user
    return caller.key if isinstance(caller, Caller) else None


def hand_over(request: Request, lasting: AsyncContinuation) -> None:
    """Let this go on with the request; refused if too many wait already."""
    connection_limiter.acquire(lasting.caller)
    asked: Any = request._request
    asked.scope[CONTINUATION_KEY] = lasting


def handoff_middleware(application: Application) -> Application:
    """The application, with requests that last."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        held: list[Message] = []

        async def hold(message: Message) -> None:
            if CONTINUATION_KEY in scope:
                held.append(message)
            else:
                await send(message)

        try:
            await application(scope, receive, hold)
            if held:
                await _run_continuation(scope[CONTINUATION_KEY], held, receive, send)
        finally:
            if CONTINUATION_KEY in scope:
                connection_limiter.release(scope[CONTINUATION_KEY].caller)

    return serve


async def _run_continuation(
    who: AsyncContinuation, held: list[Message], receive: Receive, send: Send
) -> None:
    if held[0]["status"] < LOWEST_ERROR_STATUS:
        await who.run(held, receive, send)
        return
    for message in held:
        await send(message)


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def with_headers(start: Message, changed: dict[bytes, bytes | None]) -> Message:
    """The start of an answer with other headers; None takes one away."""
    kept = [(name, value) for name, value in start["headers"] if name not in changed]
    new = [(name, value) for name, value in changed.items() if value is not None]
    return {**start, "headers": kept + new}
