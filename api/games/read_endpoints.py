"""Endpoints that read games: lists of games, single games, logs and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any, Final

import orjson
from rest_framework.request import Request
from rest_framework.response import Response

from api import query_serializers
from api.authentication import (
    authorized_caller,
    position_viewer,
    reader_account,
    viewer_of,
    visible_game,
)
from api.base_endpoint import IMMUTABLE, REVALIDATED, Endpoint
from api.content_encoding import has_current_copy, represent_stream
from api.games import game_lists, lifecycle, presenters
from api.games.named_texts import names_of
from api.operation_problems import OF_A_POSITION, OF_SEATING
from api.renderers import JsonRenderer, NdjsonRenderer
from api.ruleset_types import typed
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes import games as shapes
from api.shapes import logs
from api.streams import long_poll
from games import selectors
from games.position_cache import Position
from tabularium_engines.common.english_text import seats_called
from tabularium_log.audit.export_format import VIEWER_EVERYTHING
from tabularium_log.projection.projection import Projection

ENTRIES_PER_PAGE: Final = 100  # of a log in JSON, unless the query says how many


class GamesEndpoint(Endpoint):
    """The games that the caller may see."""

    cache_control = REVALIDATED
    query = query_serializers.GamesQuery

    @operation(
        "list_games",
        reply=shapes.GameList,
        query=query_serializers.GamesQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request) -> Response:
        """List the public games and those you created or play, by default the newest first. With
        `imported`, only those that were played elsewhere, latest import first; otherwise only those
        played here."""
        account = reader_account(request)
        vars(self)["may_be_compressed"] = account is None  # then it holds no secret
        query = self.parse_query(request)
        if query["imported"]:
            return reply(game_lists.imports_page(query, account))
        list_games = partial(selectors.games_visible_to, account)
        return reply(game_lists.games_page(query, account, list_games))

    @operation(
        "create_game",
        sends=("Location",),
        body=shapes.NewGame,
        reply=shapes.GameView,
        status=201,
        scope="games:create",
        headers=lifecycle.PREFER_HEADERS,
    )
    @refused_with(*OF_SEATING, "invalid-options", "too-many-challenges", "unknown-account")
    def post(self, request: Request) -> Response:
        """Create a game. It starts at once if no player and no seed is missing. The reply has the
        invitations to its seats of the kind `invite`."""
        return lifecycle.create_game(request)


# the parameters for games that wait for one of these
WAITING_FOR: Final[dict[str, selectors.Awaited]] = {"my_turn": "action", "asked": "answer"}


class MyGamesEndpoint(Endpoint):
    """The games that the caller plays."""

    cache_control = REVALIDATED
    query = query_serializers.MyGamesQuery

    @operation(
        "my_games", reply=shapes.GameList, query=query_serializers.MyGamesQuery, scope="games:read"
    )
    def get(self, request: Request) -> Response:
        """List the games that you play, by default the newest first. With `my_turn`, only those
        that wait for you, and with `asked`, those with a proposal that you have not answered; with
        `challenged`, those in which you are challenged."""
        account = authorized_caller(request, "games:read").account
        query = self.parse_query(request)
        is_for_challenged = query.get("challenged", False)
        list_games = partial(
            selectors.games_keeping_seats_for if is_for_challenged else selectors.games_played_by,
            account,
            only_awaiting=[
                awaited for name, awaited in WAITING_FOR.items() if query.get(name, False)
            ],
        )
        return reply(game_lists.games_page(query, account, list_games))


class GameEndpoint(Endpoint):
    """A game."""

    cache_control = REVALIDATED
    query = query_serializers.NamingQuery

    @operation(
        "game",
        reply=shapes.GameView,
        query=query_serializers.NamingQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with("not-your-seat")
    def get(self, request: Request, game: str) -> Response:
        """Get a game as it is now, with your view and your choice."""
        account = reader_account(request)
        row = visible_game(account, game)
        query = self.parse_query(request)
        viewer = viewer_of(account, game, query.get("as"))
        position = selectors.game_position(game)
        tag = presenters.game_tag(row, position, account, viewer, query["names"])
        if has_current_copy(request, tag):
            return Response(status=304, headers={"ETag": tag, "Cache-Control": REVALIDATED})
        with seats_called(names_of(row, are_wanted=query["names"])):
            return reply(presenters.game_view(row, position, account, viewer), etag=tag)


class LogEndpoint(Endpoint):
    """The log of a game."""

    cache_control = REVALIDATED
    may_be_compressed = True
    query = query_serializers.LogQuery
    renderer_classes = (JsonRenderer, NdjsonRenderer)

    @operation(
        "log",
        reply={JsonRenderer.media_type: logs.LogPage, NdjsonRenderer.media_type: str},
        query=query_serializers.LogQuery,
        scope="games:read",
        open_to_all=True,
        headers={
            "Prefer": "`wait=10`: if there is no entry yet, wait for one, at most that many "
            "seconds; only in JSON."
        },
    )
    @refused_with("not-your-seat")
    def get(self, request: Request, game: str) -> Any:
        """List the entries after `after`, as you may read them, with their news. As NDJSON
        (`Accept: application/x-ndjson`) each line is an `EntryView`, and without `limit` there is
        one for each entry."""
        account = reader_account(request)
        query = self.parse_query(request)
        vars(self)["may_be_compressed"] = account is None or not query["names"]
        if str(request.accepted_renderer.media_type) == NdjsonRenderer.media_type:
            return _log_lines_response(request, game, account, query)
        limit = query.get("limit", ENTRIES_PER_PAGE)

        def page() -> logs.LogPage:
            row = visible_game(account, game)
            viewer = viewer_of(account, game, query.get("as"))
            names = names_of(row, are_wanted=query["names"])
            return log_page(game, viewer, query["after"], limit, names)

        def has_grown() -> bool:
            return selectors.game_head(game).seq > int(query["after"])

        return long_poll.hold_response(
            request, reply(page()), long_poll.WaitCondition(game, has_grown, page)
        )


def _log_lines_response(
    request: Request, game: str, account: str | None, query: dict[str, Any]
) -> Any:
    """The entries one by one, each on a line; a log that cannot be read is refused before them."""
    row = visible_game(account, game)
    viewer = viewer_of(account, game, query.get("as"))
    after: int = query["after"]
    last = min(row.seq, after + query["limit"]) if "limit" in query else row.seq
    entries = selectors.game_log_entries(
        game,
        viewer,
        after,
        last,
        over=row.phase == row.Phase.OVER,
        names=names_of(row, are_wanted=query["names"]),
    )
    tag = presenters.log_tag(row, viewer, after, last, query["names"])
    response = represent_stream(request, _lines(entries), tag, NdjsonRenderer.media_type)
    response["Cache-Control"] = REVALIDATED
    return response


def _lines(entries: Iterator[selectors.VisibleEntry]) -> Iterator[bytes]:
    """Each entry as a line of NDJSON; the first one is read at once."""
    first = list(islice(entries, 1))
    return (orjson.dumps(presenters.entry_view(entry)) + b"\n" for entry in chain(first, entries))


def log_page(
    game: str, viewer: int | None, after: int, limit: int, names: Mapping[int, str]
) -> logs.LogPage:
    """The entries after `after`, as the viewer may read them."""
    lines = selectors.game_log(game, viewer, after, limit, names=names)
    last_seq = selectors.game_head(game).seq
    next_after = lines[-1].seq if lines and lines[-1].seq < last_seq else None
    return logs.LogPage(tuple(map(presenters.entry_view, lines)), next_after)


class EntryEndpoint(Endpoint):
    """An entry of a log."""

    cache_control = REVALIDATED
    may_be_compressed = True
    query = query_serializers.NamingQuery

    @operation(
        "entry",
        reply=logs.EntryView,
        query=query_serializers.NamingQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with(*OF_A_POSITION)
    def get(self, request: Request, game: str, seq: int) -> Response:
        """Get an entry as you may read it."""
        account = reader_account(request)
        row = visible_game(account, game)
        query = self.parse_query(request)
        vars(self)["may_be_compressed"] = account is None or not query["names"]
        viewer = viewer_of(account, game, query.get("as"))
        names = names_of(row, are_wanted=query["names"])
        entries = selectors.game_log(game, viewer, seq - 1, 1, names=names) if seq else []
        for entry in entries:
            return reply(presenters.entry_view(entry))
        raise selectors.unknown_entry(seq)


class StateEndpoint(Endpoint):
    """A position of a game."""

    cache_control = REVALIDATED
    may_be_compressed = True
    query = query_serializers.StateQuery

    @operation(
        "state",
        reply=logs.StateView,
        query=query_serializers.StateQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with(*OF_A_POSITION, "not-over")
    def get(self, request: Request, game: str, seq: int) -> Response:
        """Get your view after an entry. Once the game is over, you may request the view of any
        seat, or those of all seats (`as=everything`)."""
        account = reader_account(request)
        visible_game(account, game)
        requested_viewer = self.parse_query(request).get("as")
        position = selectors.game_position(game, seq)
        table = position.projection
        if requested_viewer == VIEWER_EVERYTHING:
            response = reply(_open_state_view(game, position))
        else:
            state = selectors.dealt_state(table)
            viewer = position_viewer(account, game, table, requested_viewer)
            view, name = _typed_view(table, state, viewer), presenters.viewer_name(viewer)
            response = reply(logs.StateView(game, seq, position.hash, name, view, None))
        if requested_viewer is not None:
            response["Cache-Control"] = IMMUTABLE
        return response


def _open_state_view(game: str, position: Position) -> logs.StateView:
    """The views of all seats together; refused while the game is running."""
    selectors.check_game_over(game)
    table, name = position.projection, VIEWER_EVERYTHING
    state = selectors.dealt_state(table)
    views = tuple(_typed_view(table, state, seat) for seat in range(table.creation.seats))
    view = _typed_view(table, state, None)
    return logs.StateView(game, table.seq, position.hash, name, view, views)


def _typed_view(table: Projection, state: Any, viewer: int | None) -> Any:
    """The view of a seat, with its type."""
    view = table.engine.view(state, viewer)
    return typed(table.creation.rules, table.creation.version, "view", view)
