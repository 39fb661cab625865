"""Accounts are created and renamed."""

from __future__ import annotations

import pytest

from games import selectors, services

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def test_an_account_is_created_and_renamed() -> None:
    account = services.create_account("Ada")
    assert selectors.account(account.pk).name == "Ada"
    renamed = services.rename_account(account.pk, "Countess")
    assert renamed == account
    assert selectors.account(account.pk).name == renamed.name == "Countess"
