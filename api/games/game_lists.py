"""Pages of lists of games: their filters and orders, their cursors, and the games in them.

In the order `recent` a game that changes moves to the beginning. A client that pages then may miss
it, so a page says if that can have happened: its cursor holds the time of the first page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.utils import timezone

from api import cursors
from api.games import presenters
from api.ruleset_types import typed
from api.shape_responses import format_optional_time, format_required_time
from api.shapes import games as shapes
from games import selectors, services
from games.selectors import Game, GameFacts, GameFilter, GameUnion, Import, ListPlace, SeatedPlayer
from tabularium_log.projection.open_proposals import read_proposal

NEWEST_CURSOR_PATTERN: Final = cursors.ROW_ID_PATTERN
# the time of the first page, and of the last game, in microseconds since 1970; the game
RECENT_CURSOR_PATTERN: Final = re.compile(r"(\d{1,16}) (\d{1,16}) (\w+)", re.ASCII)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
# an entry is committed this long after the time that it bears, at most; clocks of servers differ
SETTLING_TIME: Final = timedelta(seconds=2)

FILTERED_BY: Final = ("rules", "phase", "rated", "account", "bot", "since", "until")
NO_IMPORTS: Final[Mapping[str, Import]] = {}

ListGames = Callable[[GameFilter], GameUnion]


class RecentCursor(NamedTuple):
    """A place in the order `recent`, and the time since which changes can have moved games."""

    since: datetime
    place: ListPlace


def games_page(
    query: dict[str, Any], account: str | None, list_games: ListGames
) -> shapes.GameList:
    """A page of the games that `list_games` lists."""
    if query["order"] == "recent":
        return _recent_page(query, account, list_games)
    after = _newest_place(query.get("cursor"))
    games = list_games(game_filter(query))
    limit = query["limit"]
    rows, has_more = cursors.cut_page(games.page("newest", after, limit + 1), limit)
    cursor = cursors.encode_cursor(rows[-1].pk) if has_more else None
    return shapes.GameList(listed_games(account, rows), cursor, None)


def imports_page(query: dict[str, Any], account: str | None) -> shapes.GameList:
    """A page of imported games, latest import first: the ids of the games, which encode when they
    began, were chosen by another server."""
    imports = selectors.imports_visible_to(account, game_filter(query))
    rows, cursor = cursors.newest_page(imports, query)
    imports_by_game = {row.game_id: row for row in rows}
    items = listed_games(account, [row.game for row in rows], imports_by_game)
    return shapes.GameList(items, cursor, None)


def _recent_page(
    query: dict[str, Any], account: str | None, list_games: ListGames
) -> shapes.GameList:
    start = _recent_cursor(query.get("cursor"))
    since = start.since if start else timezone.now() - SETTLING_TIME
    games = list_games(game_filter(query))
    place, limit = start and start.place, query["limit"]
    rows, has_more = cursors.cut_page(games.page("recent", place, limit + 1), limit)
    cursor = _encode_recent(since, rows[-1]) if has_more else None
    has_changed = start is not None and games.has_changed_since(since)
    changed_since = format_required_time(since) if has_changed else None
    return shapes.GameList(listed_games(account, rows), cursor, changed_since)


# -- filters ---------------------------------------------------------------------------------------


def game_filter(query: dict[str, Any]) -> GameFilter:
    """The filter that the query asks for."""
    columns = {name: query.get(name) for name in FILTERED_BY}
    return GameFilter(
        **columns, is_open=query.get("open"), reservations=presenters.PENDING_INVITATIONS
    )


# -- cursors ---------------------------------------------------------------------------------------


def _newest_place(cursor: str | None) -> ListPlace | None:
    if not cursor:
        return None
    return ListPlace(cursors.decode_cursor(cursor, NEWEST_CURSOR_PATTERN)[0])


def _recent_cursor(cursor: str | None) -> RecentCursor | None:
    if not cursor:
        return None
    since, at, game = cursors.decode_cursor(cursor, RECENT_CURSOR_PATTERN).groups()
    return RecentCursor(_from_number(since), ListPlace(game, _from_number(at)))


def _encode_recent(since: datetime, last: Game) -> str:
    return cursors.encode_cursor(f"{_to_number(since)} {_to_number(last.at)} {last.pk}")


def _to_number(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


def _from_number(digits: str) -> datetime:
    return EPOCH + int(digits) * MICROSECOND


# -- listed games ----------------------------------------------------------------------------------


def listed_games(
    account: str | None, games: Sequence[Game], imports: Mapping[str, Import] = NO_IMPORTS
) -> tuple[shapes.GameSummary, ...]:
    """Games as they are listed for an account; the number of queries does not depend on theirs."""
    ids = [game.pk for game in games]
    facts, players = selectors.game_facts(ids), selectors.players_by_game(ids)
    gathering = [game.pk for game in games if game.phase == Game.Phase.GATHERING]
    kept = presenters.kept_seats(gathering, account) if gathering else {}
    return tuple(
        _summary(
            game,
            facts[game.pk],
            _seats(game, players.get(game.pk, {}), kept.get(game.pk, {}), account),
            imports.get(game.pk),
        )
        for game in games
    )


def _seats(
    game: Game,
    players: dict[int, SeatedPlayer],
    kept: dict[int, presenters.FreeSeat],
    account: str | None,
) -> tuple[shapes.ListedSeat, ...]:
    return tuple(
        presenters.listed_seat(seat, players.get(seat), account, kept.get(seat))
        for seat in range(game.seats)
    )


def _summary(
    game: Game,
    facts: GameFacts,
    seats: tuple[shapes.ListedSeat, ...],
    import_game: Import | None,
) -> shapes.GameSummary:
    has_clock = facts.creation.clock is not None
    expires = services.expiry_after(game.at, game.phase, has_clock=has_clock)
    return shapes.GameSummary(
        id=game.pk,
        rules=game.rules,
        version=game.version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        rated=game.rated,
        phase=game.phase,  # type: ignore[arg-type]
        options=typed(game.rules, game.version, "options", facts.creation.options),
        clock=facts.creation.clock,
        seats=seats,
        open_seats=presenters.open_seats(seats),
        your_seats=presenters.own_seats(seats),
        seq=game.seq,
        first=facts.first,
        at=format_required_time(game.at),
        updated=presenters.updated_at(import_game, game.at),
        to_act=selectors.seats_in_mask(game.awaited),
        deadline=format_optional_time(game.deadline),
        expires=format_optional_time(expires),
        paused_since=format_optional_time(selectors.paused_since(game)),
        proposal=presenters.proposal_view(read_proposal(game.proposal)),
        ending=facts.ending,
        result=facts.outcome,
        imported=presenters.import_info(import_game),
        links=presenters.game_links(game.pk),
    )
