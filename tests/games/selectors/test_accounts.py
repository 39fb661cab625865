"""Accounts, and the games that count against their quotas."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.services import SeatAssignment
from tests.games.sitting import BOTS, SLUG

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def test_unfinished_games_are_those_that_the_account_opened() -> None:
    owner, other = services.create_account("Ada"), services.create_account("Bob")
    seating = [SeatAssignment(account=owner), SeatAssignment(account=other)]
    game = services.create_game(SLUG, seating, owner=owner).projection.game
    services.create_game(SLUG, BOTS)
    assert [row.pk for row in selectors.unfinished_games_of(owner.pk)] == [game]
    assert not selectors.unfinished_games_of(other.pk)
    services.resign_seat(game, 0)
    assert not selectors.unfinished_games_of(owner.pk)
