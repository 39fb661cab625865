"""Selectors of log growth: the games that have grown since a moment, or in which a challenge was
declined, and the heads of their logs, read for many games at once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Min, Q, QuerySet

from games.models import Challenge, Game
from games.position_cache import UnknownGame
from games.selectors.challenges import declined_challenges, open_challenges
from games.selectors.seats import following_players


class GameHead(NamedTuple):
    """The head of a game's log; the field names are those of the columns."""

    pk: str
    seq: int
    awaited: int
    proposal: str | None
    phase: Any  # one of the choices
    at: datetime


def heads_of(games: Collection[str]) -> list[GameHead]:
    """The heads of the logs of these games."""
    return _heads(Game.objects.filter(pk__in=games))


def game_head(game: str) -> GameHead:
    """The head of a game's log; raises UnknownGame."""
    for head in heads_of([game]):
        return head
    raise UnknownGame(game)


def games_grown_since(since: datetime) -> QuerySet[Game]:
    """The games that have grown since then."""
    return Game.objects.filter(phase__in=Game.Phase.values, at__gte=since)  # matches the index


class GameChange(NamedTuple):
    """The last change of a game's log, or a seat of the game that was declined."""

    game: str
    mark: int | datetime  # the seq of the last entry; the time of the decline


def last_changes_since(since: datetime) -> set[GameChange]:
    """The last entries of the games that have grown since then, and the declines since then."""
    grown = games_grown_since(since).values_list("pk", "seq")
    declined = Challenge.objects.filter(declined__gte=since).values_list("game", "declined")
    declines = {GameChange(game, at) for game, at in declined if at is not None}
    return declines | {GameChange(game, seq) for game, seq in grown}


class FollowedGames:
    """The games that an account plays, or played before a bot did, those in which a seat waits for
    it, and those of its own in which a seat was declined: those that have changed since a moment,
    those that are not over, or both."""

    def __init__(self, account: str, since: datetime | None, *, or_unfinished: bool) -> None:
        declined = declined_challenges().filter(game__owner=account)
        condition = Q()
        if since is not None:
            newly_declined = declined.filter(declined__gte=since).values("game")
            condition = Q(at__gte=since) | Q(pk__in=newly_declined)
        if or_unfinished:
            condition |= ~Q(phase=Game.Phase.OVER)
        played = following_players().filter(account=account).values("game")
        kept = open_challenges().filter(account=account).values("game")
        self._games = Game.objects.filter(
            condition, pk__in=played.union(kept, declined.values("game"))
        )

    def oldest_growth(self) -> datetime | None:
        """The time of the entry that is the oldest among the last entries of these games."""
        oldest: datetime | None = self._games.aggregate(oldest=Min("at"))["oldest"]
        return oldest

    def heads_after(self, game: str, limit: int) -> list[GameHead]:
        """A page of the heads of their logs, in the order of the games' ids."""
        return _heads(self._games.filter(pk__gt=game).order_by("pk")[:limit])


def _heads(games: QuerySet[Game]) -> list[GameHead]:
    return [GameHead(*row) for row in games.values_list(*GameHead._fields)]
