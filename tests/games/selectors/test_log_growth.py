"""The games that have grown since a moment, and the heads of their logs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games import selectors, services
from games.models import Account, Challenge, Game
from games.selectors import FollowedGames
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tests.games.sitting import SLUG, act, bot_game, duel, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

MOMENT = timedelta(microseconds=1)


def test_a_head_is_that_of_the_log() -> None:
    game = bot_game()
    (head,) = selectors.heads_of([game])
    table = table_of(game)
    assert (head.pk, head.seq, head.phase) == (game, table.seq, "playing")
    assert head.awaited == table.awaited_seats


def test_games_that_have_grown() -> None:
    game = bot_game()
    at = Game.objects.get(pk=game).at
    assert selectors.last_changes_since(at) == {(game, table_of(game).seq)}
    assert selectors.last_changes_since(at + MOMENT) == set()
    act(game, table_of(game), FastRng(1))
    assert selectors.last_changes_since(at) == {(game, table_of(game).seq)}


def test_games_in_which_a_challenge_was_declined() -> None:
    """The maker follows such a game, whether it has a seat there or not; no other account does."""
    ada, bob = services.create_account("Ada"), services.create_account("Bob")
    seating = SeatAssignment(challenged=bob), SeatAssignment()
    game = services.create_game(SLUG, seating, owner=ada).projection.game
    before = Game.objects.get(pk=game).at + MOMENT
    assert followed_by(ada, before) == followed_by(bob, before) == []
    services.decline_challenge(game, 0, bob.pk)
    at = Challenge.objects.get(game=game).declined
    assert at is not None
    assert selectors.last_changes_since(before) == {(game, at)}
    assert selectors.last_changes_since(at + MOMENT) == set()
    assert (followed_by(ada, at), followed_by(ada, at + MOMENT)) == ([game], [])
    assert (followed_by(ada, None), followed_by(bob, None)) == ([game], [])


def followed_by(account: Account, since: datetime | None) -> list[str]:
    """The games of the account that have changed since then, or that are not over."""
    followed = FollowedGames(account.pk, since, or_unfinished=since is None)
    return [head.pk for head in followed.heads_after("", 10)]


def test_followed_games_have_grown_or_are_not_over() -> None:
    ada = services.create_account("Ada")
    bot_game()
    over, open_game = duel(ada), duel(ada)
    services.resign_seat(over, 0)
    at = {row.pk: row.at for row in Game.objects.all()}
    later = max(at.values()) + MOMENT
    for since, or_unfinished, expected in (
        (None, True, [open_game]),
        (min(at.values()), False, [over, open_game]),
        (min(at.values()), True, [over, open_game]),
        (later, True, [open_game]),
        (later, False, []),
    ):
        followed = FollowedGames(ada.pk, since, or_unfinished=or_unfinished)
        assert [head.pk for head in followed.heads_after("", 10)] == expected
        assert followed.oldest_growth() == min((at[game] for game in expected), default=None)
    everything = FollowedGames(ada.pk, min(at.values()), or_unfinished=True)
    assert [head.pk for head in everything.heads_after("", 1)] == [over]
    assert [head.pk for head in everything.heads_after(over, 1)] == [open_game]
