"""A game whose log is tampered with in vain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from games.models import Account, Game, Player
from tests.games.tampering import log, new_game


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    """A game that is as it was, whatever a test has tried."""
    account = Account.objects.create(name="Tiro")
    game = new_game(account)
    Player.objects.filter(game=game, seat=0).update(account=account)
    new_game()
    connection.check_constraints()  # now, for what is pending would forbid to truncate
    before = log()
    yield game
    assert log() == before
