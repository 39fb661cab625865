"""Fixtures of the service tests: an account, and its game against a bot."""

from __future__ import annotations

import pytest

from games.models import Account
from tests.games import sitting


@pytest.fixture
def account(db: None) -> Account:
    """A player's account."""
    return Account.objects.create(name="Ada")


@pytest.fixture
def game(account: Account) -> str:
    """A game of the account, on seat 0, against a bot that is never woken."""
    return sitting.duel(account)
