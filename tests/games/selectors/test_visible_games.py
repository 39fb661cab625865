"""Games that an account may see."""

from __future__ import annotations

import pytest

from games import ids, selectors, services
from games.models import Account
from games.services import SeatAssignment
from tests.games.selectors.test_game_lists import ANY, listed
from tests.games.sitting import BOTS, SLUG, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def test_a_private_game_is_visible_to_its_owner_and_players(ada: Account, eve: Account) -> None:
    own_game = services.create_game(SLUG, BOTS, owner=ada, visibility="private").projection.game
    seating = [SeatAssignment(account=ada), BOTS[0]]
    joined_game = services.create_game(SLUG, seating, visibility="private").projection.game
    for game in (own_game, joined_game):
        visible = selectors.game_visible_to(ada.pk, game)
        assert visible is not None
        assert visible.pk == game
        assert selectors.game_visible_to(eve.pk, game) is None
        assert selectors.game_visible_to(None, game) is None
    assert listed(selectors.games_visible_to(ada.pk, ANY)) == [joined_game, own_game]
    assert not listed(selectors.games_visible_to(eve.pk, ANY))


def test_a_public_game_is_visible_to_all(eve: Account) -> None:
    game = bot_game()
    for account in (eve.pk, None):
        assert selectors.game_visible_to(account, game)
        assert listed(selectors.games_visible_to(account, ANY)) == [game]
        assert not selectors.imports_visible_to(account, ANY)
        assert selectors.game_visible_to(account, ids.new_id("game")) is None
