"""Metrics: who may read them, and whether each figure is right."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import Error, connection
from django.test import Client
from django.utils import timezone
from kombu import Connection, Queue
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from api import metric_rows
from api.metrics import request_duration_histogram
from api.models import Delivery, GameCount, Webhook
from api.streams.request_handoff import connection_limiter
from config.logs import BURST_LINES, ThrottleFilter
from games import services
from games.log_store import LostRace, append_rows
from games.models import Account, Game
from games.process_metrics import metrics
from games.ratings import rating_fold
from games.services import append_transaction
from jobs import heartbeats, rating_dispatch
from jobs.background_publisher import Outbox
from jobs.rating_dispatch import RatingMessage
from record.beginning import begin
from record.signing import sign_due
from tabularium_log.projection.table_actions import Clock
from tests.api.world import World
from tests.games.sitting import SLUG, bot_game
from tests.record.recording import KEY, ORIGIN, integrated, use_folder

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

METRICS = "/api/v1/metrics"
TOKEN = "a token of the operator"
PUBLIC = "203.0.113.7"


@pytest.fixture(autouse=True)
def without_earlier_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discard the counts of earlier tests; those of all requests would make a long reply."""
    metrics.drain()
    request_duration_histogram.clear()
    monkeypatch.setattr(metric_rows, "_flushed_at", -metric_rows.FLUSH_INTERVAL_SECONDS)


def read_figures() -> dict[str, float]:
    """All figures, by name and labels."""
    text = Client().get(METRICS).content.decode()
    return {
        sample.name + json.dumps(sample.labels, sort_keys=True): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figure(name: str, **labels: str) -> float:
    """One of the figures."""
    return read_figures()[f"tabularium_{name}{json.dumps(labels, sort_keys=True)}"]


# -- access ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "peer",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "169.254.1.1",
        "::1",
        "fd00::1",
        "fe80::1",
        "::ffff:10.0.0.1",
    ],
)
def test_a_private_address_is_told(client: Client, peer: str) -> None:
    assert client.get(METRICS, REMOTE_ADDR=peer).status_code == 200


@pytest.mark.parametrize(
    "peer", [PUBLIC, "8.8.8.8", "172.32.0.1", "100.64.0.1", "2001:db8::1", "::ffff:8.8.8.8", ""]
)
def test_any_other_is_not(client: Client, peer: str) -> None:
    response = client.get(METRICS, REMOTE_ADDR=peer)
    assert response.status_code == 401
    assert response.json()["code"] == "unauthorized"


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
@pytest.mark.parametrize("value", [PUBLIC, "10.0.0.1", ""])
def test_a_proxy_is_no_private_address(client: Client, name: str, value: str) -> None:
    assert client.get(METRICS, headers={name: value}).status_code == 401


def test_the_token_opens_them_to_all(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "METRICS_TOKEN", TOKEN)
    for token, status in ((TOKEN, 200), (TOKEN + "x", 401), ("", 401), ("ä", 401)):
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get(METRICS, headers=headers, REMOTE_ADDR=PUBLIC).status_code == status


def test_without_a_token_none_opens_them(client: Client) -> None:
    headers = {"Authorization": "Bearer "}
    assert client.get(METRICS, headers=headers, REMOTE_ADDR=PUBLIC).status_code == 401


# -- requests -------------------------------------------------------------------------------------


def test_requests_are_counted_by_route_and_status(client: Client) -> None:
    labels = {"method": "GET", "route": "health", "status": "200"}
    client.get("/api/v1/healthz")
    before = figure("http_request_seconds_count", **labels)
    client.get("/api/v1/healthz")
    client.get("/api/v1/no/such/place")
    assert figure("http_request_seconds_count", **labels) == before + 1
    assert figure("http_request_seconds_count", method="GET", route="other", status="404") >= 1


def test_what_strangers_make_up_is_one_figure(client: Client) -> None:
    for number in range(3):
        client.generic(f"FOO{number}", "/api/v1/healthz")
    assert "FOO" not in client.get(METRICS).content.decode()


# -- games ----------------------------------------------------------------------------------------


def games(phase: str) -> float:
    """The number of games in a phase."""
    return read_figures().get(f"tabularium_games{json.dumps({'phase': phase, 'rules': SLUG})}", 0)


def test_games_are_told_as_they_come_start_and_end(world: World) -> None:
    game = world.gathering()
    assert (games("gathering"), games("playing"), games("over")) == (1, 0, 0)
    services.join_game(game, 1, account=world.bob)
    assert (games("gathering"), games("playing"), games("over")) == (0, 1, 0)
    services.resign_seat(game, 1)
    assert (games("gathering"), games("playing"), games("over")) == (0, 0, 1)


def test_the_sums_are_the_same_however_often_they_are_summed_up(world: World) -> None:
    for _ in range(3):
        world.over()
    world.playing()
    before = metric_rows.game_counts()
    assert metric_rows.compact_game_counts() > 0
    assert metric_rows.game_counts() == before
    assert GameCount.objects.count() == len(
        {(row.rules, row.phase) for row in GameCount.objects.all()}
    )
    assert metric_rows.compact_game_counts() == 0
    assert metric_rows.game_counts() == before


def test_a_transaction_that_fails_changes_no_count(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the database went away")

    before = metric_rows.game_counts()
    monkeypatch.setattr("games.services.game_creation.insert_first_rows", fail)
    with pytest.raises(RuntimeError):
        world.playing()
    assert metric_rows.game_counts() == before


def test_what_a_migration_of_sqlite_forgets_is_laid_again(world: World) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for name in ("api_tally_come", "api_tally_change"):
                cursor.execute(f"DROP TRIGGER {name}")
        world.playing()
        assert games("playing") == 0
    metric_rows.recreate_game_count_triggers(apps.get_app_config("api"), "default")
    before = games("playing")
    world.playing()
    assert games("playing") == before + 1


# -- events ---------------------------------------------------------------------------------------


def test_additions_to_logs_are_counted(world: World) -> None:
    game = world.awaiting()
    appends, entries = figure("appends_total"), figure("entries_total")
    services.resign_seat(game, 1)
    assert figure("appends_total") == appends + 1
    assert figure("entries_total") == entries + 2  # the resignation and the end


def test_lost_races_are_counted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    game = world.playing()
    races = iter([True, True])

    def lose(*args: Any) -> None:
        if next(races, False):
            raise LostRace
        append_rows(*args)

    monkeypatch.setattr(append_transaction, "append_rows", lose)
    services.resign_seat(game, 1)
    assert figure("lost_races_total") == 2


class Refused(Outbox[str]):
    """An outbox whose broker accepts nothing."""

    loss_message = "%d messages were lost: %s"

    def publish(self, batch: list[str]) -> None:
        raise OSError("away")


def test_messages_that_the_broker_does_not_take_are_counted() -> None:
    outbox = Refused()
    for _ in range(3):
        outbox.enqueue("message")
    outbox.flush_and_stop()
    assert figure("publish_failures_total") == 3


def test_dropped_log_lines_are_counted() -> None:
    throttle, line = ThrottleFilter(), logging.makeLogRecord({"name": "x", "msg": "again"})
    passed = sum(throttle.filter(line) for _ in range(BURST_LINES + 1_000))
    assert figure("log_lines_dropped_total") == BURST_LINES + 1_000 - passed > 0


def test_counts_that_the_database_does_not_take_are_carried_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str, number: float) -> None:
        raise Error("away")

    metrics.increment("appends", 2)
    with monkeypatch.context() as patch:
        patch.setattr(metric_rows, "_add_to_metric", fail)
        metric_rows.flush_counts()
    assert metric_rows.stored_metrics().get("appends", 0) == 0
    metric_rows.flush_counts()
    assert metric_rows.stored_metrics()["appends"] == 2


def test_rounds_of_the_sweeper_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.management.commands.sweep.close_old_connections", lambda: None)
    before = figure("sweeper_round_seconds_count")
    call_command("sweep", once=True)
    assert figure("sweeper_round_seconds_count") == before + 1
    assert figure("sweeper_round_seconds_sum") > 0


# -- backlogs -------------------------------------------------------------------------------------


def test_games_that_wait_for_a_bot_are_told() -> None:
    assert figure("games_stalled") == 0
    game = bot_game()
    Game.objects.filter(pk=game).update(at=timezone.now() - timedelta(minutes=1))
    assert figure("games_stalled") == 1


def test_signs_of_life_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeats, "_last_beat_times", {})
    monkeypatch.setattr(heartbeats, "reader", heartbeats.HeartbeatReader())
    heartbeats.beat(heartbeats.SWEEPER)
    assert 0 <= figure("heartbeat_age_seconds", part="sweeper") < 60


def test_streams_that_are_open_are_told() -> None:
    before = figure("streams_open")
    connection_limiter.acquire("somebody")
    try:
        assert figure("streams_open") == before + 1
    finally:
        connection_limiter.release("somebody")


def test_a_delivery_that_is_late_is_told() -> None:
    account = Account.objects.create(name="Ada")
    now = timezone.now()
    hook = Webhook.objects.create(account=account, url="https://x", kinds="", since=now, secret=b"")
    assert figure("webhook_lag_seconds") == 0
    for minutes in (-5, 2, 7):
        due = now - timedelta(minutes=minutes)
        Delivery.objects.create(webhook=hook, kind="ping", text="{}", created=now, due=due)
    assert 420 <= figure("webhook_lag_seconds") < 480


def test_a_rated_game_that_nobody_counts_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = world.over(clock=Clock(60_000, "resign"), rated=True)
    Game.objects.filter(pk=game).update(at=timezone.now() - timedelta(minutes=3))
    monkeypatch.setattr(rating_dispatch.outbox, "scanned_until", None)
    assert list(rating_dispatch.outbox.find_lost()) == [RatingMessage(SLUG, True)]
    assert 180 <= figure("rating_lag_seconds") < 240
    rating_fold.count_games(SLUG, thoroughly=True)
    assert list(rating_dispatch.outbox.find_lost()) == []
    assert figure("rating_lag_seconds") == 0


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """A broker with one queue of this test's own."""
    queue = Queue(f"test_{uuid4().hex}")
    url = settings.REDIS_URL or "spool://localhost"

    def new_connection(**_: Any) -> Connection:
        return Connection(url, transport_options={"folder": str(tmp_path / "spool")})

    monkeypatch.setattr(settings, "CELERY_TASK_QUEUES", [queue])
    monkeypatch.setattr(current_app, "connection_for_write", new_connection)
    with new_connection() as connection:
        yield connection
        queue(connection.default_channel).delete()


@pytest.mark.stores
def test_tasks_that_wait_are_told(broker: Connection) -> None:
    (queue,) = settings.CELERY_TASK_QUEUES
    assert figure("queue_tasks", queue=queue.name) == 0
    producer = broker.Producer()
    for _ in range(3):
        producer.publish({}, routing_key=queue.name, exchange="", declare=[queue])
    assert figure("queue_tasks", queue=queue.name) == 3
    assert figure("broker_up") == 1


def test_a_broker_that_is_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> Connection:
        raise OSError("away")

    monkeypatch.setattr(current_app, "connection_for_write", fail)
    figures_told = read_figures()
    assert figures_told["tabularium_broker_up{}"] == 0
    assert not [name for name in figures_told if name.startswith("tabularium_queue_tasks")]


# -- the record -----------------------------------------------------------------------------------


def test_the_record_has_its_figures(
    world: World, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["leaves", "signed_leaves", "wait_seconds"]

    def figures() -> list[float]:
        return [figure(f"record_{name}") for name in names]

    use_folder(tmp_path, settings, KEY)
    assert figures() == [0, 0, 0]
    assert not [name for name in read_figures() if "record_checkpoint_age" in name]
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=60))
    game = Game.objects.get(pk=world.over())
    monkeypatch.setattr(timezone, "now", lambda: game.at + timedelta(seconds=100))
    assert figures() == [0, 0, 100]
    begin(ORIGIN)
    integrated()
    assert figures() == [1, 0, 0]
    sign_due(game.at + timedelta(seconds=70))
    assert figures() == [3, 3, 0]
    assert figure("record_checkpoint_age_seconds") == 30
