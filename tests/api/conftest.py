"""A client whose every answer is compared with the OpenAPI document, the rules that are looked at,
and the tables that are asked about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai import rating, waking
from api import readiness
from api.keys import keyring
from games import positions
from games.registry import ENGINES
from games.writes import writes
from tests.api.program import Program
from tests.api.world import World


@pytest.fixture
def client() -> Program:
    """A stranger's program."""
    return Program()


@pytest.fixture(params=list(ENGINES))
def slug(request: pytest.FixtureRequest) -> str:
    """Every game that is registered."""
    return str(request.param)


@pytest.fixture
def world(db: None) -> World:
    """Some accounts, and games of theirs."""
    return World()


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[waking.Message]]:
    """A process that remembers nothing of earlier tests, and bots that nobody wakes."""
    messages: list[waking.Message] = []
    monkeypatch.setattr(waking.publisher, "put", messages.append)
    monkeypatch.setattr(rating.publisher, "put", lambda message: None)
    monkeypatch.setattr("api.vitals.readiness", readiness.look)  # on the test's own connection
    monkeypatch.setattr(readiness.missing, "is_complete", False)
    monkeypatch.setattr(writes, "failure", None)
    positions.memory.clear()
    keyring.forget()
    yield messages
    positions.memory.clear()
    keyring.forget()
