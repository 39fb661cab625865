"""Timeouts of database connections to PostgreSQL: if the server or the network hangs, a call fails
within seconds instead of waiting for ever."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import pre_migrate

from games.database_sockets import is_open

# seconds beyond the server's own limit, after which the server must be hanging
CLIENT_GRACE_SECONDS: Final = 5.0


def limit_connection(connection: Any, **_: Any) -> None:
    """Limit the client side too: a suspended server does not enforce its own limits."""
    if connection.vendor == "postgresql":
        driver_connection = connection.connection
        # Django's own check is a query in each request
        connection.is_usable = lambda: is_open(connection.connection)
        driver_connection.wait = partial(
            _wait_with_timeout, driver_connection, settings.DATABASE_SECONDS + CLIENT_GRACE_SECONDS
        )


def _wait_with_timeout(connection: Any, seconds: float, gen: Any, interval: float = 0.1) -> Any:
    try:
        return psycopg.Connection.wait(connection, gen, interval, timeout=seconds)
    except psycopg.errors._WaitTimeout as problem:
        connection.close()  # otherwise the next query could receive this answer
        raise psycopg.OperationalError(f"no answer for {seconds:.0f} s") from problem


def lift_limits(using: str = "default", **_: Any) -> None:
    """Lift the limits for migrations, which may take any time."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        connection.connection.__dict__.pop("wait", None)


def connect_signals() -> None:
    """Limit every new connection, except during migrations."""
    connection_created.connect(limit_connection)
    pre_migrate.connect(lift_limits)
