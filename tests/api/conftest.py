"""A client that answers a crash as a real one is answered, and the rules that are looked at."""

from __future__ import annotations

import pytest
from django.test import Client

from games.registry import ENGINES


@pytest.fixture
def client() -> Client:
    """A stranger's program."""
    return Client(raise_request_exception=False)


@pytest.fixture(params=list(ENGINES))
def slug(request: pytest.FixtureRequest) -> str:
    """Every game that is registered."""
    return str(request.param)
