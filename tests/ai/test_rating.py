"""Does a worker hear of rated games that are over, and the sweeper find those it did not?"""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from ai import rating, sweeping, tasks
from ai.rating import Message
from ai.waking import Message as Waking
from games.models import Rating
from games.ratings import comparing
from tests.games.ratings.contests import SLUG, accounts, begun, given_up, won

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(woken: list[Waking], monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """The messages to workers, which go nowhere; the sweeper has not looked yet."""
    messages: list[Message] = []
    monkeypatch.setattr(transaction, "on_commit", lambda deed, robust: deed())
    monkeypatch.setattr(rating.publisher, "put", messages.append)
    monkeypatch.setattr(rating, "rounds", rating.Rounds())
    return messages


def after(monkeypatch: pytest.MonkeyPatch, **passed: float) -> None:
    """Let so much time go by."""
    later = timezone.now() + timedelta(**passed)
    monkeypatch.setattr(timezone, "now", lambda: later)


def test_the_end_of_a_rated_game_is_told_once(told: list[Message]) -> None:
    players = accounts(3)
    game = given_up(begun(players), 0)
    assert told == []
    given_up(game, 1)
    assert told == [Message(SLUG, False)]
    given_up(begun(players, rated=False), 0, 1)
    assert len(told) == 1


def test_a_worker_counts_it(told: list[Message]) -> None:
    won(*accounts(2))
    assert tasks.rate(*told[0]) == 1
    assert tasks.rate(*told[0]) == 0
    assert comparing.compared(SLUG).is_good


def test_the_sweeper_finds_what_was_forgotten(
    told: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    told.clear()
    sweeping.sweep()
    assert told == []  # the worker may be at it
    after(monkeypatch, seconds=10)
    for _ in range(2):
        sweeping.sweep()
        assert told.pop() == Message(SLUG, True)
        assert not told
    tasks.rate(SLUG, thoroughly=True)
    sweeping.sweep()
    assert told == []


def test_it_looks_at_all_games_when_it_begins_and_every_hour(
    told: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    won(*accounts(2))
    tasks.rate(*told.pop())
    after(monkeypatch, days=3)
    sweeping.sweep()
    Rating.objects.all().delete()
    sweeping.sweep()
    assert told == []  # it has looked that far back before
    sweeping.forget()
    sweeping.sweep()
    assert told == [Message(SLUG, True)]


def test_what_workers_are_told_they_understand(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[object]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, producer: sent.append((name, args))
    )
    rating.publisher.publish([Message(SLUG, False)] * 2 + [Message(SLUG, True)])
    assert sent == [(tasks.rate.name, [SLUG, False]), (tasks.rate.name, [SLUG, True])]
