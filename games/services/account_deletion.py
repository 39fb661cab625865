"""The service that deletes an account: its seats are given up, its name and its requests go, and
the logs stay as they are. A log has seats; only the row of a player links one to an account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.db import transaction

from games import position_cache, selectors
from games.models import Account, Game, Player, Request
from games.services.append_transaction import GameBusy
from games.services.challenges import challenges_decline
from games.services.departures import resign_seat
from games.services.game_creation import call_off_game, leave_game
from tabularium_log.projection.projection import GameRefusal

MAX_ATTEMPTS: Final = 10  # to give up a game that others change at the same time


def delete_account(account: str) -> None:
    """Delete an account with all that belongs to it alone, or raise and change nothing. Raises
    Account.DoesNotExist if it is gone, and GameBusy."""
    with transaction.atomic(), position_cache.cache.suspend_storing():
        selectors.locked_account(account)
        give_up_games(account)
        # this lock waits for those who are joining a game with the account, and excludes others
        row = Account.objects.select_for_update().get(pk=account)
        give_up_games(account)
        challenges_decline(account)
        players = Player.objects.filter(account=account)
        players.update(account=None, is_account_deleted=True)
        Request.objects.filter(owner=account).delete()
        row.delete()


def retire_account(account: str, is_unused: Callable[[str], bool]) -> bool:
    """Delete an account that has no game, if it is still unused once its row is locked; returns
    whether it is deleted."""
    with transaction.atomic():
        # this lock waits for those who are joining a game with the account, and excludes others
        row = Account.objects.select_for_update().filter(pk=account).first()
        if row is None or not is_unused(account):
            return False
        Request.objects.filter(owner=account).delete()
        row.delete()
    return True


def give_up_games(account: str) -> None:
    """Leave no unfinished game to the account. All deletions take games in the same order, so that
    two of them never wait for each other."""
    seated = Player.objects.filter(account=account, bot="").exclude(game__phase=Game.Phase.OVER)
    owned = selectors.unfinished_games_of(account)
    # each by its own index, which one condition on both would not use
    games = {*seated.values_list("game", flat=True), *owned.values_list("pk", flat=True)}
    for game in sorted(games):
        _give_up_game(account, game)


def _give_up_game(account: str, game: str) -> None:
    """Before the start, call off a game that the account created, and leave one of another; after
    it, resign. If the game changes meanwhile, look again."""
    for _ in range(MAX_ATTEMPTS):
        row = Game.objects.get(pk=game)
        seats = selectors.seats_of(account, game)
        try:
            if row.phase == Game.Phase.PLAYING:
                _resign(game, seats)
            elif row.phase == Game.Phase.GATHERING and row.owner_id == account:
                call_off_game(game)
            elif row.phase == Game.Phase.GATHERING:
                _leave(game, seats)
        except GameRefusal:
            continue
        return
    raise GameBusy


def _resign(game: str, seats: Sequence[int]) -> None:
    """Resign the seats until the game is over."""
    for seat in seats:
        if resign_seat(game, seat).projection.phase == "over":
            return


def _leave(game: str, seats: Sequence[int]) -> None:
    for seat in seats:
        leave_game(game, seat)
