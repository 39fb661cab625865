"""Long polling (`Prefer: wait`, RFC 7240). A response is held back on the event loop, so waiting
clients occupy no threads."""

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
from api.streams.database_threads import OUTAGE_EXCEPTIONS, run_in_thread
from api.streams.hub import Listener, hub
from api.streams.key_revocation import revocation_watcher
from api.streams.request_handoff import (
    AsyncContinuation,
    Message,
    Receive,
    Send,
    can_hand_over,
    hand_over,
    wait_for_disconnect,
    with_headers,
)
from api.streams.send_timeout import BoundedSender, transport_of
from games.logging_throttle import OncePerSecondFilter

MAX_WAIT_SECONDS: Final = 25  # seconds
DATABASE_RETRY_SECONDS: Final = 1.0  # seconds before a database that is away is queried again
# seconds allowed for refreshing an answer, if the database responds
REFRESH_TIMEOUT_SECONDS: Final = 5
WAIT_PREFERENCE_PATTERN: Final = re.compile(
    r'wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;.*)?', re.IGNORECASE
)
PREFERENCE_APPLIED_HEADER: Final = "Preference-Applied"

logger = logging.getLogger(__name__)
logger.addFilter(OncePerSecondFilter())


class WaitCondition(NamedTuple):
    """The condition of a long poll: its game, whether it has happened, and the answer then; and the
    seconds between two checks, if no log entry announces it."""

    game: str
    has_happened: Callable[[], bool]
    build_answer: Callable[[], Any]
    poll_seconds: float = inf


def requested_wait_seconds(request: Request) -> int:
    """The seconds that the client is willing to wait."""
    preferences = request.headers.get("Prefer", "").split(",")
    matches = [
        match
        for preference in preferences
        if (match := WAIT_PREFERENCE_PATTERN.fullmatch(preference.strip()))
    ]
    return min(MAX_WAIT_SECONDS, int(matches[0][1])) if matches else 0


def hold_response(request: Request, response: Response, condition: WaitCondition) -> Response:
    """The response, held back until the condition has happened or the time is up, and refreshed. If
    too many connections are open, the response as it is."""
    seconds = requested_wait_seconds(request)
    if not seconds or not can_hand_over(request):
        return response
    try:
        hand_over(request, LongPoll(request, seconds, condition))
    except Refusal:
        return response
    response[PREFERENCE_APPLIED_HEADER] = f"wait={seconds}"
    return response


class LongPoll(AsyncContinuation):
    """A response that is held back."""

    def __init__(self, request: Request, seconds: int, condition: WaitCondition) -> None:
        super().__init__(request)
        self._seconds = seconds
        self._condition = condition
        self._is_revoked = False

    async def run(self, held_messages: list[Message], receive: Receive, send: Send) -> None:
        """Answer when it is time. The response held back may be sent even if the key was revoked
        meanwhile; a refreshed one may not."""
        sender = BoundedSender(send, transport_of(receive))
        disconnect_task = asyncio.create_task(wait_for_disconnect(receive))
        try:
            await self._wait_in_time(disconnect_task)
            messages = held_messages
            if not self._is_revoked:
                messages = await self._refresh_answer(held_messages)
            for message in messages:
                await sender.send(message)
        finally:
            disconnect_task.cancel()

    async def _wait_in_time(self, disconnect_task: asyncio.Task[None]) -> None:
        with hub.listen(self._condition.game) as listener:

            def revoke() -> None:
                self._is_revoked = True
                listener.end()

            with revocation_watcher.end_when_revoked(self.key, revoke), suppress(TimeoutError):
                disconnect_task.add_done_callback(lambda _: listener.end())
                async with asyncio.timeout(self._seconds):
                    await self._wait_for_condition(listener)

    async def _wait_for_condition(self, listener: Listener) -> None:
        while not listener.end_future.done():
            listener.take_updates()
            try:
                if await run_in_thread(self._condition.has_happened):
                    return
            except OUTAGE_EXCEPTIONS as problem:
                logger.warning("The condition of a long poll cannot be checked: %s", problem)
                await asyncio.wait([listener.end_future], timeout=DATABASE_RETRY_SECONDS)
                continue
            except Exception as problem:  # noqa: BLE001  # the held response is sent anyway
                logger.warning("A long poll fails: %r", problem)
                return
            await listener.wait(self._condition.poll_seconds)

    async def _refresh_answer(self, held_messages: list[Message]) -> list[Message]:
        try:
            async with asyncio.timeout(REFRESH_TIMEOUT_SECONDS):
                shape = await run_in_thread(self._condition.build_answer)
        except (Refusal, Http404):  # the caller has lost access
            return held_messages
        except Exception as problem:  # noqa: BLE001  # the response held back is still true
            logger.warning("The response of a long poll cannot be updated: %r", problem)
            return held_messages
        body = orjson.dumps(shape)
        start = with_headers(held_messages[0], {b"content-length": b"%d" % len(body)})
        return [start, {"type": "http.response.body", "body": body}]
