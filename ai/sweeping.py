"""Who waits in vain? Tables whose bot was never woken or died thinking, clocks that ran out, and
analyses of which parts were lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from ai import waking
from ai.analysis import asking, studying
from ai.models import Trouble
from ai.signals import cleared, swept
from games import selectors, services, tracing
from games.models import Game

logger = logging.getLogger(__name__)

PATIENCE: Final = timedelta(seconds=15)  # longer than any bot thinks
REST: Final = timedelta(minutes=1)  # at most, between two wakings for one decision
KEPT: Final = timedelta(days=2)  # requests and troubles

_due: dict[str, datetime] = {}  # by choice: until then it is left alone, for it may be in a queue


def sweep() -> int:
    """Do all that is due; how many games it concerned."""
    done = expire_clocks() + wake_stalled()
    studying.end_overdue()
    studying.send_again()
    swept.send_robust(None)
    return done


def expire_clocks() -> int:
    """Do what the clocks demand that have run out."""
    return _each(selectors.games_due(timezone.now()), services.clock_expire)


def wake_stalled() -> int:
    """Wake all bots for whom a table has waited too long."""
    return _each(selectors.games_stalled(timezone.now(), PATIENCE), _wake)


def forget() -> int:
    """Drop what is only kept for a while; how many rows."""
    forget_wakings()
    cleared.send_robust(None)
    asking.forget()
    past = timezone.now() - KEPT
    return services.requests_forget(past) + Trouble.objects.filter(at__lt=past).delete()[0]


def forget_wakings() -> None:
    """Whoever waits in vain may be woken at once."""
    _due.clear()


def _wake(game: str) -> None:
    """Wake them once more, each time after about twice as long: where all workers are busy, or
    gone, more messages are no help."""
    table, now = selectors.game_table(game), timezone.now()
    waited = now - datetime.fromisoformat(table.entry.at)
    for seat in selectors.bots_awaited(table):
        choice = table.token(seat)
        if _due.get(choice, now) <= now:
            _due[choice] = now + min(waited, REST)
            waking.wake(table, seat, again=True)


def _each(games: QuerySet[Game], deed: Callable[[str], object]) -> int:
    """Do it for every game, however many; those that cannot be read keep no others waiting."""
    done = 0
    for game in games.values_list("pk", flat=True):
        with tracing.following({tracing.GAME: game}):
            try:
                deed(game)
                done += 1
            except Exception:  # logged, and the next game has its turn
                logger.exception("The sweeper fails at %s", game)
    return done
