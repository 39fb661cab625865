"""Prometheus metrics and their endpoint: requests, latencies and backlogs. None of them counts over
all games: a scrape costs the same, however many there are."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from datetime import datetime
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from prometheus_client import CollectorRegistry, Histogram, generate_latest, values
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.values import MultiProcessValue
from rest_framework.request import Request
from rest_framework.response import Response

from ai import clock_budget
from api import metric_rows, readiness
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.limits.client_address import is_private_peer
from api.renderers import MetricsRenderer
from api.schema import operation
from api.streams.request_handoff import connection_limiter
from api.webhooks import delivery_attempts
from games import process_metrics as counted
from games import selectors
from jobs import heartbeats
from record import asking as record_asking
from record import status as record_status
from record import witness_status

logger = logging.getLogger(__name__)

LABELLED_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE"})
SERVER_COUNTERS: Final = {  # over all processes
    counted.APPENDS: "Appends to logs, each of one or more entries.",
    counted.ENTRIES: "Entries appended to logs.",
    counted.LOST_RACES: "Appends that were retried because another was faster.",
    counted.PUBLISH_FAILURES: "Messages that the broker did not accept.",
    counted.LINES_DROPPED: "Log lines that were dropped because too many were alike.",
}

registry = CollectorRegistry()
request_duration_histogram = Histogram(
    "tabularium_http_request_seconds",
    "Duration of requests until the start of the response.",
    ["method", "route", "status"],
    registry=registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
)


def route_name(request: HttpRequest) -> str:
    """The name of the route; all unknown paths share one, so that they add no labels."""
    match = request.resolver_match
    return (match and match.view_name) or "other"


def observe_request(method: str | None, route: str, status: int, seconds: float) -> None:
    """Record an answered request."""
    method = method if method in LABELLED_METHODS else "other"
    request_duration_histogram.labels(method, route, status).observe(seconds)


def share_requests(folder: Path, section: int) -> None:
    """From now on, add up the requests of the processes that share this folder. Each has a section,
    whose number no two of them have at a time: the counts go on where a process before it ended."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = MultiProcessValue(lambda: section)  # type: ignore[no-untyped-call]
    registry.unregister(request_duration_histogram)
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]


# -- collected on each scrape ---------------------------------------------------------------------


class ServerCollector(Collector):
    """The metrics of the whole server, read at the time of the scrape."""

    def collect(self) -> Iterator[Metric]:
        """Yield all of them."""
        metric_rows.flush_counts()
        stored_metrics = metric_rows.stored_metrics()
        yield _games_metric()
        for name, meaning in SERVER_COUNTERS.items():
            yield CounterMetricFamily(
                f"tabularium_{name}", meaning, value=stored_metrics.get(name, 0)
            )
        yield SummaryMetricFamily(
            "tabularium_sweeper_round_seconds",
            "Duration of the rounds of the sweeper.",
            count_value=int(stored_metrics.get(counted.SWEEPER_ROUNDS, 0)),
            sum_value=stored_metrics.get(counted.SWEEPER_ROUND_SECONDS, 0),
        )
        yield from _backlog_metrics(stored_metrics)
        yield from _record_metrics()
        yield from _broker_metrics()


def _games_metric() -> Metric:
    description = "Games, by ruleset and phase."
    games = GaugeMetricFamily("tabularium_games", description, labels=["rules", "phase"])
    for rules, phase, number in metric_rows.game_counts():
        games.add_metric([rules, phase], number)
    return games


def _backlog_metrics(stored_metrics: dict[str, float]) -> Iterator[Metric]:
    """Backlogs: stalled games, heartbeat ages, webhook and rating lags, open streams."""
    stalled_count = selectors.games_stalled(timezone.now(), clock_budget.STALLED_AFTER).count()
    description = "Games that have waited too long for a bot."
    yield GaugeMetricFamily("tabularium_games_stalled", description, value=stalled_count)
    description = "Seconds since the last heartbeat."
    heartbeat_ages = GaugeMetricFamily(
        "tabularium_heartbeat_age_seconds", description, labels=["part"]
    )
    for name, age in heartbeats.ages_by_kind().items():
        if age is not None:
            heartbeat_ages.add_metric([name], age.total_seconds())
    yield heartbeat_ages
    description = "Seconds for which the most overdue webhook delivery has been due."
    webhook_lag = delivery_attempts.delivery_lag().total_seconds()
    yield GaugeMetricFamily(
        "tabularium_webhook_lag_seconds", description, value=max(0.0, webhook_lag)
    )
    description = "Seconds since the end of the oldest unrated rated game."
    oldest = stored_metrics.get(counted.OLDEST_UNRATED, 0)
    rating_lag = max(0.0, timezone.now().timestamp() - oldest) if oldest else 0.0
    yield GaugeMetricFamily("tabularium_rating_lag_seconds", description, value=rating_lag)
    description = "Open streams and long polls on this machine."
    yield GaugeMetricFamily(
        "tabularium_streams_open", description, value=connection_limiter.open_count
    )


def _record_metrics() -> Iterator[Metric]:
    """The public record: its leaves, those that are signed, and how long games and signatures
    wait."""
    figures, now = record_status.read_figures(), timezone.now()
    age = figures.checkpoint_age(now)
    values = {
        "leaves": ("Leaves of the public record.", figures.size),
        "signed_leaves": (
            "Leaves that the last checkpoint of the record covers.",
            figures.checkpoint.size if figures.checkpoint else 0,
        ),
        "wait_seconds": (
            "Seconds since the end of the oldest game that is not in the record.",
            figures.wait(now).total_seconds(),
        ),
        "checkpoint_age_seconds": (
            "Seconds since the last checkpoint of the record; missing before the first.",
            age.total_seconds() if age is not None else None,
        ),
    }
    for name, (meaning, value) in values.items():
        yield GaugeMetricFamily(f"tabularium_record_{name}", meaning, value=value)
    yield from _witness_metrics(now)


def _witness_metrics(now: datetime) -> Iterator[Metric]:
    """The ages of the cosignatures of the witnesses that are asked, and the evidence of the one
    that is here."""
    description = "Seconds since the last cosignature of a witness; missing before the first."
    ages = GaugeMetricFamily(
        "tabularium_record_cosignature_age_seconds", description, labels=["witness"]
    )
    for name, cosigned in record_asking.cosignature_times().items():
        if cosigned is not None:
            ages.add_metric([name], max(0.0, (now - cosigned).total_seconds()))
    yield ages
    description = "Refused checkpoints of other records that are kept as evidence."
    evidence = GaugeMetricFamily("tabularium_witness_evidence", description, labels=["log", "kind"])
    for origin, kind, count in witness_status.evidence_counts():
        evidence.add_metric([origin, kind], count)
    yield evidence


def _broker_metrics() -> Iterator[Metric]:
    """The lengths of the queues, which are missing while the broker is away."""
    description = "Tasks that no worker has started yet."
    queues = GaugeMetricFamily("tabularium_queue_tasks", description, labels=["queue"])
    is_up = True
    try:
        for name, size in queue_sizes().items():
            queues.add_metric([name], size)
    except Exception as problem:  # noqa: BLE001  # its type depends on the broker
        logger.warning("The broker does not report its queues: %s", problem)
        is_up = False
    yield queues
    yield GaugeMetricFamily("tabularium_broker_up", "1 if the broker responds.", value=is_up)


def queue_sizes() -> dict[str, int]:
    """The number of waiting tasks by queue."""
    names = [queue.name for queue in settings.CELERY_TASK_QUEUES]
    with readiness.broker_connection() as connection:
        channel: Any = connection.default_channel
        return {name: int(channel._size(name)) for name in names}


registry.register(ServerCollector())


# -- access ---------------------------------------------------------------------------------------


class MetricsEndpoint(Endpoint):
    """Metrics for Prometheus."""

    renderer_classes = (MetricsRenderer,)
    authentication_classes = ()

    @operation("metrics", reply="text/plain")
    def get(self, request: Request) -> Any:
        """Get the metrics of this machine and of the whole server, for Prometheus. Send the
        server's metrics token, or no credentials from a private address."""
        check_metrics_access(request)
        return Response(generate_latest(registry).decode())


def check_metrics_access(request: Request) -> None:
    """Refuse a caller without the metrics token, unless it sends no credentials from a private
    address."""
    header = str(request.META.get("HTTP_AUTHORIZATION", ""))
    if not (_is_metrics_token(header) if header else is_private_peer(request.META)):
        detail = "Send the server's metrics token, or no credentials from a private address."
        raise Refusal("unauthorized", detail)


def _is_metrics_token(header: str) -> bool:
    kind, _, token = header.partition(" ")
    expected = settings.METRICS_TOKEN.encode()
    return bool(expected) and kind.lower() == "bearer" and compare_digest(token.encode(), expected)
