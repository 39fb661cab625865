"""Dispatch of ratings: a worker is notified of rated games that end, and the sweeper finds missed
ones."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from ai.bot_dispatch import WakeMessage as Waking
from games.models import Rating
from games.ratings import rating_fold
from jobs import rating_dispatch, sweeper, tasks
from jobs.rating_dispatch import RatingMessage
from tests.games.ratings.contests import SLUG, accounts, begun, given_up, won

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(woken: list[Waking], monkeypatch: pytest.MonkeyPatch) -> list[RatingMessage]:
    """The messages to workers, which are intercepted; the sweeper has not scanned yet."""
    messages: list[RatingMessage] = []
    monkeypatch.setattr(transaction, "on_commit", lambda deed, robust: deed())
    monkeypatch.setattr(rating_dispatch.outbox, "enqueue", messages.append)
    monkeypatch.setattr(rating_dispatch.outbox, "scanned_until", None)
    return messages


def after(monkeypatch: pytest.MonkeyPatch, **passed: float) -> None:
    """Set the time forward."""
    later = timezone.now() + timedelta(**passed)
    monkeypatch.setattr(timezone, "now", lambda: later)


def test_the_end_of_a_rated_game_is_told_once(told: list[RatingMessage]) -> None:
    players = accounts(3)
    game = given_up(begun(players), 0)
    assert told == []
    given_up(game, 1)
    assert told == [RatingMessage(SLUG, False)]
    given_up(begun(players, rated=False), 0, 1)
    assert len(told) == 1


def test_a_worker_counts_it(told: list[RatingMessage]) -> None:
    won(*accounts(2))
    assert tasks.rate(*told[0]) == 1
    assert tasks.rate(*told[0]) == 0
    assert rating_fold.check_consistency(SLUG).is_consistent


def test_the_sweeper_finds_what_was_forgotten(
    told: list[RatingMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    told.clear()
    sweeper.sweep()
    assert told == []  # a worker may be rating it
    after(monkeypatch, seconds=10)
    for _ in range(2):
        sweeper.sweep()
        assert told.pop() == RatingMessage(SLUG, True)
        assert not told
    tasks.rate(SLUG, thoroughly=True)
    sweeper.sweep()
    assert told == []


def test_it_looks_at_all_games_when_it_begins_and_every_hour(
    told: list[RatingMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    tasks.rate(*told.pop())
    after(monkeypatch, days=3)
    sweeper.sweep()
    Rating.objects.all().delete()
    sweeper.sweep()
    assert told == []  # an earlier scan has covered that time
    sweeper.clean_up()
    sweeper.sweep()
    assert told == [RatingMessage(SLUG, True)]


def test_what_workers_are_told_they_understand(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[object]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, producer: sent.append((name, args))
    )
    rating_dispatch.outbox.publish([RatingMessage(SLUG, False)] * 2 + [RatingMessage(SLUG, True)])
    assert sent == [(tasks.rate.name, [SLUG, False]), (tasks.rate.name, [SLUG, True])]
