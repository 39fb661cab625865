"""Games that wait for the sweeper: past a deadline, for a bot, or ahead of the clock. A game whose
rules are not installed cannot go on, and waits for nothing."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import F, Q, QuerySet

from games.models import Game
from games.selectors.rulesets import has_installed_rules
from tabularium_log.projection.table_actions import EXPIRE_AFTER_MS

EXPIRE_AFTER: Final = timedelta(milliseconds=EXPIRE_AFTER_MS)
CLOCK_TOLERANCE: Final = timedelta(seconds=2)  # how far the clocks of several machines may differ


class EndedGame(NamedTuple):
    """A game that is over, and when it ended."""

    at: datetime
    id: str


def games_ended(after: EndedGame | None, before: datetime, count: int) -> list[EndedGame]:
    """The games that ended before a time, in the order of their ends; those after a game, if one is
    given."""
    games = Game.objects.filter(phase=Game.Phase.OVER, at__lt=before)
    if after is not None:
        games = games.filter(Q(at__gt=after.at) | Q(at=after.at, pk__gt=after.id), at__gte=after.at)
    return [EndedGame(*row) for row in games.order_by("at", "pk").values_list("at", "pk")[:count]]


def games_past_deadline(now: datetime) -> QuerySet[Game]:
    """Games in which a clock has run out."""
    return Game.objects.filter(has_installed_rules(), deadline__lte=now).order_by("deadline")


def games_forgotten(now: datetime, table_life: timedelta) -> QuerySet[Game]:
    """Games that never filled, and games without a clock in which nothing has happened for long."""
    never_filled = Q(phase=Game.Phase.GATHERING, at__lte=now - table_life)
    left_alone = Q(phase=Game.Phase.PLAYING, at__lte=now - EXPIRE_AFTER, deadline__isnull=True)
    return Game.objects.filter(never_filled | left_alone, has_installed_rules()).order_by("at")


def games_stalled(
    now: datetime, max_wait: timedelta, ahead_games: Collection[str] = ()
) -> QuerySet[Game]:
    """Games that have waited for a bot longer than `max_wait`; or for an unknown time, because
    their last entry was stamped by a clock that has since been set back. The present time may have
    caught up with them meanwhile: `ahead_games` are games that were seen to be ahead of it."""
    is_suspect = Q(at__lte=now - max_wait) | Q(at__gt=now + CLOCK_TOLERANCE) | Q(pk__in=ahead_games)
    return (
        Game.objects.filter(is_suspect, has_installed_rules(), phase=Game.Phase.PLAYING)
        .annotate(
            bots_awaited=F("awaited").bitand(F("bots"))  # type: ignore[arg-type]  # takes expressions
        )
        .filter(bots_awaited__gt=0)
        .order_by("at")
    )


def games_ahead_of_clock(now: datetime) -> QuerySet[Game]:
    """Timed games whose last entry was stamped by a system clock that has since been set back:
    their deadlines are too late by the error of that clock."""
    return Game.objects.filter(
        has_installed_rules(),
        phase=Game.Phase.PLAYING,
        deadline__isnull=False,
        at__gt=now + CLOCK_TOLERANCE,
    ).order_by("at")
