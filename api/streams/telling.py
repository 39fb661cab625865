"""How do other processes hear that a log has grown? By a hint that names the game, through Redis or
PostgreSQL; it may be lost. On SQLite they see it in the file."""

from __future__ import annotations

from typing import Any, Final

import psycopg
import redis
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.dispatch import receiver

from games import publishing
from games.signals import entries_appended
from games.table.table import Table

CHANNEL: Final = "tabularium_grown"
OWN: Final = ("cursor_factory", "context", "prepare_threshold")  # what Django adds for itself


class Publisher(publishing.Publisher[str]):
    """What tells of games; whoever does not hear it looks from time to time."""

    lost = "Nobody was told of %d entries: %s"

    def __init__(self) -> None:
        super().__init__()
        self._server: redis.Redis | psycopg.Connection[Any] | None = None

    def publish(self, batch: list[str]) -> None:
        """Name these games."""
        games = " ".join(dict.fromkeys(batch))
        try:
            if self._server is None:
                self._server = redis_server() if settings.REDIS_URL else database_server()
            if isinstance(self._server, redis.Redis):
                self._server.publish(redis_channel(self._server), games)
            else:
                self._server.execute("SELECT pg_notify(%s, %s)", [CHANNEL, games])
        except Exception:
            self._server = None
            raise


def redis_server() -> redis.Redis:
    """Where to publish."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5, socket_keepalive=True
    )


def redis_channel(client: redis.Redis | redis.asyncio.Redis) -> str:
    """Redis has channels in common for all its databases; one may serve several installations."""
    return f"{CHANNEL}:{client.connection_pool.connection_kwargs.get('db') or 0}"


def database_server() -> psycopg.Connection[Any]:
    """A connection that nothing else uses."""
    return psycopg.connect(**database_parameters(), autocommit=True)


def database_parameters() -> dict[str, Any]:
    """How Django finds its database."""
    parameters = connection.get_connection_params()
    return {name: value for name, value in parameters.items() if name not in OWN}


publisher = Publisher()


@receiver(entries_appended)
def tell(table: Table, **_: Any) -> None:
    """Let whoever listens to this game know that its log has grown."""
    if settings.REDIS_URL or connection.vendor == "postgresql":
        publisher.put(table.game)
