"""Shared fixtures of the analysis tests: games to analyse, and a worker that handles one part."""

from __future__ import annotations

from typing import Final

import pytest
from django.conf import LazySettings

from ai import tasks
from ai.analysis import part_dispatch
from ai.analysis.part_dispatch import PartMessage
from ai.bot_dispatch import WakeMessage as Waking
from games import selectors, services
from games.models import Account, Game
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.projection import Projection
from tests.games.sitting import some_action

SLUG: Final = "duality"  # many actions, few decisions
PARTS: Final = 2


@pytest.fixture
def sent_parts(
    woken: list[Waking], monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> list[PartMessage]:
    """The parts that are sent to workers; only the test handles them."""
    messages: list[PartMessage] = []
    monkeypatch.setattr(part_dispatch.outbox, "enqueue", messages.append)
    settings.PARTS = PARTS
    return messages


@pytest.fixture
def account(db: None) -> Account:
    """An account that asks for analyses."""
    return Account.objects.create(name="Ada")


@pytest.fixture
def table(account: Account, sent_parts: list[PartMessage]) -> Projection:
    """A game of two accounts that has just been dealt."""
    return dealt_game(account)


def dealt_game(account: Account) -> Projection:
    """A game of this account and another."""
    seating = [
        SeatAssignment(account=account),
        SeatAssignment(account=Account.objects.create(name="Bob")),
    ]
    return services.create_game(SLUG, seating, owner=account, options={"file": 3}).projection


def row(table: Projection) -> Game:
    """The stored game."""
    return Game.objects.get(pk=table.game)


def played_out(table: Projection, seed: int = 1) -> Projection:
    """The same game, played at random to its end."""
    rng = FastRng(seed)
    while (table := selectors.game_projection(table.game)).phase != "over":
        seat, action = some_action(table, rng)
        services.append_action(table.game, seat, action, choice=table.choice_token(seat))
    return table


def work_on(message: PartMessage, **headers: bool) -> None:
    """Handle one part as a worker does."""
    tasks.study.apply(args=[message.analysis, message.number], throw=True, **headers)


def work_on_all(sent_parts: list[PartMessage]) -> int:
    """Handle all parts, including those sent meanwhile; returns their number."""
    count = 0
    while sent_parts:
        work_on(sent_parts.pop(0))
        count += 1
    return count
