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

from games import background_publisher
from games.projection.projection import Projection
from games.signals import entries_appended

GROWTH_CHANNEL: Final = "tabularium_grown"
# what Django adds for itself
DJANGO_ONLY_PARAMETERS: Final = (
    "cursor_factory",
    "context",
    "prepare_threshold",
)


class GrowthNotifier(background_publisher.BackgroundPublisher[str]):
    """What tells of games; whoever does not hear it looks from time to time."""

    loss_message = "Nobody was told of %d entries: %s"

    def __init__(self) -> None:
        super().__init__()
        self._connection: redis.Redis | psycopg.Connection[Any] | None = None

    def publish(self, batch: list[str]) -> None:
        """Name these games."""
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
    """Where to publish."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5, socket_keepalive=True
    )


def redis_channel(client: redis.Redis | redis.asyncio.Redis) -> str:
    """Redis has channels in common for all its databases; one may serve several installations."""
    return f"{GROWTH_CHANNEL}:{client.connection_pool.connection_kwargs.get('db') or 0}"


def connect_database() -> psycopg.Connection[Any]:
    """A connection that nothing else uses."""
    return psycopg.connect(**database_parameters(), autocommit=True)


def database_parameters() -> dict[str, Any]:
    """How Django finds its database."""
    parameters = connection.get_connection_params()
    return {name: value for name, value in parameters.items() if name not in DJANGO_ONLY_PARAMETERS}


growth_notifier = GrowthNotifier()


@receiver(entries_appended)
def notify_growth(table: Projection, **_: Any) -> None:
    """Let whoever listens to this game know that its log has grown."""
    if settings.REDIS_URL or connection.vendor == "postgresql":
        growth_notifier.enqueue(table.game)
