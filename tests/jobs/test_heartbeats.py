"""Process heartbeats: they are written rarely enough, and a failure to write one stops no
process."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import Error
from django.utils import timezone

from jobs import heartbeats
from jobs.models import ProcessHeartbeat

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture(autouse=True)
def forget_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first heartbeat is written at once."""
    monkeypatch.setattr(heartbeats, "_last_beat_times", {})


class TestSigns:
    def test_are_left_now_and_then_only(self, django_assert_num_queries: Any) -> None:
        heartbeats.beat(heartbeats.BOT_WORKER)
        with django_assert_num_queries(0):
            heartbeats.beat(heartbeats.BOT_WORKER)

    def test_of_processes_that_share_a_name_are_counted_together(
        self, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _ in range(3):
            monkeypatch.setattr(heartbeats, "_last_beat_times", {})
            with django_assert_num_queries(1):  # so that none comes between a look and an insert
                heartbeats.beat(heartbeats.BOT_WORKER, "worker@here")
        row = ProcessHeartbeat.objects.get()
        assert (row.name, row.kind, row.beats) == ("worker@here", heartbeats.BOT_WORKER, 3)
        assert timezone.now() - row.at < heartbeats.DEAD_AFTER

    def test_that_cannot_be_left_are_no_reason_to_stop(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def raise_error(*_: Any) -> None:
            raise Error("away")

        monkeypatch.setattr(heartbeats, "_save_beat", raise_error)
        heartbeats.beat(heartbeats.BOT_WORKER)
        assert "The heartbeat of the worker could not be stored: away" in caplog.text
