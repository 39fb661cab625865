"""Readiness is reported truthfully, even if a part hangs or fails or a clock is set back."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Event
from typing import Any, Final

import pytest
from celery import current_app
from django.db import Error, OperationalError, connection, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone

from api import readiness
from api.errors import Refusal
from api.readiness import SharedProbe
from api.shapes.readiness import Check, Readiness
from games import position_cache
from games.models import Account, Game
from games.services.append_transaction import announce_after_commit
from games.write_health import write_health
from jobs import heartbeats
from jobs.models import ProcessHeartbeat
from tests.games.sitting import bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

READY = "/api/v1/readyz"
WELL: Final = Check(True, "well")
ALL_WELL: Final = Readiness("ready", WELL, WELL, WELL, WELL, WELL, WELL, WELL)


class Clocks:
    """A settable time of day, and a monotonic clock that only advances."""

    def __init__(self) -> None:
        self.day, self.running = timezone.now(), 1000.0

    def run(self, seconds: float) -> None:
        """Advance both clocks."""
        self.day += timedelta(seconds=seconds)
        self.running += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Clocks that only advance when a test runs them."""
    clocks = Clocks()
    monkeypatch.setattr("django.utils.timezone.now", lambda: clocks.day)
    for module in ("jobs.heartbeats", "games.write_health", "api.readiness"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: clocks.running)
    return clocks


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats are written at once, and earlier ones are forgotten."""
    monkeypatch.setattr(heartbeats, "_last_beat_times", {})
    monkeypatch.setattr(heartbeats, "reader", heartbeats.HeartbeatReader())
    monkeypatch.setattr(readiness, "_check_broker", readiness._BrokerCheck())
    monkeypatch.setattr(readiness, "_check_stalled_games", readiness._StalledGamesCheck())


def ready(client: Client) -> Any:
    """The readiness document."""
    response = client.get(READY)
    assert response.status_code == 200, response.json()
    return response.json()


def game_waiting_since(at: datetime) -> str:
    """A game that waits for a bot since its last entry, which is from that time."""
    game = bot_game()
    Game.objects.filter(pk=game).update(awaited=1, bots=1, phase="playing", at=at)
    return game


def send_all_heartbeats() -> None:
    """Send a heartbeat of every part."""
    for kind in (heartbeats.BOT_WORKER, heartbeats.SWEEPER):
        heartbeats.beat(kind)


class TestReadiness:
    def test_without_worker_and_sweeper_it_is_degraded(self, client: Client) -> None:
        document = ready(client)
        assert document["status"] == "degraded"
        assert document["worker"] == {"is_ok": False, "detail": "never seen"}
        assert document["database"] == {"is_ok": True, "detail": connection.vendor}

    def test_with_all_parts_it_is_ready(self, client: Client) -> None:
        send_all_heartbeats()
        document = ready(client)
        assert document["status"] == "ready", document
        assert document["sweeper"]["detail"].endswith("was seen 0 s ago")
        assert document["broker"]["detail"] == "canaries arrive"

    def test_it_costs_two_queries_and_no_connection_to_the_broker(
        self, client: Client, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send_all_heartbeats()
        ready(client)
        monkeypatch.setattr(readiness, "_probe_broker", lambda: Check(False, "asked"))
        with django_assert_num_queries(2):  # heartbeats, stalled games
            assert ready(client)["status"] == "ready"

    def test_whoever_is_silent_for_long_is_missed(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        clocks.run(14)
        heartbeats.beat(heartbeats.SWEEPER)
        assert ready(client)["status"] == "ready"
        clocks.run(1)
        document = ready(client)
        assert (document["status"], document["worker"]["is_ok"]) == ("degraded", False)

    def test_each_worker_is_missed(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        heartbeats.beat(heartbeats.BOT_WORKER, "worker@other")
        clocks.run(20)
        send_all_heartbeats()
        worker = ready(client)["worker"]
        assert not worker["is_ok"]
        assert worker["detail"] == "worker@other was seen 20 s ago, the last of 2"

    def test_but_not_for_ever(self, client: Client, clocks: Clocks) -> None:
        heartbeats.beat(heartbeats.BOT_WORKER, "worker@other")
        clocks.run(601)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"
        clocks.run(3601)
        assert heartbeats.delete_old_heartbeats() == 3

    def test_nor_if_it_ended_in_order(self, client: Client, clocks: Clocks) -> None:
        heartbeats.beat(heartbeats.BOT_WORKER, "worker@other")
        heartbeats.retire("worker@other")
        clocks.run(20)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"

    @pytest.mark.parametrize("kind", heartbeats.OTHER_WORKERS)
    def test_workers_with_long_tasks_have_longer(
        self, client: Client, clocks: Clocks, kind: str
    ) -> None:
        heartbeats.beat(kind)
        clocks.run(89)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"
        clocks.run(1)
        send_all_heartbeats()
        assert kind in ready(client)["worker"]["detail"]

    def test_tables_that_wait_for_bots_are_told(self, client: Client, clocks: Clocks) -> None:
        game = bot_game()
        Game.objects.filter(pk=game).update(awaited=1, bots=1, phase="playing", at=clocks.day)
        clocks.run(14)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"
        clocks.run(2)
        send_all_heartbeats()
        document = ready(client)
        assert document["status"] == "degraded"
        expected = f"a game has waited for a bot for 16 s: {game}"
        assert document["tables"]["detail"] == expected
        Game.objects.filter(pk=game).update(visibility=Game.Visibility.UNLISTED)
        assert game not in ready(client)["tables"]["detail"], "to know its id is to see it"


class TestAClockThatIsSetBack:
    def test_hides_no_table_that_waits(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        ready(client)
        game = game_waiting_since(clocks.day + timedelta(hours=1))
        for seconds, status in ((0, "ready"), (14, "ready"), (1, "degraded")):
            clocks.run(seconds)
            send_all_heartbeats()
            assert ready(client)["status"] == status
        Game.objects.filter(pk=game).update(seq=F("seq") + 1)  # a bot has acted: a new wait
        assert ready(client)["status"] == "ready"

    def test_hides_none_when_it_has_caught_up(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        ready(client)
        game_waiting_since(clocks.day + timedelta(seconds=10))
        for seconds, status in ((0, "ready"), (9, "ready"), (5, "ready"), (2, "degraded")):
            clocks.run(seconds)
            send_all_heartbeats()
            assert ready(client)["status"] == status

    def test_and_whoever_does_not_know_for_how_long_does_not_say_ready(
        self, client: Client, clocks: Clocks
    ) -> None:
        game = game_waiting_since(clocks.day + timedelta(hours=1))
        send_all_heartbeats()
        assert ready(client)["status"] == "degraded"  # the first check by this process
        Game.objects.filter(pk=game).update(seq=F("seq") + 1)
        assert ready(client)["status"] == "ready"

    def test_makes_no_dead_worker_alive(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        ready(client)
        clocks.run(20)
        clocks.day -= timedelta(days=30)
        assert not ready(client)["worker"]["is_ok"]

    def test_not_even_for_a_process_that_sees_it_for_the_first_time(
        self, client: Client, clocks: Clocks
    ) -> None:
        send_all_heartbeats()
        clocks.day -= timedelta(days=30)
        assert not ready(client)["worker"]["is_ok"]

    def test_and_none_dead_that_lives(self, client: Client, clocks: Clocks) -> None:
        send_all_heartbeats()
        ready(client)
        clocks.day -= timedelta(days=30)
        clocks.run(4)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"

    def test_whose_clock_differs_is_alive_as_long_as_it_goes_on(
        self, client: Client, clocks: Clocks
    ) -> None:
        for beats in range(4):
            at = timezone.now() - timedelta(hours=1)  # by the clock of another machine
            for kind in (heartbeats.BOT_WORKER, heartbeats.SWEEPER):
                ProcessHeartbeat.objects.update_or_create(
                    name=kind, defaults={"kind": kind, "at": at, "beats": beats}
                )
            status = ready(client)["status"]
            assert status == ("ready" if beats else "degraded")
            clocks.run(4)
        clocks.run(15)
        assert ready(client)["status"] == "degraded"


class TestWritesThatFail:
    @pytest.fixture
    def full_disk(self) -> Any:
        """A full disk."""

        def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if sql.startswith("INSERT"):
                raise OperationalError("database or disk is full")
            return execute(sql, params, many, context)

        return connection.execute_wrapper(refuse)

    def test_make_it_not_ready(self, client: Client, full_disk: Any, clocks: Clocks) -> None:
        send_all_heartbeats()
        clocks.run(1)
        with full_disk, pytest.raises(OperationalError), transaction.atomic():
            Account.objects.create()
        clocks.run(2)
        response = client.get(READY)
        assert response.status_code == 503
        assert response.json()["code"] == "not-ready"
        detail = "writes: the last write failed 2 s ago: OperationalError: database or disk is full"
        assert detail in response.json()["detail"]

    def test_until_somebody_has_written(
        self, client: Client, full_disk: Any, clocks: Clocks
    ) -> None:
        with full_disk, pytest.raises(OperationalError), transaction.atomic():
            Account.objects.create()
        clocks.run(1)
        send_all_heartbeats()
        assert ready(client)["status"] == "ready"

    def test_or_a_game_goes_on_here(self, full_disk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        with full_disk, pytest.raises(OperationalError), transaction.atomic():
            Account.objects.create()
        assert write_health.last_failure
        Account.objects.create()
        assert write_health.last_failure is not None, "a transaction may still fail"
        monkeypatch.setattr(transaction, "on_commit", lambda callback, robust: callback())
        announce_after_commit(position_cache.current_position(bot_game()), 1)
        assert write_health.last_failure is None

    def test_reads_say_nothing_of_writes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: Any) -> Any:
            raise OperationalError("away")

        with connection.execute_wrapper(refuse), pytest.raises(OperationalError):
            list(Account.objects.all())
        assert write_health.last_failure is None


class TestADatabaseThatIsAway:
    def test_is_told(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: Any) -> None:
            raise Error("away")

        monkeypatch.setattr(heartbeats.HeartbeatReader, "latest_heartbeats", fail)
        response = client.get(READY)
        assert response.status_code == 503
        assert "Error: no answer" in response.json()["detail"]
        assert response["Retry-After"]

    def test_so_are_migrations_that_are_missing(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            readiness._MigrationsCheck, "_missing_migrations", staticmethod(lambda: ["ai.9"])
        )
        response = client.get(READY)
        assert response.status_code == 503
        assert "missing: ai.9" in response.json()["detail"]

    def test_that_hangs_keeps_nobody_waiting(self) -> None:
        calls, is_answered = [], Event()

        def hang() -> Readiness:
            calls.append(1)
            is_answered.wait(60)
            return ALL_WELL

        probe = SharedProbe(hang)
        for _ in range(5):
            with pytest.raises(TimeoutError):
                probe(0.05)
        assert calls == [1], "all share one look"
        is_answered.set()
        assert probe(60) == ALL_WELL

    def test_that_hangs_makes_it_not_ready(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def hang(_: float) -> Readiness:
            raise TimeoutError

        monkeypatch.setattr(readiness, "readiness_probe", hang)
        monkeypatch.setattr(readiness, "DATABASE_TIMEOUT_SECONDS", 5)
        with pytest.raises(Refusal, match="no answer for 5 s"):
            readiness.current_readiness()

    def test_what_a_look_raises_is_raised_for_whoever_asked(self) -> None:
        def fail() -> Readiness:
            raise Refusal("not-ready", "away")

        probe = SharedProbe(fail)
        for _ in range(2):
            with pytest.raises(Refusal, match="away"):
                probe(60)


class TestTheBroker:
    def test_that_does_not_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(**_: Any) -> None:
            raise OSError("away")

        monkeypatch.setattr(current_app, "connection_for_write", fail)
        assert readiness._probe_broker() == Check(False, "OSError: no answer")

    def test_that_hangs_is_not_waited_for(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        released = Event()

        def hang() -> Check:
            released.wait(60)
            return WELL

        monkeypatch.setattr(readiness, "BROKER_TIMEOUT_SECONDS", 0.05)
        monkeypatch.setattr(readiness, "broker_probe", SharedProbe(hang))
        assert ready(client)["broker"] == {"is_ok": False, "detail": "no answer for 0 s"}
        released.set()

    def test_is_asked_before_the_workers_count_as_dead(
        self, client: Client, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send_all_heartbeats()
        away = Check(False, "it hangs")
        monkeypatch.setattr(readiness, "broker_probe", SharedProbe(lambda: away))
        assert ready(client)["broker"]["detail"] == "canaries arrive"
        clocks.run(readiness.CANARY_MISSED_AFTER.total_seconds() + 1)
        document = ready(client)
        assert document["broker"] == {"is_ok": False, "detail": "it hangs"}
        assert document["worker"]["is_ok"]
        assert document["status"] == "degraded"

    def test_is_asked_only_now_and_then(
        self, client: Client, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        probes: list[Check] = []

        def probe() -> Check:
            probes.append(WELL)
            return WELL

        monkeypatch.setattr(readiness, "broker_probe", SharedProbe(probe))
        for _ in range(10):
            assert ready(client)["broker"]["is_ok"]
            clocks.run(1)
        assert len(probes) == 2
