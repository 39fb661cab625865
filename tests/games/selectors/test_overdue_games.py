"""Games that wait for the sweeper."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import selectors
from games.models import Game
from tests.games.sitting import acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def test_games_are_found_when_their_table_waits_too_long() -> None:
    game = bot_game()
    at = Game.objects.get(pk=game).at
    limit = timedelta(seconds=10)
    assert not selectors.games_stalled(at + timedelta(seconds=9), limit).exists()
    assert selectors.games_stalled(at + limit, limit).get().pk == game
    assert [*acting(game)]
    assert not selectors.games_stalled(timezone.now() + 10 * limit, limit).exists()
