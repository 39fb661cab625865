"""Fixtures of the games tests: an empty position cache, and bots that are never woken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai import bot_dispatch
from games import position_cache
from games.models import Account, Game
from tests.games.tampering import new_game


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bot_dispatch.WakeMessage]]:
    """The wake messages to bots, which go nowhere; the position cache is empty before and after."""
    messages: list[bot_dispatch.WakeMessage] = []
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", messages.append)
    position_cache.cache.clear()
    yield messages
    position_cache.cache.clear()


@pytest.fixture
def game(db: None) -> Game:
    """A game to tamper with, next to another one."""
    new_game()
    return new_game(Account.objects.create(name="Owner"))
