"""What has happened, and how does it look? Lists of games, games, logs, positions, pictures."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors, serializers
from api.access import account_of, caller_of, seats_of, viewer_of, visible_game, visible_games
from api.documents import reply
from api.endpoint import Endpoint
from api.games import setting_up, showing
from api.renderers import PlainRenderer, SvgRenderer, TextRenderer
from api.schema import operation
from api.shapes import games as shapes
from api.shapes import logs
from api.streams import waiting
from games import selectors
from games.engines.common import codec
from games.models import Game, Import, Player
from games.table.table import Refused, Table

FOR_EVER: Final = "private, max-age=31536000, immutable"


class Games(Endpoint):
    """All games that the caller may know of."""

    query = serializers.GamesQuery

    @operation(
        "list_games",
        reply=shapes.GameList,
        query=serializers.GamesQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request) -> Response:
        """The newest first; with `imported`, those that were played elsewhere."""
        account = account_of(request)
        asked = self.asked(request)
        games = visible_games(account)
        if asked["imported"]:
            return reply(page_of_imports(asked, account, games))
        return reply(page_of(asked, account, games.filter(imported=None)))

    @operation(
        "create_game",
        body=shapes.NewGame,
        reply=shapes.GameView,
        status=201,
        scope="games:create",
        headers=setting_up.PREFER,
    )
    def post(self, request: Request) -> Response:
        """Set up a game; it starts at once if nobody is missing."""
        return setting_up.create(request)


class MyGames(Endpoint):
    """The games that the caller plays."""

    query = serializers.MyGamesQuery

    @operation(
        "my_games", reply=shapes.GameList, query=serializers.MyGamesQuery, scope="games:read"
    )
    def get(self, request: Request) -> Response:
        """The newest first; with `my_turn`, those that wait for you."""
        account = caller_of(request, "games:read").account
        seats = Player.objects.filter(game=OuterRef("pk"), account=account, bot="")
        played = Game.objects.filter(Exists(seats)).select_related("imported")
        asked = self.asked(request)
        if asked.get("my_turn"):
            played = played.filter(pk__in=_waiting_for(account))
        return reply(page_of(asked, account, played))


def _waiting_for(account: str) -> list[str]:
    players = Player.objects.filter(account=account, bot="", game__phase=Game.Phase.PLAYING)
    rows = players.values_list("game", "seat", "game__awaited")
    return [game for game, seat, awaited in rows if awaited >> seat & 1]


def page_of(asked: dict[str, Any], account: str | None, games: QuerySet[Game]) -> shapes.GameList:
    """A page of games, the newest first."""
    rows, cursor = cursors.newest(_chosen(asked, games), asked)
    return _page(account, rows, cursor)


def page_of_imports(
    asked: dict[str, Any], account: str | None, games: QuerySet[Game]
) -> shapes.GameList:
    """A page of those that came from elsewhere, the last to come first: their names, which say
    when games began, another server has chosen."""
    chosen = _chosen(asked, games).filter(pk=OuterRef("game"))
    imports = Import.objects.filter(Exists(chosen)).select_related("game")
    rows, cursor = cursors.newest(imports, asked)
    return _page(account, [row.game for row in rows], cursor)


def _chosen(asked: dict[str, Any], games: QuerySet[Game]) -> QuerySet[Game]:
    """The games that the query asks for."""
    wanted = {name: asked.get(name) for name in ("rules", "phase", "rated")}
    return games.filter(**{name: value for name, value in wanted.items() if value is not None})


def _page(account: str | None, rows: list[Game], cursor: str | None) -> shapes.GameList:
    yours = _your_seats(account, [row.pk for row in rows])
    items = tuple(showing.summary(row, yours.get(row.pk, ())) for row in rows)
    return shapes.GameList(items, cursor)


def _your_seats(account: str | None, games: list[str]) -> dict[str, tuple[int, ...]]:
    if account is None:
        return {}
    found: dict[str, tuple[int, ...]] = {}
    players = Player.objects.filter(account=account, bot="", game__in=games).order_by("seat")
    for game, seat in players.values_list("game", "seat"):
        found[game] = (*found.get(game, ()), seat)
    return found


class OneGame(Endpoint):
    """A game."""

    query = serializers.AsQuery

    @operation(
        "game",
        reply=shapes.GameView,
        query=serializers.AsQuery,
        scope="games:read",
        open_to_all=True,
        also={304: "As you have it."},
        headers={"If-None-Match": "The ETag that you have."},
    )
    def get(self, request: Request, game: str) -> Response:
        """The game as it is now, as you see it: with your view, and what you may do."""
        account = account_of(request)
        row = visible_game(account, game)
        viewer = viewer_of(seats_of(account, game), self.asked(request).get("as"))
        position = selectors.game_position(game)
        tag = f'"{position.table.seq}-{showing.seen_as(viewer)}-{account or "nobody"}"'
        if request.headers.get("If-None-Match") == tag:
            return Response(status=304, headers={"ETag": tag})
        response = reply(showing.whole(row, position, account, viewer), etag=tag)
        response["Cache-Control"] = "private, no-cache"
        return response


class Log(Endpoint):
    """The log of a game."""

    query = serializers.LogQuery

    @operation(
        "log",
        reply=logs.LogPage,
        query=serializers.LogQuery,
        scope="games:read",
        open_to_all=True,
        headers={"Prefer": "`wait=10`: if there is nothing yet, wait so many seconds for it."},
    )
    def get(self, request: Request, game: str) -> Response:
        """Entries after `after`, as you may read them, with their news."""
        account = account_of(request)
        asked = self.asked(request)

        def page() -> logs.LogPage:
            visible_game(account, game)
            viewer = viewer_of(seats_of(account, game), asked.get("as"))
            return log_page(game, viewer, asked["after"], asked["limit"])

        def has_grown() -> bool:
            return selectors.game_table(game).seq > int(asked["after"])

        return waiting.waited_for(request, reply(page()), waiting.Awaited(game, has_grown, page))


def log_page(game: str, viewer: int | None, after: int, limit: int) -> logs.LogPage:
    """Entries after one, as the viewer may read them."""
    lines = selectors.game_log(game, viewer, after, limit)
    last = selectors.game_table(game).seq
    following = lines[-1].seq if lines and lines[-1].seq < last else None
    return logs.LogPage(tuple(map(showing.entry, lines)), following)


class OneEntry(Endpoint):
    """An entry of a log."""

    query = serializers.AsQuery

    @operation(
        "entry",
        reply=logs.EntryView,
        query=serializers.AsQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str, seq: int) -> Response:
        """The entry as you may read it."""
        account = account_of(request)
        visible_game(account, game)
        viewer = viewer_of(seats_of(account, game), self.asked(request).get("as"))
        selectors.game_table(game, seq)
        (line,) = selectors.game_log(game, viewer, seq - 1, 1)
        return reply(showing.entry(line))


class State(Endpoint):
    """A position of a game."""

    query = serializers.StateQuery

    @operation(
        "state",
        reply=logs.StateView,
        query=serializers.StateQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str, seq: int) -> Response:
        """What you knew after an entry. Once the game is over, anybody's view may be seen."""
        account = account_of(request)
        visible_game(account, game)
        asked = self.asked(request).get("as")
        position = selectors.game_position(game, seq)
        table = position.table
        if table.state is None:
            raise Refused("not-started", "The game had not started.")
        viewer = _any_viewer(account, game, table, asked)
        view = codec.to_json(table.engine.view(table.state, viewer))
        shown = logs.StateView(game, seq, position.hash, showing.seen_as(viewer), view)
        response = reply(shown)
        if asked is not None:
            response["Cache-Control"] = FOR_EVER
        return response


def _any_viewer(account: str | None, game: str, table: Table, asked: str | None) -> int | None:
    """Everybody's view is open once the game is over; before, one's own."""
    if selectors.game_table(game).phase != "over":
        return viewer_of(seats_of(account, game), asked)
    return viewer_of(range(table.create.seats) if asked else seats_of(account, game), asked)


class Picture(Endpoint):
    """A game to look at."""

    query = serializers.PictureOfGameQuery
    renderer_classes: tuple[type[TextRenderer], ...] = (SvgRenderer,)

    @operation(
        "picture",
        reply="image/svg+xml",
        query=serializers.PictureOfGameQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str) -> Response:
        """A picture of the game now or after an entry, as you see it, with its text inside."""
        table, viewer = self.seen(request, game)
        return Response(table.engine.svg(table.engine.view(table.state, viewer)))

    def seen(self, request: Request, game: str) -> tuple[Table, int | None]:
        """What is to be seen, and by whom."""
        account = account_of(request)
        visible_game(account, game)
        asked = self.asked(request)
        table = selectors.game_table(game, asked.get("seq"))
        if table.state is None:
            raise Refused("not-started", "There is nothing to be seen before the deal.")
        return table, _any_viewer(account, game, table, asked.get("as"))


class Text(Picture):
    """A game to read."""

    renderer_classes = (PlainRenderer,)

    @operation(
        "text",
        reply="text/plain",
        query=serializers.PictureOfGameQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str) -> Response:
        """The same as plain text."""
        table, viewer = self.seen(request, game)
        return Response(table.engine.text(table.engine.view(table.state, viewer)) + "\n")
