"""Are signs of life left seldom enough, and by no process that fails for want of them?"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import Error

from ai import pulses

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sign is left at once."""
    monkeypatch.setattr(pulses, "_last", {})


class TestSigns:
    def test_are_left_now_and_then_only(self, django_assert_num_queries: Any) -> None:
        pulses.beat(pulses.WORKER)
        with django_assert_num_queries(0):
            pulses.beat(pulses.WORKER)

    def test_that_cannot_be_left_are_no_reason_to_stop(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def refuse(*_: Any) -> None:
            raise Error("away")

        monkeypatch.setattr(pulses, "_beat", refuse)
        pulses.beat(pulses.WORKER)
        assert "The worker leaves no sign of life: away" in caplog.text
