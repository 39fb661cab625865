"""Who waits in vain? Tables whose bot was never woken or died thinking, clocks that ran out, and
analyses of which parts were lost."""

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

from ai import backoff, bot_dispatch, process_heartbeats, signals
from ai.analysis import clock_rebase, part_worker, questions
from ai.backoff import Backoff
from ai.models import Trouble
from games import selectors, services, tracing
from games.models import Game
from games.projection.projection import Projection

logger = logging.getLogger(__name__)

STALLED_AFTER: Final = timedelta(seconds=15)  # longer than any bot thinks
MAX_WAKE_INTERVAL_SECONDS: Final = 60.0  # seconds at most, between two wakings for one decision
REQUESTS_KEPT_FOR: Final = timedelta(days=2)  # requests and troubles
DATABASE_RETRY_SECONDS: Final = 5.0  # seconds
MOST: Final = 1_000  # games that were ahead of the time of day, of which it is known
SLOW_ROUND_SECONDS: Final = 10.0  # seconds; a round that takes longer is told


@dataclass
class _WaitingDecision:
    """A decision that a table waits for: since when it is known here, and when to wake again, on
    the monotonic clock, which nothing sets back; and whether its log was ahead of the time."""

    game: str
    since: float
    due: float
    was_ahead: bool


_waiting_by_choice: dict[str, _WaitingDecision] = {}  # by choice
_ahead_since_by_choice: dict[
    str, float
] = {}  # by choice: when it was first seen, at a table ahead of the time
failing_games: Final = Backoff()  # games at which the sweeper fails


def sweep() -> int:
    """Do all that is due; how many games it concerned."""
    begun = monotonic()
    signals.sweep_progressed.send_robust(None)
    done = expire_clocks() + wake_stalled()
    clock_rebase.rebase_analyses()
    part_worker.end_overdue_analyses()
    part_worker.resend_parts()
    signals.sweep_finished.send_robust(None)
    if (seconds := monotonic() - begun) > SLOW_ROUND_SECONDS:
        logger.warning("A round of the sweeper took %.0f seconds", seconds)
    return done


def expire_clocks() -> int:
    """Do what the clocks demand that have run out."""
    now = timezone.now()
    due = _for_each_game(selectors.games_past_deadline(now), services.clock_expire)
    return due + _for_each_game(selectors.games_ahead_of_clock(now), _expire_future_log)


def wake_stalled() -> int:
    """Wake all bots for whom a table has waited too long."""
    known = [waiting.game for waiting in _waiting_by_choice.values() if waiting.was_ahead]
    return _for_each_game(
        selectors.games_stalled(timezone.now(), STALLED_AFTER, known[-MOST:]), _wake_bots
    )


def clean_up() -> int:
    """Drop what is only kept for a while; how many rows."""
    reset_wake_times()
    signals.cleanup_due.send_robust(None)
    questions.delete_old_analyses()
    process_heartbeats.delete_old_heartbeats()
    past = timezone.now() - REQUESTS_KEPT_FOR
    return services.requests_delete(past) + Trouble.objects.filter(at__lt=past).delete()[0]


def reset_wake_times() -> None:
    """Whoever waits in vain may be woken at once."""
    _waiting_by_choice.clear()
    _ahead_since_by_choice.clear()


def _expire_future_log(game: str) -> None:
    """The log of this game is ahead of the time of day, which was set back. So that nobody waits
    until that has caught up, the time of a seat is measured from when it was first seen here."""
    table = selectors.game_projection(game)
    for seat in range(table.creation.seats):
        expiry = table.seat_deadline(seat)
        if expiry is not None and table.creation.clock is not None:
            first = _ahead_since_by_choice.setdefault(table.choice_token(seat), monotonic())
            if monotonic() - first >= table.creation.clock.action_ms / 1000:
                services.clock_expire(game, expiry)
                return


def _wake_bots(game: str) -> None:
    """Wake them once more, each time after about twice as long: where all workers are busy, or
    gone, more messages are no help."""
    table, now = selectors.game_projection(game), monotonic()
    waited = (timezone.now() - datetime.fromisoformat(table.entry.at)).total_seconds()
    for seat in selectors.awaited_bot_seats(table):
        _wake_seat(table, seat, waited, now)


def _wake_seat(table: Projection, seat: int, waited: float, now: float) -> None:
    """Where the clock was set back since, it does not tell how long a table has waited: then it is
    as long as that has been known here."""
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
    """Do it for every game, however many; those that cannot be read keep no others waiting."""
    done = 0
    for game in games.values_list("pk", flat=True):
        if not failing_games.is_due(game):
            continue
        signals.sweep_progressed.send_robust(None)
        with tracing.use_trace({tracing.GAME_FIELD: game}):
            done += _try_game(deed, game)
    return done


def _try_game(deed: Callable[[str], object], game: str) -> bool:
    try:
        deed(game)
    except Exception as problem:  # noqa: BLE001  # told, and the next game has its turn
        _log_failure(game, problem)
        return False
    failing_games.record_success(game)
    return True


def _log_failure(game: str, problem: Exception) -> None:
    """Once with all that is known of it; then a line, ever less often. What fails with the database
    goes on soon after it is back."""
    longest = (
        DATABASE_RETRY_SECONDS
        if isinstance(problem, DatabaseError | InterfaceError)
        else backoff.LONGEST_PAUSE_SECONDS
    )
    times, pause = failing_games.record_failure(game, longest)
    told = "The sweeper fails at %s (%d in a row), and tries again in %.0f s: %s: %s"
    trace = problem if times == 1 else None
    logger.error(told, game, times, pause, type(problem).__name__, problem, exc_info=trace)
