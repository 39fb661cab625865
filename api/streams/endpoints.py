"""Where does one listen? To a game, or to all games of an account."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, caller_of, seats_of, viewer_of, visible_game
from api.components import reference
from api.endpoint import Endpoint
from api.errors import Refusal
from api.renderers import LinesRenderer
from api.schema import KEY
from api.serializers import AsQuery
from api.shapes.logs import EntryView
from api.shapes.streams import Growth
from api.streams.accounts import AccountFeed
from api.streams.feeds import Feed, GameFeed
from api.streams.formats import FORMATS, ServerSentRenderer
from api.streams.streaming import streamed
from games import selectors
from games.models import Game

F = TypeVar("F", bound=Callable[..., Any])

LAST_ID: Final = "Last-Event-ID"
MOST: Final = 2**31 - 1  # the last entry there could be
READ: Final = "games:read"


class StreamQuery(AsQuery):
    after = serializers.IntegerField(
        min_value=0, max_value=MOST, default=0, help_text="The last entry you have."
    )


class MyStreamQuery(serializers.Serializer[Any]):
    after = serializers.DateTimeField(
        required=False, help_text="The id of the last item you have: tells what has changed since."
    )


def _described(
    name: str, shape: type[Any], query: type[Any], *, open_to_all: bool
) -> Callable[[F], F]:
    answers: dict[Any, Any] = {
        (200, ServerSentRenderer.media_type): OpenApiTypes.STR,
        (200, LinesRenderer.media_type): reference(shape),
    }
    if open_to_all:
        answers[204] = OpenApiResponse(description="The game is over, and you have all of it.")
    last = OpenApiParameter(
        LAST_ID, str, "header", description="The id of the last item you have, before `after`."
    )
    auth: Any = [{KEY: [READ]}, {}] if open_to_all else [{KEY: [READ]}]
    return extend_schema(operation_id=name, responses=answers, parameters=[query, last], auth=auth)


class Stream(Endpoint):
    """What lasts."""

    renderer_classes = (ServerSentRenderer, LinesRenderer)

    def begun(self, request: Request, feed: Feed[Any]) -> Any:
        """The stream, in the form that was asked for."""
        kind = str(request.accepted_renderer.media_type)
        return streamed(request, feed, FORMATS[kind], kind)

    def resumed(self, request: Request) -> Any:
        """The value of `after`, or of the header with which a browser resumes."""
        said = request.headers.get(LAST_ID)
        if said is None:
            return self.asked(request).get("after")
        try:
            return self.query().fields["after"].run_validation(said)
        except serializers.ValidationError as problem:
            detail = f"{said!r} is none of the ids that were given here."
            errors = [{"parameter": LAST_ID, "code": "invalid", "detail": detail}]
            raise Refusal("invalid-parameter", f"{LAST_ID}: {detail}", errors) from problem


class GameStream(Stream):
    """A game, as it is played."""

    query = StreamQuery

    @_described("stream_game", EntryView, StreamQuery, open_to_all=True)
    def get(self, request: Request, game: str) -> Any:
        """Every entry after `after`, as you may read it, then each new one until the game is over.
        The id is the seq: nothing is told twice, and nothing is left out. Your view of a seat ends
        when somebody else takes it."""
        account = account_of(request)
        row = visible_game(account, game)
        viewer = viewer_of(seats_of(account, game), self.asked(request).get("as"))
        after = self.resumed(request)
        table = selectors.game_table(game)
        if table.phase == "over" and after >= table.seq:
            return Response(status=204)
        if viewer is None and row.visibility == Game.Visibility.PUBLIC:
            account = None  # every onlooker is told the same
        return self.begun(request, GameFeed(game, account, viewer, after))


class MyStream(Stream):
    """All games of an account, as they are played."""

    query = MyStreamQuery

    @_described("stream_me", Growth, MyStreamQuery, open_to_all=False)
    def get(self, request: Request) -> Any:
        """Where each of your games stands that is not over; then each that has grown. Resumed, it
        begins with all that have grown since, whether over or not, and tells some again. Of a game
        that grows fast you may be told only where it stands in the end: its log has the rest."""
        caller = caller_of(request, READ)
        self.asked(request)
        since: datetime | None = self.resumed(request)
        return self.begun(request, AccountFeed(caller.account, since))
