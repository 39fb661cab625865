"""A round of the sweeper: it finds tables whose bot was never woken or died thinking, clocks that
ran out, and analyses that lost parts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db import DatabaseError, InterfaceError
from django.db.models import QuerySet
from django.utils import timezone

from ai import bot_dispatch
from ai.analysis import analysis_requests, clock_set_back, part_worker
from ai.models import Trouble
from games import selectors, services, trace_context
from games.models import Game
from games.projection.projection import Projection
from jobs import backoff, heartbeats, sweeper_signals
from jobs.backoff import Backoff

logger = logging.getLogger(__name__)

STALLED_AFTER: Final = timedelta(seconds=15)  # longer than any bot thinks
MAX_WAKE_INTERVAL_SECONDS: Final = 60.0  # between two wake-ups for one decision
REQUESTS_KEPT_FOR: Final = timedelta(days=2)  # idempotency keys and troubles
DATABASE_RETRY_SECONDS: Final = 5.0
MOST: Final = 1_000  # games known to have been ahead of the clock, as passed to a query
SLOW_ROUND_SECONDS: Final = 10.0  # a longer round is logged


@dataclass
class _WaitingDecision:
    """A decision that a table waits for: when it was first seen here and when its bot is to be
    woken again, both on the monotonic clock, which is never set back; and whether its log was ahead
    of the clock."""

    game: str
    since: float
    due: float
    was_ahead: bool


_waiting_by_choice: dict[str, _WaitingDecision] = {}  # by choice token
# by choice token: when first seen, at a table ahead of the clock
_ahead_since_by_choice: dict[str, float] = {}
failing_games: Final = Backoff()


def sweep() -> int:
    """Do everything that is due; the number of games concerned."""
    begun = monotonic()
    sweeper_signals.sweep_progressed.send_robust(None)
    done = expire_clocks() + wake_stalled()
    clock_set_back.rebase_analyses()
    part_worker.end_overdue_analyses()
    part_worker.resend_parts()
    sweeper_signals.sweep_finished.send_robust(None)
    if (seconds := monotonic() - begun) > SLOW_ROUND_SECONDS:
        logger.warning("A round of the sweeper took %.0f seconds", seconds)
    return done


def expire_clocks() -> int:
    """Append the time-outs of the clocks that have run out."""
    now = timezone.now()
    due = _for_each_game(selectors.games_past_deadline(now), services.clock_expire)
    return due + _for_each_game(selectors.games_ahead_of_clock(now), _expire_future_log)


def wake_stalled() -> int:
    """Wake all bots whose tables have waited too long."""
    known = [waiting.game for waiting in _waiting_by_choice.values() if waiting.was_ahead]
    return _for_each_game(
        selectors.games_stalled(timezone.now(), STALLED_AFTER, known[-MOST:]), _wake_bots
    )


def clean_up() -> int:
    """Delete expired rows; how many."""
    reset_wake_times()
    sweeper_signals.cleanup_due.send_robust(None)
    analysis_requests.delete_old_analyses()
    heartbeats.delete_old_heartbeats()
    past = timezone.now() - REQUESTS_KEPT_FOR
    return services.requests_delete(past) + Trouble.objects.filter(at__lt=past).delete()[0]


def reset_wake_times() -> None:
    """Forget the pauses: every waiting bot may be woken at once."""
    _waiting_by_choice.clear()
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
                services.clock_expire(game, expiry)
                return


def _wake_bots(game: str) -> None:
    """Wake the game's bots again, each time after about twice as long: more messages do not help
    where all workers are busy or gone."""
    table, now = selectors.game_projection(game), monotonic()
    waited = (timezone.now() - datetime.fromisoformat(table.entry.at)).total_seconds()
    for seat in selectors.awaited_bot_seats(table):
        _wake_seat(table, seat, waited, now)


def _wake_seat(table: Projection, seat: int, waited: float, now: float) -> None:
    """Wake a bot if it is due. If the clock was set back since the last entry, the table's waiting
    time is unknown; the time since this process first saw the decision is used instead."""
    patience = STALLED_AFTER.total_seconds()
    due = now if waited >= patience else now + patience
    first = _WaitingDecision(table.game, now, due, was_ahead=waited < 0)
    waiting = _waiting_by_choice.setdefault(table.choice_token(seat), first)
    if waiting.due <= now:
        waiting.due = now + min(
            max(waited, now - waiting.since, patience), MAX_WAKE_INTERVAL_SECONDS
        )
        bot_dispatch.wake_bot(table, seat, again=True)


def _for_each_game(games: QuerySet[Game], deed: Callable[[str], object]) -> int:
    """Apply `deed` to every game, one at a time; unreadable games do not block the others."""
    done = 0
    for game in games.values_list("pk", flat=True):
        if not failing_games.is_due(game):
            continue
        sweeper_signals.sweep_progressed.send_robust(None)
        with trace_context.use_trace({trace_context.GAME_FIELD: game}):
            done += _try_game(deed, game)
    return done


def _try_game(deed: Callable[[str], object], game: str) -> bool:
    try:
        deed(game)
    except Exception as problem:  # noqa: BLE001  # logged; the next game follows
        _log_failure(game, problem)
        return False
    failing_games.record_success(game)
    return True


def _log_failure(game: str, problem: Exception) -> None:
    """Log the first failure with its traceback, later ones in a line at growing intervals. After a
    database error the game is tried again soon."""
    longest = (
        DATABASE_RETRY_SECONDS
        if isinstance(problem, DatabaseError | InterfaceError)
        else backoff.LONGEST_PAUSE_SECONDS
    )
    times, pause = failing_games.record_failure(game, longest)
    told = "The sweeper failed at %s (%d times in a row) and tries again in %.0f s: %s: %s"
    trace = problem if times == 1 else None
    logger.error(told, game, times, pause, type(problem).__name__, problem, exc_info=trace)
