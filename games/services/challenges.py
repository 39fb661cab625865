"""Services of challenges: seats that are kept for an account. The log does not name accounts, so a
challenge is a row beside it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from games import selectors
from games.models import Account, Challenge
from games.projection.projection import GameRefusal


def challenges_insert(game: str, accounts: Mapping[int, Account]) -> None:
    """Keep the seats of a new game for these accounts, by seat."""
    Challenge.objects.bulk_create(
        Challenge(game_id=game, seat=seat, account=account) for seat, account in accounts.items()
    )


def challenge_decline(game: str, seat: int, account: str) -> None:
    """Decline a seat that is kept for the account; its owner disposes of it from now on."""
    challenges = selectors.open_challenges().filter(game=game, seat=seat, account=account)
    if not challenges.update(declined=timezone.now()):
        raise GameRefusal("not-challenged", f"Seat {seat} does not wait for you.")


def challenge_withdraw(game: str, seat: int) -> None:
    """Keep the seat for no account any more."""
    Challenge.objects.filter(game=game, seat=seat).delete()
