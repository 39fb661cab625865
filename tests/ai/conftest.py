"""Shared fixtures of the AI tests: games of bots, intercepted messages, and bots that misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import transaction

from ai import bot_dispatch, bot_registry
from ai.bot_kinds import BotDecision
from games import position_cache, services
from games.services import SeatAssignment
from tabularium_log.projection.projection import Projection

RULES: Final = "law_of_the_dice"


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bot_dispatch.WakeMessage]]:
    """The messages to bots, which are intercepted; caches are empty before and after.

    Commit hooks run at once, because the transaction around a test never commits.
    """
    messages: list[bot_dispatch.WakeMessage] = []
    monkeypatch.setattr(transaction, "on_commit", lambda callback, robust: callback())
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", messages.append)
    position_cache.cache.clear()
    bot_dispatch.outbox.reset_wake_times()
    yield messages
    position_cache.cache.clear()


@pytest.fixture
def table(db: None, woken: list[bot_dispatch.WakeMessage]) -> Projection:
    """A game of two bots that has just been dealt."""
    return services.create_game(
        RULES, [SeatAssignment(bot="greedy"), SeatAssignment(bot="random")]
    ).projection


class Saboteur:
    """A bot that misbehaves."""

    name = "saboteur"

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome
        self.call_count = 0

    def choose(self, *_: Any) -> Any:
        """Raise or return the `outcome`."""
        self.call_count += 1
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return BotDecision(self.outcome)


@pytest.fixture
def saboteur(monkeypatch: pytest.MonkeyPatch) -> Saboteur:
    """A saboteur in every seat; its `outcome` is raised or returned."""
    bot = Saboteur(RuntimeError("no idea"))
    monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, version: bot)
    return bot
