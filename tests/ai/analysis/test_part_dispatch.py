"""Clock rebase: analyses with begin times in the future continue after the time of day is set
back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from ai.analysis import part_dispatch
from ai.models import Analysis, Part
from tests.games.sitting import bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

HOUR = timedelta(hours=1)


def analysis_begun_at(at: datetime) -> Analysis:
    """An analysis begun at that time, with a part that a worker began a second later."""
    analysis = Analysis.objects.create(
        game_id=bot_game(),
        simulations=10,
        digest="",
        created=at,
        due=at + timedelta(seconds=10),
        deadline=at + timedelta(seconds=120),
    )
    at += timedelta(seconds=1)
    Part.objects.create(
        analysis=analysis, number=0, spread=0, seq=1, seat=0, simulations=10, begun=at
    )
    return analysis


def test_its_times_go_back_with_the_clock() -> None:
    ahead = analysis_begun_at(timezone.now() + HOUR)
    assert part_dispatch.rebase_analyses() == 1
    ahead.refresh_from_db()
    now = timezone.now()
    assert now - timedelta(minutes=1) < ahead.created <= now
    assert ahead.due - ahead.created == timedelta(seconds=10)
    assert ahead.deadline - ahead.created == timedelta(seconds=120)
    assert Part.objects.filter(begun__lte=now).exists()


def test_it_is_done_once() -> None:
    analysis_begun_at(timezone.now() + HOUR)
    assert [part_dispatch.rebase_analyses() for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("seconds", [-3600, 0, 3])
def test_others_keep_theirs(seconds: int) -> None:
    analysis_begun_at(timezone.now() + timedelta(seconds=seconds))
    assert part_dispatch.rebase_analyses() == 0


def test_those_that_have_ended_are_left() -> None:
    analysis_begun_at(timezone.now() + HOUR)
    Analysis.objects.update(state=Analysis.State.DONE)
    assert part_dispatch.rebase_analyses() == 0
