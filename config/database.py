"""For how long may a statement of PostgreSQL hold up who waits for it? A server or a network that
hangs ends in an error within seconds; nothing waits for ever."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import pre_migrate

GRACE: Final = 5.0  # seconds beyond the server's own limit, after which it must be hung


def limit(connection: Any, **_: Any) -> None:
    """A server that is stopped keeps no limit of its own: so this side has one, too."""
    if connection.vendor == "postgresql":
        opened = connection.connection
        opened.wait = partial(_waited, opened, settings.DATABASE_SECONDS + GRACE)


def _waited(connection: Any, seconds: float, gen: Any, interval: float = 0.1) -> Any:
    try:
        return psycopg.Connection.wait(connection, gen, interval, timeout=seconds)
    except psycopg.errors._WaitTimeout as problem:
        connection.close()  # the answer might come to the next question
        raise psycopg.OperationalError(f"no answer for {seconds:.0f} s") from problem


def unlimit(using: str = "default", **_: Any) -> None:
    """A migration may take as long as it takes."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        connection.connection.__dict__.pop("wait", None)


def watch() -> None:
    """Limit every connection that is opened, but for migrations."""
    connection_created.connect(limit)
    pre_migrate.connect(unlimit)
