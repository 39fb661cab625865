"""The queries for metrics cost the same, however many games there are."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api import metric_rows
from api.models import GameCount
from games.models import Game
from tests.games.sitting import SLUG
from tests.support.query_costs import analyze_tables, cost

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

METRICS = "/api/v1/metrics"


def create_games(number: int) -> None:
    """Create this many finished games."""
    now = timezone.now()
    common = {"rules": SLUG, "version": 1, "seats": 2, "secret": b"", "seq": 1, "at": now}
    Game.objects.bulk_create(
        (Game(id=f"game_{uuid4().hex}", hash="", phase="over", **common) for _ in range(number)),
        batch_size=500,
    )


def test_the_sweeper_sums_up_in_bounded_slices() -> None:
    most = metric_rows.GAME_COUNT_BATCH_ROWS * metric_rows.GAME_COUNT_BATCHES_PER_ROUND
    create_games(most + 500)
    with CaptureQueriesContext(connection) as queries:
        metric_rows.compact_game_counts_after_sweep()
    assert len(queries) <= 10 * metric_rows.GAME_COUNT_BATCHES_PER_ROUND
    assert 500 < GameCount.objects.count() < 500 + 2 * metric_rows.GAME_COUNT_BATCHES_PER_ROUND
    metric_rows.compact_game_counts_after_sweep()
    assert GameCount.objects.count() == 1
    assert metric_rows.game_counts() == [(SLUG, "over", most + 500)]


def metrics_queries() -> list[str]:
    """The queries that the metrics endpoint sends to the database."""
    metric_rows.flush_counts()
    with CaptureQueriesContext(connection) as queries:
        Client().get(METRICS)
    return [query["sql"] for query in queries if query["sql"].startswith("SELECT")]


def costs() -> list[Any]:
    """The cost of each of these queries."""
    analyze_tables()
    return [cost(query) for query in metrics_queries()]


KEPT_SMALL = {"api_tally", "api_figure", "ai_pulse", "record_asked", "record_evidence"}
READ_AT_AN_END = {"record_checkpoint"}  # by its key, up to the first row


def test_ten_thousand_games_cost_what_ten_do() -> None:
    create_games(10)
    metric_rows.compact_game_counts_after_sweep()
    before = costs()
    create_games(10_000)
    while metric_rows.compact_game_counts():
        pass
    assert metric_rows.game_counts() == [(SLUG, "over", 10_010)]
    after = costs()
    if connection.vendor == "sqlite":
        assert after == before
        assert {step.split()[1] for steps in after for step in steps} <= KEPT_SMALL | READ_AT_AN_END
    else:
        assert all(
            cost_after <= cost_before for cost_before, cost_after in zip(before, after, strict=True)
        ), (before, after)


def test_to_count_the_games_themselves_is_seen_to_cost_more() -> None:
    query = str(Game.objects.values_list("rules", "phase").order_by().distinct().query)
    create_games(10)
    cost_before = cost(query)
    create_games(1_000)
    cost_after = cost(query)
    if connection.vendor == "sqlite":
        assert [step.split()[1] for step in cost_after] == ["games_game"]
    else:
        assert cost_after >= cost_before + 1_000
