"""Endpoints for streams: of one game, of all games of an account, or of the open tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import authorized_caller, reader_account, viewer_of, visible_game
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.query_serializers import NamingQuery
from api.renderers import NdjsonRenderer
from api.schema import operation, refused_with
from api.shapes.logs import EntryView
from api.shapes.streams import GameUpdate, LobbyUpdate, RecoveryNotice
from api.streams.account_feed import AccountFeed
from api.streams.feeds import Feed, GameFeed
from api.streams.formats import FORMAT_BY_MEDIA_TYPE, ServerSentRenderer
from api.streams.lobby_feed import LobbyFeed
from api.streams.stream_response import streaming_response

LAST_EVENT_ID_HEADER: Final = "Last-Event-ID"
RESUME_HEADERS: Final = {
    LAST_EVENT_ID_HEADER: "The id of the last item that you have; takes precedence over `after`."
}
MAX_SEQ: Final = 2**31 - 1  # the highest seq possible
READ_SCOPE: Final = "games:read"


class GameStreamQuery(NamingQuery):
    after = serializers.IntegerField(
        min_value=0, max_value=MAX_SEQ, default=0, help_text="The last entry that you have."
    )


class LobbyStreamQuery(serializers.Serializer[Any]):
    open = serializers.ChoiceField(["true"], help_text="Open tables: there is no other stream.")
    rules = serializers.SlugField(
        required=False, max_length=40, help_text="Only tables of this ruleset."
    )


class MyStreamQuery(serializers.Serializer[Any]):
    after = serializers.DateTimeField(
        required=False,
        help_text="The id of the last item that you have; the changes since then follow.",
    )
    recoveries = serializers.BooleanField(
        default=False,
        help_text="Whether to tell, too, when one of your recovery codes is redeemed.",
    )


class StreamEndpoint(Endpoint):
    """An endpoint that returns a stream."""

    renderer_classes = (ServerSentRenderer, NdjsonRenderer)

    def start_stream(self, request: Request, feed: Feed[Any]) -> Any:
        """The stream in the negotiated format."""
        media_type = str(request.accepted_renderer.media_type)
        return streaming_response(request, feed, FORMAT_BY_MEDIA_TYPE[media_type], media_type)

    def resume_position(self, request: Request) -> Any:
        """The value of `after`, or of the header with which a browser resumes."""
        last_event_id = request.headers.get(LAST_EVENT_ID_HEADER)
        if last_event_id is None:
            return self.parse_query(request).get("after")
        try:
            return self.query().fields["after"].run_validation(last_event_id)
        except serializers.ValidationError as problem:
            detail = f"{last_event_id!r} is not the id of an item of this stream."
            errors = [{"parameter": LAST_EVENT_ID_HEADER, "code": "invalid", "detail": detail}]
            raise Refusal(
                "invalid-parameter", f"{LAST_EVENT_ID_HEADER}: {detail}", errors
            ) from problem


class GameStreamEndpoint(StreamEndpoint):
    """The stream of a game."""

    query = GameStreamQuery

    @operation(
        "stream_game",
        reply={ServerSentRenderer.media_type: str, NdjsonRenderer.media_type: EntryView},
        query=GameStreamQuery,
        scope=READ_SCOPE,
        open_to_all=True,
        headers=RESUME_HEADERS,
        also={204: "The game is over, and you have all its entries."},
    )
    @refused_with("not-your-seat", "too-many-streams")
    def get(self, request: Request, game: str) -> Any:
        """Stream every entry after `after` as you may see it, then each new one until the game is
        over. The id of an item is its seq, so you receive each entry exactly once. Your view of a
        seat ends when another account takes the seat."""
        account = reader_account(request)
        row = visible_game(account, game)
        query = self.parse_query(request)
        viewer = viewer_of(account, game, query.get("as"))
        after = self.resume_position(request)
        if row.phase == row.Phase.OVER and after >= row.seq:
            return Response(status=204)
        if viewer is None and row.visibility == row.Visibility.PUBLIC:
            account = None  # all spectators get the same stream
        return self.start_stream(
            request, GameFeed(game, account, viewer, after, has_names=query["names"])
        )


class LobbyStreamEndpoint(StreamEndpoint):
    """The stream of open tables."""

    query = LobbyStreamQuery

    @operation(
        "stream_games",
        reply={ServerSentRenderer.media_type: str, NdjsonRenderer.media_type: LobbyUpdate},
        query=LobbyStreamQuery,
        scope=READ_SCOPE,
        open_to_all=True,
    )
    @refused_with("too-many-streams")
    def get(self, request: Request) -> Any:
        """Stream the newest 200 public tables that the first to join may take a seat of, then each
        one that opens, changes or closes, within seconds. It cannot be resumed: after a break it
        begins with all of them again, and its first item, with `game` null, says so."""
        reader_account(request)
        query = self.parse_query(request)
        return self.start_stream(request, LobbyFeed(query.get("rules")))


class MyStreamEndpoint(StreamEndpoint):
    """The stream of all games of an account."""

    query = MyStreamQuery

    @operation(
        "stream_me",
        reply={
            ServerSentRenderer.media_type: str,
            NdjsonRenderer.media_type: (GameUpdate, RecoveryNotice),
        },
        query=MyStreamQuery,
        scope=READ_SCOPE,
        headers=RESUME_HEADERS,
    )
    @refused_with("too-many-streams")
    def get(self, request: Request) -> Any:
        """Stream an update for each of your games that is not over, then one for each game that
        grows. When you resume, it begins with all games that have grown since, over or not, and may
        repeat some. For a game that grows fast you may receive only the latest update; its log has
        every entry. With `recoveries`, other items are the uses of your recovery codes."""
        caller = authorized_caller(request, READ_SCOPE)
        has_recoveries: bool = self.parse_query(request)["recoveries"]
        since: datetime | None = self.resume_position(request)
        feed = AccountFeed(caller.account, since, has_recoveries=has_recoveries)
        return self.start_stream(request, feed)
