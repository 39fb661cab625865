"""What all tests of games share: a process that remembers nothing, and bots that nobody wakes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai import waking
from games import positions
from games.models import Account, Game
from tests.games.tampering import new_game


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[waking.Message]]:
    """The messages to bots, which go nowhere; the memory of positions is empty before and after."""
    messages: list[waking.Message] = []
    monkeypatch.setattr(waking.publisher, "put", messages.append)
    positions.memory.clear()
    yield messages
    positions.memory.clear()


@pytest.fixture
def game(db: None) -> Game:
    """A game that somebody may tamper with, beside another."""
    new_game()
    return new_game(Account.objects.create(name="Owner"))
