"""Accounts of the tests of selectors."""

from __future__ import annotations

import pytest

from games import services
from games.models import Account


@pytest.fixture
def ada(db: None) -> Account:
    return services.create_account("Ada")


@pytest.fixture
def bob(db: None) -> Account:
    return services.create_account("Bob")


@pytest.fixture
def eve(db: None) -> Account:
    return services.create_account("Eve")
