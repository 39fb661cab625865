"""The seats of accounts, and their rights in a game."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.models import Account, Game
from games.selectors import GameRights
from games.services import SeatAssignment
from tests.games.sitting import SLUG, duel

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def game_of(first: Account, second: Account) -> str:
    """A private game of two accounts."""
    seating = [SeatAssignment(account=first), SeatAssignment(account=second)]
    result = services.create_game(SLUG, seating, owner=first, visibility="private")
    return result.projection.game


def player(account: Account, bot: str = "") -> selectors.SeatedPlayer:
    """An account on a seat, maybe with a bot that plays on for it."""
    return selectors.SeatedPlayer(account.pk, account.name, bot, is_deleted=False)


class TestSeats:
    def test_are_those_of_the_account(self, ada: Account, bob: Account) -> None:
        game, other = game_of(ada, bob), duel(bob)
        assert selectors.seats_of(ada.pk, game) == [0]
        assert selectors.seats_of(bob.pk, game) == [1]
        assert selectors.seats_of(None, game) == selectors.seats_of(ada.pk, other) == []
        assert selectors.players_by_game([game, other]) == {
            game: {0: player(ada), 1: player(bob)},
            other: selectors.players_of(other),
        }
        assert selectors.players_of(other)[0] == player(bob)
        assert not selectors.players_by_game([])
        assert not selectors.players_of("none")
        masks = {game: {ada.pk: 1, bob.pk: 2}, other: {bob.pk: 1}}
        assert selectors.seat_masks([game, other]) == masks
        assert selectors.seat_masks([game, other], ada.pk) == {game: {ada.pk: 1}}

    def test_end_when_a_bot_takes_over(self, ada: Account, bob: Account) -> None:
        game = game_of(ada, bob)
        services.replace_seat(game, 0, "random")
        assert selectors.seats_of(ada.pk, game) == []
        assert selectors.seat_masks([game]) == {game: {ada.pk: 0, bob.pk: 2}}
        assert selectors.has_held_seat(ada.pk, game, 0)
        assert not selectors.has_held_seat(ada.pk, game, 1)
        assert selectors.players_of(game) == {0: player(ada, "random"), 1: player(bob)}
        services.replace_seat(game, 1, "random")
        assert selectors.seat_masks([game]) == {game: {ada.pk: 0}}, "Bob may not see it"


class TestRights:
    def test_are_those_of_owner_and_players(self, ada: Account, bob: Account) -> None:
        rights = selectors.started_game_rights(game_of(ada, bob))
        assert rights == GameRights(ada.pk, True, (ada.pk, bob.pk))
        assert [rights.seat_mask_of(each.pk) for each in (ada, bob)] == [1, 2]

    def test_are_kept_from_the_start_on(self, ada: Account, bob: Account) -> None:
        seating = [SeatAssignment(account=ada), SeatAssignment()]
        game = services.create_game(SLUG, seating, owner=ada).projection.game
        with pytest.raises(Game.DoesNotExist):
            selectors.started_game_rights(game)
        assert selectors.game_rights(Game.objects.get(pk=game)).accounts == (ada.pk, None)
        services.join_game(game, 1, account=bob)
        services.replace_seat(game, 1, "random")
        rights = selectors.started_game_rights(game)
        assert rights.accounts == (ada.pk, bob.pk)
        table = selectors.game_projection(game)
        played = [selectors.seats_still_played(rights, each.pk, table) for each in (ada, bob)]
        assert played == [[0], []], "a bot plays for Bob"
