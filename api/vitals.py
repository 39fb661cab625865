"""Is the service well? For those who watch over it: who is alive, and what waits."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from celery import current_app
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from rest_framework.request import Request
from rest_framework.response import Response

from ai import pulses
from api.documents import reply
from api.endpoint import Endpoint
from api.errors import Refusal
from api.schema import operation
from api.shapes.vitals import Check, Readiness

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
