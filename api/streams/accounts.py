"""The games of an account, as a stream tells of them: first those that are not over, or those that
have grown since a moment, then each that grows. What is told twice is merely still so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from api.documents import known_time
from api.streams.feeds import NOTHING, PAGE, Feed, Heard, Page
from api.streams.formats import Item
from api.streams.standings import Standing, heads_of, standings
from games.models import Game

OVERLAP: Final = timedelta(minutes=1)  # told again on resuming: no commit is later than that
BEYOND: Final = timedelta(days=1)  # told again if the clock was set back since


class Progress(NamedTuple):
    """How far an account has been told."""

    after: str | None = ""  # the last game of the first round; None: it is over
    floor: datetime | None = None  # no game of the first round has last grown before
    until: datetime | None = None  # what has grown before is told, or `untold`
    seqs: Mapping[str, int] = {}  # what was told, by game
    untold: Mapping[str, Standing] = {}  # what has grown since, by game

    def with_news(self, heard: Heard) -> Progress:
        """The same, and what was heard."""
        moments = [moment for moment in (self.until, heard.until) if moment is not None]
        untold = {**self.untold, **heard.standings}
        return self._replace(until=max(moments, default=None), untold=untold)

    def with_told(self, told: Iterable[Standing]) -> Progress:
        """The same, when these have been told."""
        seqs = {**self.seqs, **{growth.game: growth.seq for growth, _ in told}}
        left = {
            game: standing
            for game, standing in self.untold.items()
            if seqs.get(game, 0) < standing.growth.seq
        }
        return self._replace(seqs=seqs, untold=left)

    @property
    def moment(self) -> datetime:
        """What has grown before is told."""
        moments = [standing.at for standing in self.untold.values()]
        return min([self.until or timezone.now(), *moments])


class AccountFeed(Feed[Progress]):
    """The games of an account. The id of an item is a moment: once the item is there, every game is
    told as it stands that has not grown since."""

    start = Progress()

    def __init__(self, account: str, since: datetime | None) -> None:
        self.topic = account
        self._games = _found(account, since)

    def page(self, cursor: Progress, heard: Heard = NOTHING) -> Page[Progress]:
        """The next games."""
        cursor = cursor.with_news(heard)
        return self._grown(cursor) if cursor.after is None else self._round(cursor)

    def is_read(self, cursor: Progress) -> bool:
        """In the first round; from then on one is told of each game by whom it is read for all."""
        return cursor.after is not None

    def _round(self, cursor: Progress) -> Page[Progress]:
        if cursor.floor is None:
            oldest = self._games.aggregate(oldest=Min("at"))["oldest"]
            begun = cursor.until or timezone.now()
            cursor = cursor._replace(floor=oldest or begun, until=begun)
        heads = heads_of(self._games.filter(pk__gt=cursor.after).order_by("pk")[:PAGE])
        told = [standing for _, standing in standings(heads, self.topic)]
        told = [one for one in told if cursor.seqs.get(one.growth.game, 0) < one.growth.seq]
        is_over = len(heads) < PAGE
        then = cursor._replace(after=None if is_over else heads[-1].pk).with_told(told)
        assert then.floor is not None
        items = [Item("game", known_time(then.floor), growth) for growth, _ in told]
        if is_over and items:
            items[-1] = items[-1]._replace(id=known_time(then.moment))
        return Page(items, then, has_more=not is_over or bool(then.untold))

    @staticmethod
    def _grown(cursor: Progress) -> Page[Progress]:
        told = list(cursor.with_told([]).untold.values())[:PAGE]
        then = cursor.with_told(told)
        moment = then.moment
        items: list[Item] = []
        for standing in reversed(told):  # an item promises nothing of what comes after it
            items.append(Item("game", known_time(moment), standing.growth))
            moment = min(moment, standing.at)
        return Page(items[::-1], then, has_more=bool(then.untold))


def _found(account: str, since: datetime | None) -> QuerySet[Game]:
    games = Game.objects.filter(players__account=account, players__bot="").distinct()
    if since is None:
        return games.exclude(phase=Game.Phase.OVER)
    now = timezone.now()
    if since > now:  # the clock was set back, it is not known when
        lately = Q(at__gte=now - BEYOND)
        return games.filter(lately | ~Q(phase=Game.Phase.OVER))
    return games.filter(at__gte=since - OVERLAP)
