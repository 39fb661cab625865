"""Selectors of accounts: one by its id, also with a row lock, and the unfinished games that count
against its quota."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Account, Game


def account(name: str) -> Account:
    """The account with this id."""
    return Account.objects.get(pk=name)


def account_exists(name: str) -> bool:
    """Whether there is an account with this id."""
    return Account.objects.filter(pk=name).exists()


def locked_account(name: str) -> Account:
    """The account, locked in the present transaction, so that other rows may still refer to it."""
    return Account.objects.select_for_update(no_key=True).get(pk=name)


def unfinished_games_of(owner: str) -> QuerySet[Game]:
    """The games that an account has opened and that are not over."""
    return Game.objects.filter(owner=owner).exclude(phase=Game.Phase.OVER)
