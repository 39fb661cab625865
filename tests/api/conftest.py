"""A client whose every answer is compared with the OpenAPI document, the rules that are looked at,
and the tables that are asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai import rating, waking
from api import readiness
from api.keys import keyring
from games import positions
from games.registry import ENGINES
from games.writes import writes
from tests.api.program import Program
from tests.api.world import World

FOLDER = Path(__file__).parent
LAST = "test_whole.py"  # asks what the others have called


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Ask last what all others have called, and only if all of them are here."""
    asking = [item for item in items if item.path == FOLDER / LAST]
    here = {item.path for item in items}
    some = config.getoption("keyword") or any("::" in argument for argument in config.args)
    if some or not here >= set(FOLDER.rglob("test_*.py")):
        config.hook.pytest_deselected(items=asking)
        items[:] = [item for item in items if item not in asking]
    else:
        items.sort(key=lambda item: item in asking)


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
