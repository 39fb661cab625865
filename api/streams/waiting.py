"""How long may an answer be held back? As long as the client prefers (RFC 7240), on the event loop:
nobody who waits keeps a thread."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any, Final, NamedTuple

import orjson
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Refusal
from api.streams.lasting import (
    Lasting,
    Message,
    Receive,
    Send,
    can_last,
    gone,
    last,
    with_headers,
)
from api.streams.reading import AWAY, in_a_thread
from api.streams.revoking import revocations
from api.streams.sending import Outgoing, transport_of
from api.streams.watching import Listener, watch
from games.engines.common import codec
from games.repeated import OncePerSecond

LONGEST: Final = 25  # seconds
PAUSE: Final = 1.0  # seconds until a database that is away is asked again
ENOUGH: Final = 5  # seconds in which an answer can be brought up to date, if the database answers
WAIT: Final = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;.*)?', re.IGNORECASE)
APPLIED: Final = "Preference-Applied"

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecond())


class Awaited(NamedTuple):
    """What is waited for: in which game, whether it has happened, and the answer's shape then; and
    after how many seconds one looks again, if it is nothing that a log tells."""

    game: str
    has_happened: Callable[[], bool]
    answer: Callable[[], Any]
    look: float = inf


def wished(request: Request) -> int:
    """For how many seconds the client would wait."""
    said = request.headers.get("Prefer", "").split(",")
    found = [match for wish in said if (match := WAIT.fullmatch(wish.strip()))]
    return min(LONGEST, int(found[0][1])) if found else 0


def waited_for(request: Request, response: Response, awaited: Awaited) -> Response:
    """The response, held back until that has happened, or it has lasted too long, and brought up to
    date. If too many wait already, the response as it is."""
    seconds = wished(request)
    if not seconds or not can_last(request):
        return response
    try:
        last(request, Wait(request, seconds, awaited))
    except Refusal:
        return response
    response[APPLIED] = f"wait={seconds}"
    return response


class Wait(Lasting):
    """An answer that is held back."""

    def __init__(self, request: Request, seconds: int, awaited: Awaited) -> None:
        super().__init__(request)
        self._seconds = seconds
        self._awaited = awaited
        self._is_revoked = False

    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Answer when it is time. What was held back may be told whatever has become of the key
        since; what is new may not."""
        out = Outgoing(send, transport_of(receive))
        leaving = asyncio.create_task(gone(receive))
        try:
            await self._listen(leaving)
            for message in held if self._is_revoked else await self._brought_up_to_date(held):
                await out.send(message)
        finally:
            leaving.cancel()

    async def _listen(self, leaving: asyncio.Task[None]) -> None:
        with watch.listening(self._awaited.game) as listener:

            def revoke() -> None:
                self._is_revoked = True
                listener.end()

            with revocations.ending(self.key, revoke), suppress(TimeoutError):
                leaving.add_done_callback(lambda _: listener.end())
                async with asyncio.timeout(self._seconds):
                    await self._happened(listener)

    async def _happened(self, listener: Listener) -> None:
        while not listener.ended.done():
            listener.take()
            try:
                if await in_a_thread(self._awaited.has_happened):
                    return
            except AWAY as problem:
                logger.warning("Whether something has happened cannot be read: %s", problem)
                await asyncio.wait([listener.ended], timeout=PAUSE)
                continue
            except Exception as problem:  # noqa: BLE001  # the answer is there all the same
                logger.warning("Nothing can be waited for: %r", problem)
                return
            await listener.wait(self._awaited.look)

    async def _brought_up_to_date(self, held: list[Message]) -> list[Message]:
        try:
            async with asyncio.timeout(ENOUGH):
                shape = await in_a_thread(self._awaited.answer)
        except (Refusal, Http404):  # not theirs any more
            return held
        except Exception as problem:  # noqa: BLE001  # what was true remains true
            logger.warning("An answer cannot be brought up to date: %r", problem)
            return held
        body = orjson.dumps(codec.to_json(shape))
        start = with_headers(held[0], {b"content-length": b"%d" % len(body)})
        return [start, {"type": "http.response.body", "body": body}]
