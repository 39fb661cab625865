"""Services of challenges: seats that are kept for an account. The log does not name accounts, so a
challenge is a row beside it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games import selectors
from games.models import Account, Challenge, Game
from games.signals import challenge_declined
from tabularium_log.projection.projection import GameRefusal


def challenges_insert(game: str, accounts: Mapping[int, Account]) -> None:
    """Keep the seats of a new game for these accounts, by seat."""
    Challenge.objects.bulk_create(
        Challenge(game_id=game, seat=seat, account=account) for seat, account in accounts.items()
    )


@transaction.atomic
def decline_challenge(game: str, seat: int, account: str) -> None:
    """Decline a seat that is kept for the account; its owner disposes of it from now on. The head
    of the log is locked: the account does not take the seat at the same time."""
    Game.objects.select_for_update().get(pk=game)
    if not _decline(selectors.open_challenges().filter(game=game, seat=seat, account=account)):
        raise GameRefusal("not-challenged", f"Seat {seat} does not wait for you.")


def challenges_decline(account: str) -> None:
    """Decline all seats that are kept for the account."""
    _decline(selectors.open_challenges().filter(account=account))


@transaction.atomic
def _decline(challenges: QuerySet[Challenge]) -> bool:
    """Decline challenges, and announce it after the commit; whether there were any."""
    games = set(challenges.values_list("game", flat=True))

    def announce() -> None:
        for game in games:
            challenge_declined.send_robust(sender=Challenge, game=game)

    transaction.on_commit(announce, robust=True)
    return bool(challenges.update(declined=timezone.now()))


def withdraw_challenge(game: str, seat: int) -> None:
    """Keep the seat for no account any more."""
    Challenge.objects.filter(game=game, seat=seat).delete()
