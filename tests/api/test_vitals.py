"""Is the service well, and does it say so? Readiness, signs of life."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import Error, connection
from django.test import Client
from django.utils import timezone

from ai import pulses
from ai.models import Pulse
from api import vitals
from api.shapes.vitals import Check

pytestmark = pytest.mark.django_db

READY = "/api/v1/readyz"


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life are left at once."""
    monkeypatch.setattr(pulses, "_last", {})


def readiness(client: Client) -> Any:
    """What is said of readiness."""
    response = client.get(READY)
    assert response.status_code == 200
    return response.json()


def test_without_worker_and_sweeper_it_is_degraded(client: Client) -> None:
    said = readiness(client)
    assert said["status"] == "degraded"
    assert said["worker"] == {"is_ok": False, "detail": "never seen"}
    assert said["database"] == {"is_ok": True, "detail": connection.vendor}


def test_with_all_parts_it_is_ready(client: Client) -> None:
    for name in (pulses.WORKER, pulses.SWEEPER):
        pulses.beat(name)
    said = readiness(client)
    assert said["status"] == "ready", said
    assert said["sweeper"]["detail"] == "seen 0 s ago"


def test_whoever_is_silent_for_long_is_missed(client: Client) -> None:
    pulses.beat(pulses.SWEEPER)
    Pulse.objects.create(name=pulses.WORKER, at=timezone.now() - timedelta(minutes=1))
    said = readiness(client)
    assert (said["status"], said["worker"]["is_ok"]) == ("degraded", False)


def test_signs_are_left_now_and_then_only(django_assert_num_queries: Any) -> None:
    pulses.beat(pulses.WORKER)
    with django_assert_num_queries(0):
        pulses.beat(pulses.WORKER)


def test_a_sign_that_cannot_be_left_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(**_: Any) -> None:
        raise Error("away")

    monkeypatch.setattr(Pulse.objects, "update_or_create", refuse)
    pulses.beat(pulses.WORKER)
    assert "The worker leaves no sign of life: away" in caplog.text


@pytest.mark.parametrize("check", ["_database", "_migrations"])
def test_without_its_database_it_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    monkeypatch.setattr(vitals, check, lambda: Check(False, "away"))
    response = client.get(READY)
    assert response.status_code == 503
    assert response.json()["code"] == "not-ready"
    assert "away" in response.json()["detail"]
    assert response["Retry-After"]


def test_a_database_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise Error("away")

    monkeypatch.setattr(connection, "cursor", fail)
    assert not vitals._database().is_ok


def test_a_broker_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise OSError("away")

    monkeypatch.setattr(current_app, "connection_for_write", fail)
    assert vitals._broker() == Check(False, "OSError: it does not answer")
