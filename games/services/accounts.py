"""Services for accounts: creating and renaming them."""

from __future__ import annotations

from games import selectors
from games.models import Account


def account_create(name: str) -> Account:
    """A new account."""
    return Account.objects.create(name=name)


def account_rename(account: str, name: str) -> Account:
    """The account, under a new name."""
    row = selectors.account(account)
    row.name = name
    row.save(update_fields=["name"])
    return row
