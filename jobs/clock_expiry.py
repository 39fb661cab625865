"""The expiry of clocks and of games: appends the time-outs of seats whose clocks have run out, and
ends games that have been forgotten."""

from __future__ import annotations

from time import monotonic
from typing import Any

from django.conf import settings
from django.dispatch import receiver
from django.utils import timezone

from games import selectors, services
from jobs.sweeper_backoff import visit_games
from jobs.sweeper_hooks import cleanup_due

# by choice token: when first seen, at a table ahead of the clock
_ahead_since_by_choice: dict[str, float] = {}


def expire_clocks() -> int:
    """Append the time-outs of the clocks that have run out; returns the number of games visited."""
    now = timezone.now()
    overdue_results = list(visit_games(selectors.games_past_deadline(now), services.expire_clock))
    future_results = list(visit_games(selectors.games_ahead_of_clock(now), _expire_future_log))
    return len(overdue_results) + len(future_results)


@receiver(cleanup_due)
def end_forgotten_games(**_: Any) -> int:
    """End the games that never filled, and those without a clock in which nothing has happened for
    long; returns their number."""
    games = selectors.games_forgotten(timezone.now(), settings.TABLE_LIFE)
    return len(list(visit_games(games, services.expire_game)))


@receiver(cleanup_due)
def clear_first_seen_times(**_: Any) -> None:
    """Forget when decisions were first seen: most have been made since."""
    _ahead_since_by_choice.clear()


def _expire_future_log(game: str) -> None:
    """Expire a clock of a game whose log is ahead of the time of day, which was set back. Waiting
    until the time catches up could take long, so a seat's time is measured from when this process
    first saw its decision."""
    table = selectors.game_projection(game)
    for seat in range(table.creation.seats):
        expiry = table.seat_deadline(seat)
        if expiry is not None and table.creation.clock is not None:
            first = _ahead_since_by_choice.setdefault(table.choice_token(seat), monotonic())
            if monotonic() - first >= table.creation.clock.action_ms / 1000:
                services.expire_clock(game, expiry)
                return
