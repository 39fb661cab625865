"""Raw SQL as prepared statements: run as Django runs it, except that PostgreSQL plans a statement
only once per connection and answers in binary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection


@contextmanager
def execute_prepared(query: str, values: Sequence[Any]) -> Iterator[Any]:
    """The cursor of an executed statement."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            yield cursor
        return
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    # Django's own cursors write the values into the statement, so that each is planned again
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(query, values, prepare=True, binary=True)
        yield cursor
