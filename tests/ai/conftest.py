"""What the tests of bots share: tables of bots, messages that go nowhere, bots that misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import transaction

from ai import bot_dispatch, bot_registry, sweeper_round
from ai.bot_types import BotDecision
from games import position_cache, services
from games.projection.projection import Projection
from games.services import SeatAssignment

RULES: Final = "law_of_the_dice"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bot_dispatch.WakeMessage]]:
    """The messages to bots, which go nowhere; nobody remembers anything before and after.

    What waits for a commit is done at once, for the transaction around a test has none.
    """
    messages: list[bot_dispatch.WakeMessage] = []
    monkeypatch.setattr(transaction, "on_commit", lambda deed, robust: deed())
    monkeypatch.setattr(bot_dispatch.publisher, "enqueue", messages.append)
    position_cache.cache.clear()
    sweeper_round.reset_wake_times()
    yield messages
    position_cache.cache.clear()


@pytest.fixture
def table(db: None, woken: list[bot_dispatch.WakeMessage]) -> Projection:
    """Two bots that have just been dealt their cards."""
    return services.game_create(
        RULES, [SeatAssignment(bot="greedy"), SeatAssignment(bot="random")]
    ).projection


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
        return BotDecision(self.deed)


@pytest.fixture
def saboteur(monkeypatch: pytest.MonkeyPatch) -> Saboteur:
    """Sits on every seat; `deed` is what it does."""
    bot = Saboteur(RuntimeError("no idea"))
    monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug: bot)
    return bot
