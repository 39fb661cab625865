"""What the tests of analyses share: games to think about, and a worker for one part."""

from __future__ import annotations

from typing import Final

import pytest
from django.conf import LazySettings

from ai import tasks
from ai.analysis import part_dispatch
from ai.analysis.part_dispatch import PartMessage
from ai.bot_dispatch import WakeMessage as Waking
from games import selectors, services
from games.engines.common.rng import FastRng
from games.models import Account, Game
from games.projection.projection import Projection
from games.services import SeatAssignment
from tests.games.sitting import some_action

SLUG: Final = "duality"  # many actions, few decisions
PARTS: Final = 2


@pytest.fixture
def sent(
    woken: list[Waking], monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> list[PartMessage]:
    """The parts that are sent to workers: nobody works on them but the test."""
    messages: list[PartMessage] = []
    monkeypatch.setattr(part_dispatch.publisher, "enqueue", messages.append)
    settings.PARTS = PARTS
    return messages


@pytest.fixture
def account(db: None) -> Account:
    """Somebody who wants to know."""
    return Account.objects.create(name="Ada")


@pytest.fixture
def table(account: Account, sent: list[PartMessage]) -> Projection:
    """Two accounts that have just been dealt their tiles."""
    return dealt(account)


def dealt(account: Account) -> Projection:
    """A game of this account and of another."""
    seating = [
        SeatAssignment(account=account),
        SeatAssignment(account=Account.objects.create(name="Bob")),
    ]
    return services.game_create(SLUG, seating, owner=account, options={"file": 3}).projection


def row(table: Projection) -> Game:
    """The game, as it is kept."""
    return Game.objects.get(pk=table.game)


def played_out(table: Projection, seed: int = 1) -> Projection:
    """The same game, played at random to its end."""
    rng = FastRng(seed)
    while (table := selectors.game_projection(table.game)).phase != "over":
        seat, action = some_action(table, rng)
        services.action_append(table.game, seat, action, choice=table.choice_token(seat))
    return table


def worked(message: PartMessage, **headers: bool) -> None:
    """What a worker does who is given this part."""
    tasks.study.apply(args=[message.analysis, message.number], throw=True, **headers)


def all_worked(sent: list[PartMessage]) -> int:
    """Work on all parts, also those that are sent meanwhile; how many there were."""
    done = 0
    while sent:
        worked(sent.pop(0))
        done += 1
    return done
