"""What does a stream tell next? Read from the log whenever there is room to send, so that nothing
piles up for whoever is slow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone

from api.access import seats_of, viewer_of, visible_game
from api.documents import known_time
from api.errors import Refusal
from api.games import showing
from api.shapes.streams import Growth
from api.streams.formats import Item
from games import selectors
from games.models import Game, Player

PAGE: Final = 50
OVERLAP: Final = timedelta(minutes=1)  # told again on resuming: no commit is later than that


class Page(NamedTuple):
    """Some items; whether there are more already, and whether there will ever be."""

    items: list[Item]
    has_more: bool = False
    is_last: bool = False


class Feed(ABC):
    """What is told to one client."""

    topic: str  # whose growth is listened for

    @abstractmethod
    def page(self, grown: set[str]) -> Page:
        """What comes next, given the games that may have grown."""


class GameFeed(Feed):
    """The entries of a game after one, as `viewer` may read them, whom the account plays."""

    def __init__(self, game: str, account: str | None, viewer: int | None, after: int) -> None:
        self.topic = game
        self._account = account
        self._viewer = viewer
        self._after = after

    def page(self, grown: set[str]) -> Page:
        """The next entries. When the seat has changed hands, its view ends."""
        lines = selectors.game_log(self.topic, self._viewer, self._after, PAGE)
        if not self._may_read():  # asked after reading: what was read was theirs to read
            return Page([], is_last=True)
        if lines:
            self._after = lines[-1].seq
        table = selectors.game_table(self.topic)
        is_last = table.phase == "over" and self._after >= table.seq
        entries = map(showing.entry, lines)
        items = [Item("entry", str(entry.seq), entry) for entry in entries]
        return Page(items, has_more=len(lines) == PAGE, is_last=is_last)

    def _may_read(self) -> bool:
        try:
            visible_game(self._account, self.topic)
            viewer_of(seats_of(self._account, self.topic), showing.seen_as(self._viewer))
        except (Http404, Refusal):
            return False
        return True


class AccountFeed(Feed):
    """Where the games of an account stand: first those that are not over, or those that have grown
    since it was last told, then each that grows. What is told twice is merely still so."""

    def __init__(self, account: str, since: datetime | None) -> None:
        self.topic = account
        self._games = _found(account, since)
        self._after: str | None = ""  # the last game of the first round; None: it is over
        self._grown: set[str] = set()
        self._told: dict[str, int] = {}  # seq by game

    def page(self, grown: set[str]) -> Page:
        """The next games."""
        self._grown |= grown
        moment = known_time(timezone.now())
        games = self._next()
        has_more = self._after is not None or bool(self._grown)
        return Page([Item("game", moment, growth) for growth in self._new(games)], has_more)

    def _next(self) -> list[Game]:
        if self._after is None:
            some = sorted(self._grown)[:PAGE]
            self._grown -= set(some)
            return list(Game.objects.filter(pk__in=some))
        games = list(self._games.filter(pk__gt=self._after).order_by("pk")[:PAGE])
        self._after = games[-1].pk if len(games) == PAGE else None
        return games

    def _new(self, games: list[Game]) -> list[Growth]:
        games = [game for game in games if self._told.get(game.pk, 0) < game.seq]
        seats = _seats(self.topic, games)
        self._told |= {game.pk: game.seq for game in games}
        return [_growth(game, seats[game.pk]) for game in games if game.pk in seats]


def _found(account: str, since: datetime | None) -> QuerySet[Game]:
    games = Game.objects.filter(players__account=account, players__bot="").distinct()
    if since is None:
        return games.exclude(phase=Game.Phase.OVER)
    return games.filter(at__gte=since - OVERLAP)


def _seats(account: str, games: list[Game]) -> dict[str, int]:
    """The seats that the account plays, as a bit mask, by game."""
    masks: dict[str, int] = {}
    players = Player.objects.filter(account=account, bot="", game__in=games)
    for game, seat in players.values_list("game", "seat"):
        masks[game] = masks.get(game, 0) | 1 << seat
    return masks


def _growth(game: Game, seats: int) -> Growth:
    phase: Any = game.phase  # one of the choices
    to_act = showing.seats_in(game.awaited)
    return Growth(game.pk, game.seq, to_act, phase, bool(game.awaited & seats))
