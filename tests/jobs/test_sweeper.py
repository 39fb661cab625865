"""The sweeper's round: it queries every outbox for lost messages, and one that fails stops no
other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.core.management import call_command
from django.db import OperationalError

from ai.bot_dispatch import WakeMessage
from jobs import background_publisher, sweeper
from jobs.background_publisher import Outbox
from jobs.management.commands import sweep
from tabularium_log.projection.projection import Projection
from tests.jobs.passing import Later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unbroken"), pytest.mark.stores]


class LosingOutbox(Outbox[str]):
    """An outbox that has lost a message, or fails to find it."""

    loss_message = "%d messages were lost: %s"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.problem: Exception | None = None
        self.find_lost_calls = 0
        self.messages_sent: list[str] = []

    def publish(self, batch: list[str]) -> None:
        self.messages_sent += batch

    def find_lost(self) -> Iterable[str]:
        self.find_lost_calls += 1
        yield f"first of {self.name}"
        if self.problem is not None:
            raise self.problem
        yield f"second of {self.name}"


@pytest.fixture
def losing_outboxes(monkeypatch: pytest.MonkeyPatch) -> list[LosingOutbox]:
    """Three outboxes, the only ones that are registered."""
    monkeypatch.setattr(background_publisher, "_outboxes_by_name", {})
    return [background_publisher.register(LosingOutbox(name)) for name in "abc"]


def messages_sent(outboxes: list[LosingOutbox]) -> list[list[str]]:
    """The messages that each has published until now."""
    for losing_outbox in outboxes:
        losing_outbox.flush_and_stop()
    return [losing_outbox.messages_sent for losing_outbox in outboxes]


class TestOutboxes:
    def test_are_those_of_every_kind_of_message_and_bots_come_first(self) -> None:
        names = [registered.name for registered in background_publisher.registered_outboxes()]
        assert names == ["bots", "parts", "ratings", "replays", "growth hints", "webhooks"]

    def test_are_registered_once(self, losing_outboxes: list[LosingOutbox]) -> None:
        with pytest.raises(AssertionError):
            background_publisher.register(LosingOutbox("a"))

    def test_are_all_asked_for_their_lost_messages(
        self, losing_outboxes: list[LosingOutbox]
    ) -> None:
        assert sweeper.sweep() == 6
        assert messages_sent(losing_outboxes) == [
            [f"first of {name}", f"second of {name}"] for name in "abc"
        ]

    def test_that_fail_stop_no_other(
        self, losing_outboxes: list[LosingOutbox], caplog: pytest.LogCaptureFixture
    ) -> None:
        losing_outboxes[1].problem = ValueError("broken")
        assert sweeper.sweep() == 4
        assert messages_sent(losing_outboxes)[1:] == [["first of b"], ["first of c", "second of c"]]
        (line,) = caplog.messages
        assert line.startswith("The sweeper failed at the outbox of b (1 times in a row)")
        assert line.endswith("tries again in 1 s: ValueError: broken")

    @pytest.mark.lane("processes")
    def test_that_fail_are_retried_and_reported_ever_less_often_but_every_minute(
        self, losing_outboxes: list[LosingOutbox], later: Later, caplog: pytest.LogCaptureFixture
    ) -> None:
        losing_outboxes[1].problem = ValueError("broken")
        for _ in range(600):
            later(1)
            sweeper.sweep()
        assert 10 <= losing_outboxes[1].find_lost_calls == len(caplog.messages) <= 20
        assert losing_outboxes[2].find_lost_calls == 600
        assert [line.exc_info is not None for line in caplog.records].count(True) == 1
        losing_outboxes[1].problem = None
        later(60)
        assert sweeper.sweep() == 6

    def test_that_the_database_fails_end_the_round_and_let_the_others_go_first(
        self, losing_outboxes: list[LosingOutbox], later: Later
    ) -> None:
        losing_outboxes[1].problem = OperationalError("away")
        with pytest.raises(OperationalError):
            sweeper.sweep()
        assert [losing_outbox.find_lost_calls for losing_outbox in losing_outboxes] == [1, 1, 0]
        assert sweeper.sweep() == 4
        assert [losing_outbox.find_lost_calls for losing_outbox in losing_outboxes] == [2, 1, 1]
        later(5)
        losing_outboxes[1].problem = None
        assert sweeper.sweep() == 6


class TestTheSweeper:
    @pytest.fixture(autouse=True)
    def one_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would close the test's connection, which is within a transaction."""
        monkeypatch.setattr(sweep, "close_old_connections", lambda: None)

    def test_makes_one_round(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        woken.clear()
        call_command("sweep", once=True)
        assert len(woken) == 1

    def test_goes_on_after_a_round_that_fails(
        self, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def raise_outage() -> int:
            raise ConnectionError("the database is away")

        monkeypatch.setattr(sweeper, "sweep", raise_outage)
        call_command("sweep", once=True)
        assert "the database is away" in caplog.text
