"""Fixture: a game whose log no attempt may alter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from games.models import Account, Game, Player
from tests.games.tampering import log, new_game


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    """A game; after the test, all logs and heads must be unchanged."""
    account = Account.objects.create(name="Tiro")
    game = new_game(account)
    Player.objects.filter(game=game, seat=0).update(account=account)
    new_game()
    connection.check_constraints()  # now, because pending constraints would block TRUNCATE
    before = log()
    yield game
    assert log() == before
