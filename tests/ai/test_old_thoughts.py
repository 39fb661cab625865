"""Thoughts of games that ended long ago are deleted, and no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from ai import old_thoughts
from ai.models import Thought
from ai.old_thoughts import Walk
from games.models import Game
from tests.games.sitting import bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
LONG_AGO = timedelta(days=366)


def game_with_thoughts(phase: str, age: timedelta) -> str:
    """A game of this age with two thoughts."""
    game = bot_game()
    Game.objects.filter(pk=game).update(phase=phase, at=timezone.now() - age)
    for seq in (3, 4):
        Thought.objects.create(
            game_id=game, seq=seq, known=seq - 1, seat=0, bot="mcts", seed=1, simulations=10
        )
    return game


def remaining() -> set[str]:
    """The games that have thoughts."""
    return {*Thought.objects.values_list("game", flat=True)}


def test_only_games_that_ended_long_ago_lose_them() -> None:
    old = game_with_thoughts("over", LONG_AGO)
    young = game_with_thoughts("over", timedelta(days=364))
    running = game_with_thoughts("playing", LONG_AGO)
    assert Walk().go_on() == 2
    assert remaining() == {young, running}
    assert Game.objects.filter(pk=old).exists()


def test_they_are_kept_for_good_where_the_operator_says_so(settings: Settings) -> None:
    settings.THOUGHT_LIFE = timedelta(0)
    game = game_with_thoughts("over", LONG_AGO)
    assert Walk().go_on() == 0
    assert remaining() == {game}


def test_a_walk_goes_on_where_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_thoughts, "BATCH", 2)
    monkeypatch.setattr(old_thoughts, "MAX_BATCHES", 1)
    games = [game_with_thoughts("over", LONG_AGO + timedelta(days=day)) for day in (2, 1, 0)]
    at_once = Game.objects.get(pk=games[0]).at
    Game.objects.filter(pk__in=games).update(at=at_once)  # their order is that of their ids
    walk, steps = Walk(), []
    for _ in range(3):
        walk.go_on()
        steps.append(remaining())
    assert steps == [{games[2]}, set(), set()]
