"""Dispatch of ratings: a worker is notified of rated games that end, and the sweeper finds missed
ones."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from ai.bot_dispatch import WakeMessage as Waking
from games.models import Rating
from games.ratings import rating_fold
from jobs import rating_and_canary_tasks as tasks
from jobs import rating_dispatch, sweeper
from jobs.rating_dispatch import RatingMessage
from tests.games.ratings.contests import SLUG, accounts, begun, given_up, won

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture(autouse=True)
def messages(woken: list[Waking], monkeypatch: pytest.MonkeyPatch) -> list[RatingMessage]:
    """The messages to workers, which are intercepted; the sweeper has not scanned yet."""
    messages: list[RatingMessage] = []
    monkeypatch.setattr(transaction, "on_commit", lambda callback, robust: callback())
    monkeypatch.setattr(rating_dispatch.outbox, "enqueue", messages.append)
    monkeypatch.setattr(rating_dispatch.outbox, "scanned_until", None)
    return messages


def advance_time(monkeypatch: pytest.MonkeyPatch, **duration: float) -> None:
    """Set the time forward."""
    new_now = timezone.now() + timedelta(**duration)
    monkeypatch.setattr(timezone, "now", lambda: new_now)


def test_the_end_of_a_rated_game_is_announced_once(messages: list[RatingMessage]) -> None:
    players = accounts(3)
    game = given_up(begun(players), 0)
    assert messages == []
    given_up(game, 1)
    assert messages == [RatingMessage(SLUG, False)]
    given_up(begun(players, rated=False), 0, 1)
    assert len(messages) == 1


def test_a_worker_counts_it(messages: list[RatingMessage]) -> None:
    won(*accounts(2))
    assert tasks.rate(*messages[0]) == 1
    assert tasks.rate(*messages[0]) == 0
    assert rating_fold.check_consistency(SLUG).is_consistent


@pytest.mark.parametrize(("seconds_per_batch", "turns"), [(0.0, [5, 0]), (1.0, [2, 2, 1, 0])])
def test_a_worker_counts_many_games_in_turns(
    messages: list[RatingMessage],
    monkeypatch: pytest.MonkeyPatch,
    seconds_per_batch: float,
    turns: list[int],
) -> None:
    for _ in range(5):
        won(*accounts(2))
    del messages[1:]
    times = count()
    monkeypatch.setattr(rating_fold, "GAMES_PER_TRANSACTION", 1)
    monkeypatch.setattr(tasks, "TURN_SECONDS", 2.0)
    monkeypatch.setattr(tasks, "monotonic", lambda: next(times) * seconds_per_batch)
    assert [tasks.rate(*messages.pop(0)) for _ in turns[:-1]] == turns[:-1]
    assert messages == []
    assert tasks.rate(SLUG, thoroughly=False) == turns[-1]
    assert rating_fold.check_consistency(SLUG).is_consistent


def test_the_sweeper_finds_missed_games(
    messages: list[RatingMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    messages.clear()
    sweeper.sweep()
    assert messages == []  # a worker may be rating it
    advance_time(monkeypatch, seconds=10)
    for _ in range(2):
        sweeper.sweep()
        assert messages.pop() == RatingMessage(SLUG, True)
        assert not messages
    tasks.rate(SLUG, thoroughly=True)
    sweeper.sweep()
    assert messages == []


def test_it_looks_at_all_games_when_it_begins_and_every_hour(
    messages: list[RatingMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    tasks.rate(*messages.pop())
    advance_time(monkeypatch, days=3)
    sweeper.sweep()
    Rating.objects.all().delete()
    sweeper.sweep()
    assert messages == []  # an earlier scan has covered that time
    sweeper.clean_up()
    sweeper.sweep()
    assert messages == [RatingMessage(SLUG, True)]


def test_messages_are_sent_as_tasks_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks_sent: list[tuple[str, list[object]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, producer: tasks_sent.append((name, args))
    )
    rating_dispatch.outbox.publish([RatingMessage(SLUG, False)] * 2 + [RatingMessage(SLUG, True)])
    assert tasks_sent == [(tasks.rate.name, [SLUG, False]), (tasks.rate.name, [SLUG, True])]
