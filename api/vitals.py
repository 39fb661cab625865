"""Is the service well? For those who watch over it: who is alive, what waits, how fast it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

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
from api.readiness import readiness
from api.renderers import MetricsRenderer
from api.schema import operation
from api.shapes.vitals import Readiness
from games import selectors
from games.models import Game

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE"})


class Ready(Endpoint):
    """May callers be sent here?"""

    @operation("ready", reply=Readiness)
    def get(self, request: Request) -> Response:
        """Database, migrations and writes decide (503 without them). While the broker, a worker or
        the sweeper is away, or tables wait too long for bots, the service is degraded: games can be
        played, but bots answer late or not at all."""
        return reply(readiness())


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
