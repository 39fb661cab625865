"""Quotas of an account: its keys, webhooks, analyses and open games are counted in the transaction
that adds one, under a lock of the account's row, so that parallel requests never exceed them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from api.errors import Refusal
from games import selectors
from games.selectors import Account


@contextmanager
def account_lock(account: str) -> Iterator[Account]:
    """A transaction that excludes others of this kind for the same account."""
    with transaction.atomic():  # on SQLite, a transaction has the database to itself
        yield selectors.locked_account(account)


@contextmanager
def account_locks(accounts: Collection[str]) -> Iterator[Mapping[str, Account]]:
    """The same for several accounts; those that exist, by id."""
    with transaction.atomic():
        yield selectors.locked_accounts(accounts)


@contextmanager
def quota_transaction(
    account: str, existing: QuerySet[Any], limit: int, code: str, detail: str
) -> Iterator[Account]:
    """A transaction in which the account has fewer rows than the limit and may add one."""
    with account_lock(account) as row:
        check_quota(existing, limit, code, detail)
        yield row


def check_quota(existing: QuerySet[Any], limit: int, code: str, detail: str) -> None:
    """Refuse one more row to a locked account that has reached the limit."""
    if existing[:limit].count() >= limit:
        raise Refusal(code, detail)


@contextmanager
def open_games_quota_transaction(account: str) -> Iterator[Account]:
    """A transaction in which the account may open one more game."""
    limit = settings.OPEN_GAMES
    existing = selectors.unfinished_games_of(account)
    detail = f"You have {limit} unfinished games."
    with quota_transaction(account, existing, limit, "too-many-games", detail) as row:
        yield row
