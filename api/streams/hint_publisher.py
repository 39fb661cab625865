"""The notifier: a hint that names the game, sent to other processes through Redis or PostgreSQL
when a log has grown. A hint may be lost. On SQLite the processes watch the file."""

from __future__ import annotations

from typing import Any, Final

import psycopg
import redis
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.dispatch import receiver

from games.projection.projection import Projection
from games.signals import entries_appended
from jobs.outbox import Outbox, register

GROWTH_CHANNEL: Final = "tabularium_grown"
# parameters that only Django uses
DJANGO_ONLY_PARAMETERS: Final = ("cursor_factory", "context", "prepare_threshold")


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


def connect_redis() -> redis.Redis:
    """A client for publishing."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5, socket_keepalive=True
    )


def redis_channel(client: redis.Redis | redis.asyncio.Redis) -> str:
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


outbox: Final = register(GrowthOutbox())


@receiver(entries_appended)
def notify_growth(table: Projection, **_: Any) -> None:
    """Send a hint that the log of this game has grown."""
    if settings.REDIS_URL or connection.vendor == "postgresql":
        outbox.enqueue(table.game)
