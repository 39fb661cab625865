"""Figures for Prometheus: how much is asked, how fast the answers are, what waits."""

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
from api.endpoint import Endpoint
from api.renderers import MetricsRenderer
from api.schema import operation
from games import selectors
from games.models import Game

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE"})

registry = CollectorRegistry()
answered = Histogram(
    "tabularium_http_request_seconds",
    "How long requests took, until the answer began.",
    ["method", "route", "status"],
    registry=registry,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
)


def route_of(request: HttpRequest) -> str:
    """The name of the address that was asked; what strangers make up is one."""
    match = request.resolver_match
    return (match and match.view_name) or "other"


def count(request: HttpRequest, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    method = request.method if request.method in METHODS else "other"
    answered.labels(method, route, status).observe(seconds)


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
