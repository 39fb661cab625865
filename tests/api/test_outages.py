"""An unavailable database, disk or broker is reported truthfully as such, wherever it fails."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any, Final

import kombu.exceptions
import psycopg.errors
import pytest
import redis.exceptions
from django.db import InterfaceError, InternalError, OperationalError, connection
from django.db.transaction import TransactionManagementError

from api import outages
from api.keys import key_cache
from api.models import Key
from games.models import Entry
from games.write_health import write_health
from tests.api.program import Program
from tests.api.world import BASE, World
from web.views import Shell

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def read_only() -> InternalError:
    """The error of PostgreSQL on a standby, or on a read-only disk."""
    problem = InternalError("cannot execute INSERT in a read-only transaction")
    problem.__cause__ = psycopg.errors.ReadOnlySqlTransaction()
    return problem


OUTAGES: Final = [
    OperationalError("the connection is lost"),
    OperationalError("database or disk is full"),
    OperationalError("attempt to write a readonly database"),
    InterfaceError("connection already closed"),
    TransactionManagementError("An error occurred in the current transaction."),
    read_only(),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EROFS, "Read-only file system"),
    kombu.exceptions.OperationalError("the broker is away"),
    redis.exceptions.ConnectionError("Error 111"),
    redis.exceptions.TimeoutError("Timeout reading from socket"),
]
Break = Callable[[Exception, str], Any]


@pytest.fixture(autouse=True)
def new_outage_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new outage log for each test, so that its first line is not throttled."""
    monkeypatch.setattr(outages, "outage_log", outages.OutageLog())


@pytest.fixture
def break_statements() -> Break:
    """Make all statements with this beginning fail."""

    def fail(problem: Exception, begins: str) -> Any:
        def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if sql.lstrip().startswith(begins):
                raise problem
            return run(sql, params, many, context)

        return connection.execute_wrapper(execute)

    return fail


def unavailable(response: Any) -> str:
    """Assert that a response reports an outage; its detail."""
    assert response.status_code == 503, response.content
    assert response["Retry-After"] == "3"
    document = response.json()
    assert document["code"] == "unavailable"
    return str(document["detail"])


@pytest.mark.parametrize("problem", OUTAGES, ids=str)
def test_a_read_says_that_nothing_was_changed(
    client: Program, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def fail(*_: Any) -> Any:
        raise problem

    monkeypatch.setattr("api.rulesets.RulesetsEndpoint.get", fail)
    assert "Nothing was changed" in unavailable(client.get("/api/v1/rules"))
    assert write_health.last_failure is None


@pytest.mark.parametrize("problem", OUTAGES, ids=str)
def test_a_write_says_that_it_may_have_been_done(
    client: Program, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def fail(*_: Any) -> Any:
        raise problem

    monkeypatch.setattr("api.accounts.GuestsEndpoint.post", fail)
    detail = unavailable(client.send("/api/v1/guests", {}))
    assert "may have been processed" in detail
    assert "Idempotency-Key" in detail


@pytest.mark.parametrize(
    "problem", [InternalError("index is corrupted"), OSError(errno.ENOENT, "none"), ValueError()]
)
def test_other_failures_are_mistakes_of_ours(
    client: Program, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def fail(*_: Any) -> Any:
        raise problem

    monkeypatch.setattr("api.rulesets.RulesetsEndpoint.get", fail)
    response = client.get("/api/v1/rules")
    assert response.status_code == 500
    assert response.json()["code"] == "internal-error"
    assert "Nothing was changed" not in response.json()["detail"]


class TestWhereverItFails:
    def test_while_the_key_is_looked_up(self, world: World, break_statements: Break) -> None:
        key_cache.clear()
        with break_statements(OUTAGES[0], "SELECT"):
            unavailable(world.as_ada.get("/api/v1/me"))

    def test_while_a_game_is_appended_to(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any) -> None:
            raise OperationalError("the connection is lost in COMMIT")

        game = world.playing()
        body, before = world.body(game), Entry.objects.count()
        with monkeypatch.context() as patch:
            patch.setattr("games.services.append_transaction.append_rows", fail)
            detail = unavailable(world.as_ada.send(f"/api/v1/games/{game}/actions", body))
        assert "may have been processed" in detail
        assert write_health.last_failure
        assert Entry.objects.count() == before
        assert world.as_ada.send(f"/api/v1/games/{game}/actions", body).status_code == 201

    def test_on_a_page_outside_of_the_api(
        self, client: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise OperationalError("away")

        monkeypatch.setattr(Shell, "get", fail)
        assert "Nothing was changed" in unavailable(Program().generic("GET", "/"))

    def test_in_a_middleware(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: Any) -> None:
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr("whitenoise.middleware.WhiteNoiseMiddleware.__call__", fail)
        assert "Nothing was changed" in unavailable(Program().get("/api/v1/healthz"))


class TestTheLog:
    @pytest.fixture
    def records(
        self, client: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> list[Any]:
        """The log records of a hundred requests during an outage."""

        def fail(*_: Any) -> None:
            raise OperationalError("away\nand more")

        monkeypatch.setattr("api.rulesets.RulesetsEndpoint.get", fail)
        for _ in range(100):
            client.get("/api/v1/rules")
        return [record for record in caplog.records if record.name == "api.outages"]

    def test_has_one_line_for_many(self, records: list[Any]) -> None:
        assert [line.message for line in records] == [
            "1 requests were answered with 503; the last error: OperationalError: away"
        ]
        assert records[0].exc_info is None

    def test_counts_the_others(self, records: list[Any], caplog: pytest.LogCaptureFixture) -> None:
        outages.outage_log._logged_at -= outages.LOG_INTERVAL_SECONDS
        outages.outage_log.record(OperationalError("still"))
        assert (
            "100 requests were answered with 503; the last error: OperationalError: still"
            in caplog.text
        )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "problem", [OperationalError("database or disk is full"), read_only()], ids=["full", "standby"]
)
def test_where_nothing_can_be_written_a_key_still_reads(
    world: World, break_statements: Break, problem: Exception
) -> None:
    game = world.playing()
    Key.objects.update(last_used=None)
    key_cache.clear()
    with break_statements(problem, "UPDATE"):
        assert world.as_ada.get(f"{BASE}/games/{game}").status_code == 200
    assert not Key.objects.exclude(last_used=None).exists()
