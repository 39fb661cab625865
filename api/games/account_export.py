"""The export of all games of an account: the files of single exports, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson
from rest_framework import serializers
from rest_framework.request import Request

from api import cursors
from api.authentication import authorized_caller, viewer_of
from api.base_endpoint import Endpoint
from api.content_encoding import encoded_stream
from api.errors import problem_code_of
from api.games import presenters
from api.renderers import NdjsonRenderer
from api.schema import operation
from games import selectors
from games.audit import stored_game_export
from games.secret_lookup import GameUnlockError
from games.selectors import Game
from tabularium_engines.common.replayable_log import BrokenLog

MAX_GAMES: Final = 50  # in one response
UNREADABLE: Final = (BrokenLog, GameUnlockError)


class AccountExportQuery(serializers.Serializer[Any]):
    after = serializers.RegexField(
        r"^game_[0-9a-f]{32}$",
        required=False,
        help_text="The last game that you have: the export goes on with the next one.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_GAMES, default=20, help_text="The most games."
    )


class AccountExportEndpoint(Endpoint):
    """The export of the caller's games."""

    query = AccountExportQuery
    renderer_classes = (NdjsonRenderer,)

    @operation(
        "export_me",
        reply="application/x-ndjson",
        query=AccountExportQuery,
        scope="games:read",
        sends=("Content-Disposition",),
    )
    def get(self, request: Request) -> Any:
        """Export the games that you created, play or have played, in the order of their ids: the
        lines of each are those of its own export, from the header to the trailer. The last line of
        the response is `{"next_after": …}`: the `after` that goes on, or null."""
        account = authorized_caller(request, "games:read").account
        query = self.parse_query(request)
        rows = selectors.games_of_account(account, query.get("after", ""))
        games, has_more = cursors.cut_page(list(rows[: query["limit"] + 1]), query["limit"])
        lines = pieces(account, games, games[-1].pk if has_more else None)
        response = encoded_stream(request, lines, NdjsonRenderer.media_type)
        response["Content-Disposition"] = 'attachment; filename="games.ndjson"'
        return response


def pieces(account: str, games: Iterable[Game], next_after: str | None) -> Iterator[bytes]:
    """The exports of the games, and the last line."""
    for game in games:
        yield _export_of(account, game)
    yield orjson.dumps({"next_after": next_after}) + b"\n"


def _export_of(account: str, row: Game) -> bytes:
    """The export of a game; of one that cannot be read, a line that says why."""
    name = presenters.export_viewer_name(row, viewer_of(account, row.pk, None))
    try:
        lines = list(stored_game_export.export_lines(row.pk, name))
    except UNREADABLE as problem:
        document = {"game": row.pk, "code": problem_code_of(problem)}
        return orjson.dumps({"unreadable": document}) + b"\n"
    return "".join(f"{line}\n" for line in lines).encode()
