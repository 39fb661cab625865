"""Time that passes in tests of the sweeper, and games that break or have clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final, Literal

import pytest
from django.db.models import F
from django.utils import timezone

from games import selectors, services
from games.models import Account, Game
from games.services import SeatAssignment
from jobs import sweeper, sweeper_backoff
from jobs.management.commands import sweep
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Clock

RULES: Final = "law_of_the_dice"
CLOCKS: Final = ("ai.bot_dispatch", "jobs.sweeper_backoff", "jobs.clock_expiry")  # monotonic ones

Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Let this many seconds pass; a negative number sets the time of day back."""
    real_now, real_monotonic, time_of_day_shift, monotonic_shift = (
        timezone.now,
        monotonic,
        timedelta(),
        0.0,
    )

    def pass_seconds(seconds: float) -> None:
        nonlocal time_of_day_shift, monotonic_shift
        time_of_day_shift += timedelta(seconds=seconds)
        monotonic_shift += max(seconds, 0.0)  # the monotonic clock is never set back

    def shifted_now() -> datetime:
        return real_now() + time_of_day_shift

    monkeypatch.setattr("django.utils.timezone.now", shifted_now)
    for module in CLOCKS:
        monkeypatch.setattr(f"{module}.monotonic", lambda: real_monotonic() + monotonic_shift)
    return pass_seconds


@pytest.fixture
def unbroken() -> Iterator[None]:
    """The sweeper has no failures on record."""
    records = (sweeper_backoff.failing_games, sweeper.failing_outboxes, sweep.round_backoff)
    for record in records:
        record.clear()
    yield
    for record in records:
        record.clear()


def create_clocked_game(then: Literal["bot", "random", "resign"], seats: int = 2) -> Projection:
    """A table of people with a clock of one second."""
    people = [SeatAssignment(account=Account.objects.create()) for _ in range(seats)]
    return services.create_game(RULES, people, clock=Clock(1000, then)).projection


def lose_the_tail(game: str) -> None:
    """The head claims entries that do not exist."""
    Game.objects.filter(pk=game).update(seq=F("seq") + 1)


def action_types_since(table: Projection) -> list[Any]:
    """The action types of the entries since then."""
    tables = list(selectors.game_projections(table.game, table.seq))[1:]
    return [projection.entry.action["type"] for projection in tables]
