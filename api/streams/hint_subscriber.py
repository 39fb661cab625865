"""The subscriber: receives hints that a log has grown, in this process or another. A hint is a list
of games, or None if any game may have grown. A hint may be lost; the log is the truth."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from typing import Final, TypeAlias

import psycopg
from django.conf import settings
from django.db import connection
from redis.asyncio import Redis

from api.streams.hint_publisher import GROWTH_CHANNEL, database_parameters, redis_channel

SQLITE_POLL_SECONDS: Final = 0.01  # seconds between two checks of the file's version
Hints: TypeAlias = AsyncGenerator[Sequence[str] | None, None]


def subscribe() -> Hints:
    """Hints until the connection breaks; the first is None, once the subscription is active."""
    if settings.REDIS_URL:
        return subscribe_redis()
    if connection.vendor == "postgresql":
        return subscribe_postgres()
    return poll_sqlite()


async def subscribe_redis() -> Hints:
    """Hints through Redis, which sends them to the current subscribers and stores nothing."""
    client = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_keepalive=True)
    async with client, client.pubsub() as channel:
        await channel.subscribe(redis_channel(client))
        async for message in channel.listen():
            is_told = message["type"] == "message"
            yield message["data"].decode().split() if is_told else None


async def subscribe_postgres() -> Hints:
    """Hints through PostgreSQL's LISTEN."""
    listening = await psycopg.AsyncConnection.connect(**database_parameters(), autocommit=True)
    async with listening:
        await listening.execute(f"LISTEN {GROWTH_CHANNEL}")
        yield None
        async for told in listening.notifies():
            yield told.payload.split()


async def poll_sqlite() -> Hints:
    """Hints from polling: SQLite notifies no other process, but its data version changes with every
    commit of another connection. Rows are numbered in the order of their commits, as there is one
    writer at a time."""
    path = connection.get_connection_params()["database"]
    with closing(sqlite3.connect(path, timeout=0)) as file:
        version, last = _query_number(file, "PRAGMA data_version"), _last_entry_row(file)
        yield None
        while True:
            await asyncio.sleep(SQLITE_POLL_SECONDS)
            seen = _query_number(file, "PRAGMA data_version")
            if seen == version:
                continue
            games, last = _games_after_row(file, last)
            version = seen
            yield games


def _query_number(file: sqlite3.Connection, query: str) -> int:
    (number,) = file.execute(query).fetchone()
    return int(number)


def _last_entry_row(file: sqlite3.Connection) -> int:
    return _query_number(file, "SELECT coalesce(max(rowid), 0) FROM games_entry")


def _games_after_row(file: sqlite3.Connection, last: int) -> tuple[list[str], int]:
    """The games of all rows after that one, and the last of these rows."""
    query = "SELECT game_id, max(rowid) FROM games_entry WHERE rowid > ? GROUP BY game_id"
    rows = file.execute(query, [last]).fetchall()
    return [game for game, _ in rows], max([last, *(row for _, row in rows)])
