"""Publish/subscribe between processes, through Redis or PostgreSQL; on SQLite the processes watch
the file. The messages are growth hints, names of games whose logs have grown or in which a
challenge was declined, and of accounts whose recovery codes were used. A hint may be lost; the rows
are the truth."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from typing import Any, Final, TypeAlias

import psycopg
import redis
from django.conf import settings
from django.db import connection
from django.dispatch import receiver
from redis import asyncio as async_redis

from games.signals import challenge_declined, entries_appended
from jobs.background_publisher import Outbox, register
from tabularium_log.projection.projection import Projection

GROWTH_CHANNEL: Final = "tabularium_grown"
# parameters that only Django uses
DJANGO_ONLY_PARAMETERS: Final = ("cursor_factory", "context", "prepare_threshold")
SQLITE_POLL_SECONDS: Final = 0.01  # seconds between two checks of the file's version

Hints: TypeAlias = AsyncGenerator[Sequence[str] | None, None]  # None: any game may have grown


# -- publishing -----------------------------------------------------------------------------------


class GrowthOutbox(Outbox[str]):
    """Publishes hints. It finds no lost ones: a process that misses one finds the growth when it
    next compares the logs."""

    name = "growth hints"
    loss_message = "Subscribers were not notified of %d entries: %s"

    def __init__(self) -> None:
        super().__init__()
        self._connection: redis.Redis | psycopg.Connection[Any] | None = None

    def publish(self, batch: list[str]) -> None:
        """Publish the names of these games."""
        games = " ".join(dict.fromkeys(batch))
        try:
            if self._connection is None:
                self._connection = connect_redis() if settings.REDIS_URL else connect_database()
            if isinstance(self._connection, redis.Redis):
                self._connection.publish(redis_channel(self._connection), games)
            else:
                self._connection.execute("SELECT pg_notify(%s, %s)", [GROWTH_CHANNEL, games])
        except Exception:
            self._connection = None
            raise


outbox: Final = register(GrowthOutbox())


@receiver(entries_appended)
def publish_growth(table: Projection, **_: Any) -> None:
    """Send a hint that the log of this game has grown."""
    _send_hint(table.game)


@receiver(challenge_declined)
def publish_decline(game: str, **_: Any) -> None:
    """Send a hint that a challenge in this game was declined."""
    _send_hint(game)


def publish_recovery(account: str) -> None:
    """Send a hint that a recovery code of this account was used."""
    _send_hint(account)


def _send_hint(topic: str) -> None:
    if settings.REDIS_URL or connection.vendor == "postgresql":
        outbox.enqueue(topic)


def connect_redis() -> redis.Redis:
    """A client for publishing."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5, socket_keepalive=True
    )


def redis_channel(client: redis.Redis | async_redis.Redis) -> str:
    """The channel. Redis shares channels among its databases, and one Redis may serve several
    installations: the database number is part of the name."""
    return f"{GROWTH_CHANNEL}:{client.connection_pool.connection_kwargs.get('db') or 0}"


def connect_database() -> psycopg.Connection[Any]:
    """A connection that nothing else uses."""
    return psycopg.connect(**database_parameters(), autocommit=True)


def database_parameters() -> dict[str, Any]:
    """The connection parameters of Django's database."""
    parameters = connection.get_connection_params()
    return {name: value for name, value in parameters.items() if name not in DJANGO_ONLY_PARAMETERS}


# -- subscribing ----------------------------------------------------------------------------------


def subscribe() -> Hints:
    """Hints until the connection breaks; the first is None, once the subscription is active."""
    if settings.REDIS_URL:
        return subscribe_redis()
    if connection.vendor == "postgresql":
        return subscribe_postgres()
    return poll_sqlite()


async def subscribe_redis() -> Hints:
    """Hints through Redis, which sends them to the current subscribers and stores nothing."""
    client = async_redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, socket_keepalive=True
    )
    async with client, client.pubsub() as channel:
        await channel.subscribe(redis_channel(client))
        async for message in channel.listen():
            is_publication = message["type"] == "message"
            yield message["data"].decode().split() if is_publication else None


async def subscribe_postgres() -> Hints:
    """Hints through PostgreSQL's LISTEN."""
    listen_connection = await psycopg.AsyncConnection.connect(
        **database_parameters(), autocommit=True
    )
    async with listen_connection:
        await listen_connection.execute(f"LISTEN {GROWTH_CHANNEL}")
        yield None
        async for notification in listen_connection.notifies():
            yield notification.payload.split()


async def poll_sqlite() -> Hints:
    """Hints from polling: SQLite notifies no other process, but its data version changes with every
    commit of another connection. Rows are numbered, and declines and uses have their times, in the
    order of their commits, as there is one writer at a time."""
    path = connection.get_connection_params()["database"]
    with closing(sqlite3.connect(path, timeout=0)) as file:
        version = _query_number(file, "PRAGMA data_version")
        last_row, last_time = _last_entry_row(file), _last_time(file)
        yield None
        while True:
            await asyncio.sleep(SQLITE_POLL_SECONDS)
            current_version = _query_number(file, "PRAGMA data_version")
            if current_version == version:
                continue
            games, last_row = _games_after_row(file, last_row)
            others, last_time = _topics_after(file, last_time)
            version = current_version
            yield [*games, *others]


def _query_number(file: sqlite3.Connection, query: str) -> int:
    (number,) = file.execute(query).fetchone()
    return int(number)


def _last_entry_row(file: sqlite3.Connection) -> int:
    return _query_number(file, "SELECT coalesce(max(rowid), 0) FROM games_entry")


def _games_after_row(file: sqlite3.Connection, last_row: int) -> tuple[list[str], int]:
    """The games of all rows after `last_row`, and the last of these rows."""
    query = "SELECT game_id, max(rowid) FROM games_entry WHERE rowid > ? GROUP BY game_id"
    rows = file.execute(query, [last_row]).fetchall()
    return [game for game, _ in rows], max([last_row, *(row for _, row in rows)])


def _last_time(file: sqlite3.Connection) -> str:
    query = """SELECT max(coalesce((SELECT max(declined) FROM games_challenge), ''),
        coalesce((SELECT max(used) FROM api_recoverycode), ''))"""
    return str(file.execute(query).fetchone()[0])


def _topics_after(file: sqlite3.Connection, last: str) -> tuple[list[str], str]:
    """The games of all challenges that were declined after `last`, the accounts whose recovery
    codes were used, and the last time of these."""
    query = """SELECT game_id, declined FROM games_challenge WHERE declined > :last
        UNION ALL SELECT account_id, used FROM api_recoverycode WHERE used > :last"""
    rows = file.execute(query, {"last": last}).fetchall()
    return [topic for topic, _ in rows], max([last, *(at for _, at in rows)])
