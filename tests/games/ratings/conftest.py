"""Fixtures of the rating tests: a clock that they set, and no messages to workers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.rating_dispatch import RatingMessage, outbox
from tests.games.sitting import NOON

SetClock = Callable[[float], None]


@pytest.fixture(autouse=True)
def rating_messages(monkeypatch: pytest.MonkeyPatch) -> list[RatingMessage]:
    """The messages to workers, which go nowhere: these tests count games themselves."""
    messages: list[RatingMessage] = []
    monkeypatch.setattr(outbox, "enqueue", messages.append)
    return messages


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """`clock(seconds)` sets the time to that long after noon."""

    def set_clock(seconds: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(seconds=seconds))

    set_clock(0)
    return set_clock
