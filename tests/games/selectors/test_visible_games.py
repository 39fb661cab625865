"""Games that an account may see, and the lists of games."""

from __future__ import annotations

import pytest

from games import ids, selectors, services
from games.models import Account
from games.selectors import GameFilter
from games.services import SeatAssignment
from tests.games.sitting import BOTS, SLUG, bot_game, duel

pytestmark = pytest.mark.django_db

ANY = GameFilter()


@pytest.fixture
def ada() -> Account:
    return services.account_create("Ada")


@pytest.fixture
def eve() -> Account:
    return services.account_create("Eve")


def test_a_private_game_is_visible_to_its_owner_and_players(ada: Account, eve: Account) -> None:
    own_game = services.game_create(SLUG, BOTS, owner=ada, visibility="private").projection.game
    seating = [SeatAssignment(account=ada), BOTS[0]]
    joined_game = services.game_create(SLUG, seating, visibility="private").projection.game
    for game in (own_game, joined_game):
        visible = selectors.game_visible_to(ada.pk, game)
        assert visible is not None
        assert visible.pk == game
        assert selectors.game_visible_to(eve.pk, game) is None
        assert selectors.game_visible_to(None, game) is None
    assert {row.pk for row in selectors.games_visible_to(ada.pk, ANY)} == {own_game, joined_game}
    assert not selectors.games_visible_to(eve.pk, ANY)


def test_a_public_game_is_visible_to_all(eve: Account) -> None:
    game = bot_game()
    for account in (eve.pk, None):
        assert selectors.game_visible_to(account, game)
        assert [row.pk for row in selectors.games_visible_to(account, ANY)] == [game]
        assert not selectors.imports_visible_to(account, ANY)
        assert selectors.game_visible_to(account, ids.new_id("game")) is None


def test_a_filter_keeps_the_games_with_its_values() -> None:
    game = bot_game()
    for fits in (ANY, GameFilter(rules=SLUG), GameFilter(phase="playing", rated=False)):
        assert [row.pk for row in selectors.games_visible_to(None, fits)] == [game]
    for unfit in (GameFilter(rules="law"), GameFilter(phase="over"), GameFilter(rated=True)):
        assert not selectors.games_visible_to(None, unfit)


def test_games_played_by_an_account(ada: Account, eve: Account) -> None:
    game = duel(ada)
    assert [row.pk for row in selectors.games_played_by(ada.pk, ANY)] == [game]
    assert not selectors.games_played_by(eve.pk, ANY)
    is_awaited = selectors.game_projection(game).is_awaited(0)
    assert selectors.games_played_by(ada.pk, ANY, only_awaiting=True).exists() == is_awaited
