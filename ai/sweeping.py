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

from ai import backoff, pulses, signals, waking
from ai.analysis import asking, rebasing, studying
from ai.backoff import Backoff
from ai.models import Trouble
from games import selectors, services, tracing
from games.models import Game
from games.table.table import Table

logger = logging.getLogger(__name__)

PATIENCE: Final = timedelta(seconds=15)  # longer than any bot thinks
REST: Final = 60.0  # seconds at most, between two wakings for one decision
KEPT: Final = timedelta(days=2)  # requests and troubles
BRIEFLY: Final = 5.0  # seconds
MOST: Final = 1_000  # games that were ahead of the time of day, of which it is known
SLOW: Final = 10.0  # seconds; a round that takes longer is told


@dataclass
class _Waiting:
    """A decision that a table waits for: since when it is known here, and when to wake again, on
    the monotonic clock, which nothing sets back; and whether its log was ahead of the time."""

    game: str
    since: float
    due: float
    was_ahead: bool


_waiting: dict[str, _Waiting] = {}  # by choice
_ahead: dict[str, float] = {}  # by choice: when it was first seen, at a table ahead of the time
broken: Final = Backoff()  # games at which the sweeper fails


def sweep() -> int:
    """Do all that is due; how many games it concerned."""
    begun = monotonic()
    signals.sweeping.send_robust(None)
    done = expire_clocks() + wake_stalled()
    rebasing.rebase()
    studying.end_overdue()
    studying.send_again()
    signals.swept.send_robust(None)
    if (seconds := monotonic() - begun) > SLOW:
        logger.warning("A round of the sweeper took %.0f seconds", seconds)
    return done


def expire_clocks() -> int:
    """Do what the clocks demand that have run out."""
    now = timezone.now()
    due = _each(selectors.games_due(now), services.clock_expire)
    return due + _each(selectors.games_ahead(now), _expire_ahead)


def wake_stalled() -> int:
    """Wake all bots for whom a table has waited too long."""
    known = [waiting.game for waiting in _waiting.values() if waiting.was_ahead]
    return _each(selectors.games_stalled(timezone.now(), PATIENCE, known[-MOST:]), _wake)


def forget() -> int:
    """Drop what is only kept for a while; how many rows."""
    forget_wakings()
    signals.cleared.send_robust(None)
    asking.forget()
    pulses.forget()
    past = timezone.now() - KEPT
    return services.requests_forget(past) + Trouble.objects.filter(at__lt=past).delete()[0]


def forget_wakings() -> None:
    """Whoever waits in vain may be woken at once."""
    _waiting.clear()
    _ahead.clear()


def _expire_ahead(game: str) -> None:
    """The log of this game is ahead of the time of day, which was set back. So that nobody waits
    until that has caught up, the time of a seat is measured from when it was first seen here."""
    table = selectors.game_table(game)
    for seat in range(table.create.seats):
        expiry = table.expiry(seat)
        if expiry is not None and table.create.clock is not None:
            first = _ahead.setdefault(table.token(seat), monotonic())
            if monotonic() - first >= table.create.clock.action_ms / 1000:
                services.clock_expire(game, expiry)
                return


def _wake(game: str) -> None:
    """Wake them once more, each time after about twice as long: where all workers are busy, or
    gone, more messages are no help."""
    table, now = selectors.game_table(game), monotonic()
    waited = (timezone.now() - datetime.fromisoformat(table.entry.at)).total_seconds()
    for seat in selectors.bots_awaited(table):
        _wake_seat(table, seat, waited, now)


def _wake_seat(table: Table, seat: int, waited: float, now: float) -> None:
    """Where the clock was set back since, it does not tell how long a table has waited: then it is
    as long as that has been known here."""
    patience = PATIENCE.total_seconds()
    due = now if waited >= patience else now + patience
    first = _Waiting(table.game, now, due, was_ahead=waited < 0)
    waiting = _waiting.setdefault(table.token(seat), first)
    if waiting.due <= now:
        waiting.due = now + min(max(waited, now - waiting.since, patience), REST)
        waking.wake(table, seat, again=True)


def _each(games: QuerySet[Game], deed: Callable[[str], object]) -> int:
    """Do it for every game, however many; those that cannot be read keep no others waiting."""
    done = 0
    for game in games.values_list("pk", flat=True):
        if not broken.is_due(game):
            continue
        signals.sweeping.send_robust(None)
        with tracing.following({tracing.GAME: game}):
            done += _is_done(deed, game)
    return done


def _is_done(deed: Callable[[str], object], game: str) -> bool:
    try:
        deed(game)
    except Exception as problem:  # noqa: BLE001  # told, and the next game has its turn
        _tell_failure(game, problem)
        return False
    broken.succeed(game)
    return True


def _tell_failure(game: str, problem: Exception) -> None:
    """Once with all that is known of it; then a line, ever less often. What fails with the database
    goes on soon after it is back."""
    longest = BRIEFLY if isinstance(problem, DatabaseError | InterfaceError) else backoff.LONGEST
    times, pause = broken.fail(game, longest)
    told = "The sweeper fails at %s (%d in a row), and tries again in %.0f s: %s: %s"
    trace = problem if times == 1 else None
    logger.error(told, game, times, pause, type(problem).__name__, problem, exc_info=trace)
