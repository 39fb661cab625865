"""What the tests of bots share: tables of bots, messages that go nowhere, bots that misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import transaction

from ai import registry, sweeping, waking
from ai.bots import Answer
from games import positions, services
from games.services import Seating
from games.table.table import Table

RULES: Final = "law_of_the_dice"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[waking.Message]]:
    """The messages to bots, which go nowhere; nobody remembers anything before and after.

    What waits for a commit is done at once, for the transaction around a test has none.
    """
    messages: list[waking.Message] = []
    monkeypatch.setattr(transaction, "on_commit", lambda deed, robust: deed())
    monkeypatch.setattr(waking.publisher, "put", messages.append)
    positions.memory.clear()
    sweeping.forget_wakings()
    yield messages
    positions.memory.clear()


@pytest.fixture
def table(db: None, woken: list[waking.Message]) -> Table:
    """Two bots that have just been dealt their cards."""
    return services.game_create(RULES, [Seating(bot="greedy"), Seating(bot="random")]).table


class Saboteur:
    """A bot that does not do what a bot should."""

    name = "saboteur"

    def __init__(self, deed: Any) -> None:
        self.deed = deed
        self.asked = 0

    def choose(self, *_: Any) -> Any:
        """Raise it, or answer with it."""
        self.asked += 1
        if isinstance(self.deed, BaseException):
            raise self.deed
        return Answer(self.deed)


@pytest.fixture
def saboteur(monkeypatch: pytest.MonkeyPatch) -> Saboteur:
    """Sits on every seat; `deed` is what it does."""
    bot = Saboteur(RuntimeError("no idea"))
    monkeypatch.setattr(registry, "bot", lambda name, slug: bot)
    return bot
