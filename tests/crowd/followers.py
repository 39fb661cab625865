"""The onlookers of a crowd: each follows a game to its end, by a stream or by long polls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any, Final

from tests.chaos.stream_check import StreamedEntry, StreamRecord
from tests.crowd.connections import Origin, Request, open_reply
from tests.crowd.judgement import STREAM, UNANSWERED, Answer
from tests.crowd.people import FIRST_PAUSE, Person

HEARTBEAT_TIMEOUT: Final = 9.0  # seconds of silence; the server sends a sign every three
TOO_MANY: Final = 429
LAST_ENTRY: Final = "table.end"


async def follow_by_long_polls(person: Person, game: str) -> None:
    """Read the log as it grows, until its last entry."""
    record = StreamRecord("long poll", game)
    person.records.streams.append(record)
    while not record.is_ended:
        for entry in await person.wait_for_entry(game, record.last_seq):
            add_entry(record, entry)
            action = entry["action"] or {}  # of another seat, it may be sealed
            record.is_ended = action.get("type") == LAST_ENTRY


async def follow_by_stream(person: Person, origins: Sequence[Origin], game: str) -> None:
    """Follow the stream, from another host after each break, until it reports the end."""
    record = StreamRecord("stream", game)
    person.records.streams.append(record)
    rng = Random(person.rng.getrandbits(64))
    while not record.is_ended:
        origin, sent_at, status = rng.choice(origins), monotonic(), UNANSWERED
        headers = {"Accept": "application/x-ndjson", **person.authorization}
        path = f"/games/{game}/stream?after={record.last_seq}"
        try:
            async with (
                asyncio.timeout(HEARTBEAT_TIMEOUT) as silence,
                open_reply(origin, Request("GET", path, None, headers)) as (head, chunks),
            ):
                status, opened_at = head.status, monotonic()
                person.records.answers.append(
                    Answer(STREAM, origin.name, sent_at, opened_at, status, "")
                )
                if status == 200:
                    await _read(record, chunks, silence)
        except (OSError, EOFError, ValueError, TimeoutError):
            if status == UNANSWERED:
                answer = Answer(STREAM, origin.name, sent_at, monotonic(), status, "")
                person.records.answers.append(answer)
        record.is_ended = status == 204
        if 400 <= status < 500 and status != TOO_MANY:
            record.wrong_answers.append(f"refused with {status} after {record.last_seq}")
            return
        if not record.is_ended:
            await asyncio.sleep(FIRST_PAUSE)


async def _read(record: StreamRecord, chunks: Any, silence: asyncio.Timeout) -> None:
    """Record the entries of one connection."""
    pending = b""
    async for chunk in chunks:
        silence.reschedule(asyncio.get_running_loop().time() + HEARTBEAT_TIMEOUT)
        *lines, pending = (pending + chunk).split(b"\n")
        for line in filter(None, lines):
            add_entry(record, json.loads(line))


def add_entry(record: StreamRecord, entry: Any) -> None:
    """Record an entry that was received."""
    record.entries.append(StreamedEntry(entry["seq"], entry["hash"]))
