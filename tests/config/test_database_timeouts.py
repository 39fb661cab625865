"""A PostgreSQL statement ends in time, on a server that answers late or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from config import database_timeouts
from tests.config.processes import PATIENCE
from tests.support.databases import is_on_server

pytestmark = [
    pytest.mark.stores,
    pytest.mark.skipif(not is_on_server(), reason="SQLite has no server that hangs"),
]


def reported_timeouts(cursor: Any) -> dict[str, str]:
    """The timeouts that the server reports."""
    cursor.execute("SELECT name, setting FROM pg_settings WHERE name LIKE '%%timeout'")
    return dict(cursor.fetchall())


@pytest.fixture
def other(django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseDatabaseWrapper]:
    """Another connection, with a statement limit of one second plus a short grace period."""
    monkeypatch.setattr(settings, "DATABASE_SECONDS", 1)
    monkeypatch.setattr(database_timeouts, "CLIENT_GRACE_SECONDS", 0.5)
    with django_db_blocker.unblock():
        other_connection = connection.copy("other")
        yield other_connection
        other_connection.close()


def backend_of(database: BaseDatabaseWrapper) -> int:
    """The process of the server that serves a connection."""
    database.ensure_connection()
    driver: Any = database.connection
    return int(driver.info.backend_pid)


def end(backend: int) -> None:
    """End such a process, and wait until it has ended."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 60000)", [backend])


def test_every_connection_has_limits(other: BaseDatabaseWrapper) -> None:
    with other.cursor() as cursor:
        timeouts = reported_timeouts(cursor)
    assert timeouts["statement_timeout"] == "20000"
    assert timeouts["lock_timeout"] == "10000"
    assert timeouts["idle_in_transaction_session_timeout"] == "60000"
    parameters = other.get_connection_params()
    assert parameters["tcp_user_timeout"] == "10000"
    assert parameters["keepalives_idle"] == "5"


HANG: Final = "SET statement_timeout = 0; SELECT pg_sleep(60)"  # the server keeps no limit


def test_a_server_that_does_not_answer_is_given_up(other: BaseDatabaseWrapper) -> None:
    hanging = backend_of(other)
    try:
        with pytest.raises(OperationalError, match="no answer for 2 s"), other.cursor() as cursor:
            cursor.execute(HANG)
        assert other.connection.closed
        other.close()
        with other.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,), "the next one is a new connection"
    finally:
        end(hanging)  # it would keep the database from being dropped


def test_one_that_answers_late_says_so_itself(
    other: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_timeouts, "CLIENT_GRACE_SECONDS", PATIENCE)
    with other.cursor() as cursor:
        cursor.execute("SET statement_timeout = '100ms'")
        with pytest.raises(OperationalError, match="statement timeout"):
            cursor.execute("SELECT pg_sleep(60)")
    assert not other.connection.closed


def test_migrations_take_as_long_as_they_take(
    other: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.ensure_connection()
    monkeypatch.setattr(database_timeouts, "connections", {"other": other})
    database_timeouts.lift_limits("other")
    with other.cursor() as cursor:
        assert reported_timeouts(cursor)["statement_timeout"] == "0"
        cursor.execute("SELECT pg_sleep(2)")  # beyond the limit of other statements


def begin_request(database: BaseDatabaseWrapper) -> None:
    """Check the connection as before the first query of a request."""
    database.close_if_unusable_or_obsolete()
    database.close_if_health_check_failed()


def test_a_connection_that_the_server_has_closed_is_replaced(other: BaseDatabaseWrapper) -> None:
    closed = backend_of(other)
    end(closed)
    begin_request(other)
    with other.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert backend_of(other) != closed


def test_one_that_could_not_be_made_again_is_not_usable(other: BaseDatabaseWrapper) -> None:
    """As when the server ends while it migrates."""
    other.ensure_connection()
    other.close()
    assert other.connection is None
    assert not other.is_usable()


def test_a_connection_that_lives_is_kept_without_a_query(
    other: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = backend_of(other)
    with monkeypatch.context() as patch:
        patch.setattr(other, "cursor", lambda: pytest.fail("the server was asked"))
        begin_request(other)
    assert backend_of(other) == backend
