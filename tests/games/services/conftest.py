"""What the tests of services share: an account, and a game of it against a bot."""

from __future__ import annotations

import pytest

from games.models import Account
from tests.games import sitting


@pytest.fixture
def account(db: None) -> Account:
    """Somebody who plays."""
    return Account.objects.create(name="Ada")


@pytest.fixture
def game(account: Account) -> str:
    """A game of that account, on seat 0, against a bot that nobody wakes."""
    return sitting.duel(account)
