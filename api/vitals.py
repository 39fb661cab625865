"""Is the service well? For those who watch over it: who is alive, what waits, how fast it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from celery import current_app
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count
from django.http import HttpRequest
from django.utils import timezone
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from rest_framework.request import Request
from rest_framework.response import Response

from ai import pulses, sweeping
from api.documents import reply
from api.endpoint import Endpoint
from api.errors import Refusal
from api.renderers import MetricsRenderer
from api.schema import operation
from api.shapes.vitals import Check, Readiness
from games import selectors
from games.models import Game

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE"})
BROKER_PATIENCE: Final = 2.0  # seconds


class Ready(Endpoint):
    """May callers be sent here?"""

    @operation("ready", reply=Readiness)
    def get(self, request: Request) -> Response:
        """Database and migrations decide (503 without them); without broker, worker or sweeper the
        service is degraded: games can be played, but bots answer late or not at all."""
        vital = {"database": _database(), "migrations": _migrations()}
        helpful = {"broker": _broker(), **_pulses(vital["database"])}
        is_ready = all(check.is_ok for check in vital.values())
        is_whole = is_ready and all(check.is_ok for check in helpful.values())
        if not is_ready:
            said = "; ".join(f"{name}: {check.detail}" for name, check in vital.items())
            raise Refusal("not-ready", f"{said}.")
        return reply(Readiness("ready" if is_whole else "degraded", **vital, **helpful))


def _database() -> Check:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as problem:
        return Check(False, f"{type(problem).__name__}: it does not answer")
    return Check(True, connection.vendor)


def _migrations() -> Check:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error as problem:
        return Check(False, f"{type(problem).__name__}: not to be known")
    names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in missing)
    return Check(not missing, f"missing: {names}" if names else "all are there")


def _broker() -> Check:
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_PATIENCE) as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_PATIENCE)
            return Check(True, str(broker.transport_cls))
    except Exception as problem:  # noqa: BLE001  # of whichever broker it is
        return Check(False, f"{type(problem).__name__}: it does not answer")


def _pulses(database: Check) -> dict[str, Check]:
    if not database.is_ok:
        return dict.fromkeys((pulses.WORKER, pulses.SWEEPER), Check(False, "not to be known"))
    return {name: _pulse(age) for name, age in pulses.ages().items()}


def _pulse(age: timedelta | None) -> Check:
    detail = "never seen" if age is None else f"seen {age.total_seconds():.0f} s ago"
    return Check(pulses.is_alive(age), detail)


# -- metrics --------------------------------------------------------------------------------------

registry = CollectorRegistry()
answered = Histogram(
    "tabularium_http_request_seconds",
    "How long requests took, until the answer began.",
    ["method", "route", "status"],
    registry=registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
)


def count(request: HttpRequest, status: int, seconds: float) -> None:
    """Count a request that was answered; what strangers make up is counted as one."""
    method = request.method if request.method in METHODS else "other"
    match = request.resolver_match
    answered.labels(method, (match and match.view_name) or "other", status).observe(seconds)


class Tables(Collector):
    """What is in the database, counted when somebody asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The figures of now."""
        games = GaugeMetricFamily(
            "tabularium_games", "Games, by rules and phase.", labels=["rules", "phase"]
        )
        counted = Game.objects.values_list("rules", "phase").annotate(Count("pk")).order_by()
        for rules, phase, number in counted:
            games.add_metric([rules, phase], number)
        yield games
        stalled = selectors.games_stalled(timezone.now(), sweeping.PATIENCE).count()
        told = "Games that have waited for a bot too long."
        yield GaugeMetricFamily("tabularium_games_stalled", told, value=stalled)
        told = "Seconds since the last sign of life."
        signs = GaugeMetricFamily("tabularium_pulse_age_seconds", told, labels=["part"])
        for name, age in pulses.ages().items():
            if age is not None:
                signs.add_metric([name], age.total_seconds())
        yield signs


registry.register(Tables())


class Metrics(Endpoint):
    """Figures for Prometheus."""

    renderer_classes = (MetricsRenderer,)

    @operation("metrics", reply="text/plain")
    def get(self, request: Request) -> Any:
        """The figures of this process, and of the database."""
        return Response(generate_latest(registry).decode())
