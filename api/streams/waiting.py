"""How long may an answer be held back? As long as the client prefers (RFC 7240), on the event loop:
nobody who waits keeps a thread."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from math import inf
from typing import Any, Final, NamedTuple

import orjson
from django.db import Error
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
    place_of,
    with_headers,
)
from api.streams.reading import in_a_thread
from api.streams.watching import Listener, watch
from games.engines.common import codec

LONGEST: Final = 25  # seconds
WAIT: Final = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;.*)?', re.IGNORECASE)
APPLIED: Final = "Preference-Applied"


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
        last(request, Wait(place_of(request), seconds, awaited))
    except Refusal:
        return response
    response[APPLIED] = f"wait={seconds}"
    return response


class Wait(Lasting):
    """An answer that is held back."""

    def __init__(self, caller: str, seconds: int, awaited: Awaited) -> None:
        super().__init__(caller)
        self._seconds = seconds
        self._awaited = awaited

    async def run(self, held: list[Message], receive: Receive, send: Send) -> None:
        """Answer when it is time."""
        leaving = asyncio.create_task(gone(receive))
        try:
            with watch.listening(self._awaited.game) as listener:
                leaving.add_done_callback(lambda _: listener.wake())
                await self._happened(listener, leaving)
            for message in await self._brought_up_to_date(held):
                await send(message)
        finally:
            leaving.cancel()

    async def _happened(self, listener: Listener, leaving: asyncio.Task[None]) -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + self._seconds
        while not (leaving.done() or watch.is_closed):
            listener.take()
            try:
                if await in_a_thread(self._awaited.has_happened):
                    return
            except Error:  # the database is away: the answer is there all the same
                return
            await listener.wait(min(end - clock(), self._awaited.look))
            if clock() >= end:
                return

    async def _brought_up_to_date(self, held: list[Message]) -> list[Message]:
        try:
            shape = await in_a_thread(self._awaited.answer)
        except (Error, Refusal, Http404):  # away, or not theirs any more
            return held
        body = orjson.dumps(codec.to_json(shape))
        start = with_headers(held[0], {b"content-length": b"%d" % len(body)})
        return [start, {"type": "http.response.body", "body": body}]
