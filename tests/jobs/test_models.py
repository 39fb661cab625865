"""The table of heartbeats moves between apps with its rows."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from jobs import heartbeats
from jobs.models import ProcessHeartbeat
from tests.support.databases import Kept

pytestmark = pytest.mark.stores


def test_heartbeats_stay_where_they_are(kept_here: Kept) -> None:
    heartbeats.beat(heartbeats.BOT_WORKER, "worker@here")
    row_before = ProcessHeartbeat.objects.values().get()
    call_command("migrate", "jobs", "zero", verbosity=0)
    assert ProcessHeartbeat.objects.values().get() == row_before
    call_command("migrate", verbosity=0)
    assert ProcessHeartbeat.objects.values().get() == row_before
