"""Selectors of lists of games: filters, two orders, and pages of the games that an account may see
or plays. A list is a union of queries, so that an index answers each: one query with OR would read
all games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

import orjson
from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from games.models import Entry, Game, Import, OldEntry, Player
from games.selectors.challenges import kept_seat_rows, open_challenges
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.endings import DECIDING_ENTRIES, Ending, ending_after
from tabularium_log.projection.open_proposals import asked_mask
from tabularium_log.projection.table_actions import (
    PAUSE_MS,
    TABLE_ACTION_CODEC,
    Create,
    Outcome,
    Start,
)

Order = Literal["newest", "recent"]
Awaited = Literal["action", "answer"]  # of a seat: its turn, or its answer to a proposal

PUBLIC: Final = Q(visibility=Game.Visibility.PUBLIC)
PAUSE: Final = timedelta(milliseconds=PAUSE_MS)
START_TYPE: Final = f'"type":"{TABLE_ACTION_CODEC.type_of(Start)}"'  # in that entry


class GameFilter(NamedTuple):
    """The values that listed games must have; None: any. `account` and `bot` name players, `since`
    and `until` bound the time of the last entry. `is_open` tells whether the first to join may take
    a seat; `reservations` are rows with the `game` and the `seat` of those kept for others."""

    rules: str | None = None
    phase: str | None = None
    rated: bool | None = None
    account: str | None = None
    bot: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    is_open: bool | None = None
    reservations: QuerySet[Any] | None = None
    before: str | None = None  # games with smaller ids: those created before this one

    def apply(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """The games that match this filter."""
        columns = {
            "rules": self.rules,
            "phase": self.phase,
            "rated": self.rated,
            "at__gte": self.since,
            "at__lt": self.until,
            "pk__lt": self.before,
        }
        games = games.filter(
            **{name: value for name, value in columns.items() if value is not None}
        )
        if self.account is not None:
            games = games.filter(pk__in=Player.objects.filter(account=self.account).values("game"))
        if self.bot is not None:  # most bots play in many games: these are not gathered first
            seats = Player.objects.filter(game=OuterRef("pk"), bot=self.bot)
            games = games.filter(
                Exists(seats if self.before is None else seats.filter(game__lt=self.before))
            )
        if self.is_open is None:
            return games
        has_free_seat = Q(phase=Game.Phase.GATHERING, seats__gt=_taken_seats(self.reservations))
        return games.filter(has_free_seat if self.is_open else ~has_free_seat)


def _taken_seats(reservations: QuerySet[Any] | None) -> Combinable:
    """The number of seats that have a player or are kept for one."""
    taken = _rows_of_game(Player.objects.all()) + _rows_of_game(kept_seat_rows())
    if reservations is not None:
        players = Player.objects.filter(game=OuterRef("game"), seat=OuterRef("seat"))
        taken = taken + _rows_of_game(reservations.exclude(Exists(players)))
    return taken


def _rows_of_game(rows: QuerySet[Any]) -> Coalesce:
    counts = rows.filter(game=OuterRef("pk")).order_by().values("game").annotate(rows=Count("pk"))
    return Coalesce(Subquery(counts.values("rows"), IntegerField()), 0)


class ListPlace(NamedTuple):
    """The place of a game in a list: the page that follows begins after it."""

    game: str
    at: datetime | None = None  # None: in the order `newest`


class GameUnion(NamedTuple):
    """The games of several queries that match a filter, each of them once."""

    game_filter: GameFilter
    queries_for: Callable[[GameFilter], tuple[QuerySet[Game], ...]]

    def page(self, order: Order, after: ListPlace | None, limit: int) -> list[Game]:
        """The first games after a place (None: the beginning)."""
        page_of = _newest_page if order == "newest" else _recent_page
        rows = {row.pk: row for row in page_of(self, after, limit)}
        return sorted(rows.values(), key=_SORT_KEYS[order], reverse=True)[:limit]

    def has_changed_since(self, moment: datetime) -> bool:
        """Whether a game that was or is among them has a new entry since then."""
        since = max(moment, self.game_filter.since or moment)
        changed = self.game_filter._replace(since=since, until=None)
        return any(games.exists() for games in self.queries_for(changed))


_SORT_KEYS: Final[dict[Order, Callable[[Game], tuple[object, ...]]]] = {
    "newest": lambda game: (game.pk,),  # ids sort by time
    "recent": lambda game: (game.at, game.pk),
}


def _newest_page(union: GameUnion, after: ListPlace | None, limit: int) -> Iterator[Game]:
    bounded = union.game_filter._replace(before=after and after.game)
    for games in union.queries_for(bounded):
        yield from games.order_by("-pk")[:limit]


def _recent_page(union: GameUnion, after: ListPlace | None, limit: int) -> Iterator[Game]:
    for games in union.queries_for(union.game_filter):
        rows = games
        if after is not None:  # the first condition is for the index
            rows = games.filter(at__lte=after.at).filter(Q(at__lt=after.at) | Q(pk__lt=after.game))
        yield from rows.order_by("-at", "-pk")[:limit]


# -- lists -----------------------------------------------------------------------------------------


def games_visible_to(account: str | None, game_filter: GameFilter) -> GameUnion:
    """The games listed for an account, of those played here: public ones, and those it owns or
    plays."""

    def queries_for(conditions: GameFilter) -> tuple[QuerySet[Game], ...]:
        imports = Import.objects.filter(game=OuterRef("pk"))
        games = conditions.apply(Game.objects.filter(~Exists(imports)))
        if account is None:
            return (games.filter(PUBLIC),)
        own_games = games.exclude(PUBLIC)
        played = Player.objects.filter(account=account).values("game")
        return (
            games.filter(PUBLIC),
            own_games.filter(owner=account),
            own_games.filter(pk__in=played),
        )

    return GameUnion(game_filter, queries_for)


def games_played_by(
    account: str, game_filter: GameFilter, only_awaiting: Sequence[Awaited] = ()
) -> GameUnion:
    """The games that an account plays; with `only_awaiting`, those that wait for all of these of
    it."""
    seats = Player.objects.filter(account=account, bot="")
    played = _games_awaiting(account, only_awaiting) if only_awaiting else seats.values("game")
    games = Game.objects.filter(pk__in=played)
    return GameUnion(game_filter, lambda conditions: (conditions.apply(games),))


def games_keeping_seats_for(
    account: str, game_filter: GameFilter, only_awaiting: Sequence[Awaited] = ()
) -> GameUnion:
    """The games in which a seat waits for an account; with `only_awaiting`, none: they have not
    started."""
    games = Game.objects.filter(pk__in=open_challenges().filter(account=account).values("game"))
    if only_awaiting:
        games = games.none()
    return GameUnion(game_filter, lambda conditions: (conditions.apply(games),))


def imports_visible_to(account: str | None, game_filter: GameFilter) -> QuerySet[Import]:
    """The imports listed for an account, with their games; `since` and `until` bound the time of
    the import, for another server stamped the entries."""
    condition = PUBLIC
    if account is not None:
        players = Player.objects.filter(game=OuterRef("pk"), account=account)
        condition |= Q(owner=account) | Q(Exists(players))
    games = game_filter._replace(since=None, until=None).apply(Game.objects.filter(condition))
    imports = Import.objects.filter(Exists(games.filter(pk=OuterRef("game"))))
    times = {"at__gte": game_filter.since, "at__lt": game_filter.until}
    bounds = {name: value for name, value in times.items() if value is not None}
    return imports.filter(**bounds).select_related("game")


def _games_awaiting(account: str, awaited: Sequence[Awaited]) -> set[str]:
    players = Player.objects.filter(account=account, bot="", game__phase=Game.Phase.PLAYING)
    rows = list(players.values_list("game", "seat", "game__awaited", "game__proposal"))
    return set.intersection(
        *(
            {
                game
                for game, seat, awaited_mask, proposal in rows
                if (awaited_mask if each == "action" else asked_mask(proposal)) >> seat & 1
            }
            for each in awaited
        )
    )


# -- facts of listed games -------------------------------------------------------------------------


class GameFacts(NamedTuple):
    """Public facts of a game, from the texts of its log: they need no rules."""

    creation: Create
    first: int | None  # the seq of the start; None: it has not started
    outcome: Outcome | None
    ending: Ending | None  # None: it is not over


def game_facts(games: Collection[str]) -> dict[str, GameFacts]:
    """The facts of these games, by game, in one query; in two if some are in the old table."""
    rows = list(_fact_rows(games, Entry, "action"))
    old_games = [game for game, _, creation, *_ in rows if creation is None]
    old_rows = _fact_rows(old_games, OldEntry, "text") if old_games else []
    return {
        game: _game_facts(first, *(text and read(text) for text in texts))
        for read, some_rows in ((orjson.loads, rows), (_action_of, old_rows))
        for game, first, *texts in some_rows
        if texts[0] is not None
    }


def endings(games: Collection[str]) -> dict[str, Ending]:
    """The endings of those of these games that are over."""
    facts = game_facts(games) if games else {}
    return {game: fact.ending for game, fact in facts.items() if fact.ending is not None}


def paused_since(game: Game) -> datetime | None:
    """When the pause of a game began; None if it is not paused."""
    if game.phase != Game.Phase.PLAYING or game.awaited or game.deadline is None:
        return None
    return game.deadline - PAUSE  # of a paused game, the deadline is the end of its pause


def _fact_rows(
    games: Collection[str], model: type[Entry | OldEntry], column: str
) -> QuerySet[Game, Any]:
    """Of each game the seq of the start, the first action and, once it is over, the last ones."""
    entries = model.objects.filter(game=OuterRef("pk"))
    is_start = {f"{column}__contains": START_TYPE}
    start = entries.filter(**is_start).order_by("seq").values("seq")[:1]
    last_actions = {
        f"back_{back}": Case(
            When(
                phase=Game.Phase.OVER,
                then=Subquery(entries.filter(seq=OuterRef("seq") - back).values(column)),
            )
        )
        for back in range(DECIDING_ENTRIES, -1, -1)
    }
    rows = Game.objects.filter(pk__in=games).annotate(
        creation=Subquery(entries.filter(seq=1).values(column)),
        first=Case(When(phase=Game.Phase.GATHERING, then=None), default=Subquery(start)),
        **last_actions,
    )
    return rows.values_list("pk", "first", "creation", *last_actions)


def _game_facts(first: int | None, creation: Json, *last_actions: Json) -> GameFacts:
    """The facts that these actions hold; None stands for one that is sealed, or that is not
    there."""
    create = TABLE_ACTION_CODEC.from_json(creation)
    *earlier, end = last_actions
    if end is None:
        return GameFacts(create, first, None, None)
    result = TABLE_ACTION_CODEC.from_json(end).result
    types = [action and action["type"] for action in earlier]
    return GameFacts(create, first, result, ending_after(types, has_result=result is not None))


def _action_of(text: str) -> Json:
    """The action in the public text of an entry."""
    return orjson.loads(text)["action"]
