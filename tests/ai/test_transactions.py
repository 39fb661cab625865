"""Transactions: a worker holds none while a bot searches, because others would wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections, transaction

from ai import bot_registry, tasks
from ai.bot_kinds import BotDecision, RandomBot
from games import selectors, services
from games.models import Game
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

IDLE = 0  # transaction status of a PostgreSQL connection: no transaction
OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
"""


def open_transactions() -> list[str]:
    """The open transactions of this process, as far as they can be detected."""
    open_connections = [each for each in connections.all(initialized_only=True) if is_open(each)]
    return [
        *(f"{each.alias}: atomic" for each in connections.all() if each.in_atomic_block),
        *(f"{each.alias}: begun" for each in open_connections),
        *(seen_from_outside() if connection.vendor == "postgresql" else []),
    ]


def is_open(wrapper: Any) -> bool:
    """Whether the driver reports an open transaction."""
    raw = wrapper.connection
    if raw is None:
        return False
    if wrapper.vendor == "postgresql":
        return bool(raw.info.transaction_status != IDLE)
    return bool(raw.in_transaction)


def seen_from_outside() -> list[str]:
    """The open transactions that the server reports to another connection."""
    watcher = connection.copy()
    try:
        with watcher.cursor() as cursor:
            cursor.execute(OTHERS)
            return ["the server: begun"] * cursor.fetchone()[0]
    finally:
        watcher.close()


class Watchful(RandomBot):
    """A bot that looks for open transactions before it decides."""

    def __init__(self) -> None:
        self.open_by_call: list[list[str]] = []

    def choose(self, *arguments: Any) -> BotDecision:
        """Any legal action."""
        self.open_by_call.append(open_transactions())
        return super().choose(*arguments)


@pytest.fixture
def watchful_bot(monkeypatch: pytest.MonkeyPatch) -> Watchful:
    """A watchful bot in every seat."""
    bot = Watchful()
    monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, version: bot)
    return bot


def decide(game: str) -> None:
    """Make one decision, as a worker does."""
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    state = tasks.think.apply(args=[game, seat, table.choice_token(seat)]).state
    assert state == "SUCCESS"


@pytest.fixture
def start_game(kept_here: Kept, woken: list[Any]) -> Callable[[str], str]:
    """`start_game(slug)`: a game of bots, stored with real transactions."""

    def begin(slug: str) -> str:
        seats = ENGINES[slug].about.seats[0]
        return services.create_game(slug, [SeatAssignment(bot="random")] * seats).projection.game

    return begin


def test_nothing_is_open_while_a_bot_thinks(
    start_game: Callable[[str], str], watchful_bot: Watchful
) -> None:
    for slug in ENGINES:
        game = start_game(slug)
        for _ in range(3):
            decide(game)
    assert watchful_bot.open_by_call == [[]] * 3 * len(ENGINES)


def test_and_it_would_be_noticed(start_game: Callable[[str], str], watchful_bot: Watchful) -> None:
    game = start_game("duality")
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game)
        decide(game)
    assert any("atomic" in transactions for transactions in watchful_bot.open_by_call[0])
    assert any("begun" in transactions for transactions in watchful_bot.open_by_call[0])
