"""Services for accounts: creating, renaming and banning them."""

from __future__ import annotations

from django.utils import timezone

from games import selectors
from games.models import Account


def create_account(name: str) -> Account:
    """A new account."""
    return Account.objects.create(name=name)


def rename_account(account: str, name: str) -> Account:
    """The account, under a new name."""
    row = selectors.account(account)
    row.name = name
    row.save(update_fields=["name"])
    return row


def ban_account(account: str, reason: str) -> bool:
    """Refuse an account's keys from now on, for a reason that the account is told; returns whether
    that is new. Its seats, games and name stay."""
    is_new = bool(Account.objects.filter(pk=account, banned=None).update(banned=timezone.now()))
    Account.objects.filter(pk=account).update(ban_reason=reason)
    return is_new


def unban_account(account: str) -> bool:
    """Accept the keys of an account again; returns whether it was banned."""
    banned = Account.objects.filter(pk=account, banned__isnull=False)
    return bool(banned.update(banned=None, ban_reason=""))
