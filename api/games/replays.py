"""The endpoint of a game's replay as an animated WebP: a worker draws it, and meanwhile the reply
is its progress."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api import query_serializers
from api.authentication import reader_account
from api.base_endpoint import IMMUTABLE, REVALIDATED
from api.content_encoding import content_tag
from api.errors import Refusal
from api.games import presenters
from api.games.analyses import PREFER_HEADERS
from api.games.pictures import PictureEndpoint
from api.limits.client_address import client_address_of
from api.models import Replay
from api.png import drawing
from api.renderers import JsonRenderer, WebpRenderer
from api.replays import replay_dispatch, replay_rows
from api.replays.replay_rows import Style
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes.analyses import Progress
from api.shapes.replays import ReplayLinks, ReplayStage, ReplayView
from api.streams.long_poll import WaitCondition, hold_response
from games import selectors
from tabularium_log.projection.projection import Projection

FRAMES_PER_TOKEN: Final = 2  # of the limit, beside the one that each request takes
REPLAY_POLL_SECONDS: Final = 0.5  # between two checks for a waiting client


class ReplayEndpoint(PictureEndpoint):
    """The replay of a game as an animated WebP."""

    may_be_compressed = False
    query = query_serializers.ReplayQuery
    renderer_classes = (WebpRenderer,)

    @operation(
        "replay",
        reply={WebpRenderer.media_type: bytes},
        meanwhile=ReplayView,
        sends=("Location",),
        query=query_serializers.ReplayQuery,
        scope="games:read",
        open_to_all=True,
        headers=PREFER_HEADERS,
    )
    @refused_with(
        "drawings-busy",
        "not-over",
        "not-started",
        "not-your-seat",
        "png-not-installed",
        "too-many-replays",
    )
    def get(self, request: Request, game: str) -> Response:
        """Get the replay (animated WebP) of a game that is over, from the deal to its end, as you
        see it. A worker draws it at the first request; until then the reply is a 202 with its
        progress, and the same request asks again."""
        if not drawing.can_animate():
            raise Refusal("png-not-installed", "This server draws no WebP: ask for `pictures`.")
        table, viewer = self.visible_projection(request, game)
        selectors.check_game_over(game)
        query, look = self.parse_query(request), self.look(request, game)
        style = Style(viewer, look.shape, look.names, query["width"], query["delay"])
        replay = self._found_or_begun(table, style)
        if replay.content is None:
            return _held(request, replay)
        return Response(bytes(replay.content), headers=self._headers())

    def _found_or_begun(self, table: Projection, style: Style) -> Replay:
        name = replay_id(table, style)
        if replay := replay_rows.find(name):
            return replay
        caller = reader_account(self.request) or client_address_of(self.request.META)
        try:
            if replay_rows.has_one_waiting(caller):
                raise replay_rows.HasOneWaiting
            frames = replay_rows.frame_seqs(table.first or 1, table.seq)
            self.charge(len(frames) // FRAMES_PER_TOKEN)
            return replay_dispatch.begin(name, caller, table, style)
        except replay_rows.HasOneWaiting as problem:
            detail = "Another replay that you asked for is being drawn: wait until it is done."
            raise Refusal("too-many-replays", detail) from problem
        except replay_rows.TooManyWaiting as problem:
            detail = "Other replays are being drawn: try again later."
            raise Refusal("drawings-busy", detail) from problem

    def _headers(self) -> dict[str, str]:
        """The headers of a replay, which never changes if the query names the viewer, and shows no
        names."""
        parameters = set(self.request.query_params)
        is_final = "as" in parameters and "names" not in parameters
        return {"Cache-Control": IMMUTABLE if is_final else REVALIDATED}


def replay_id(table: Projection, style: Style) -> str:
    """The digest of all that a replay shows: the same game, viewer, style and code."""
    seqs = range(table.first or 1, table.seq + 1)
    pictures = presenters.pictures_tag(table, style.viewer, seqs, style.look)
    parts = (pictures, style.width, style.delay, replay_rows.MAX_FRAMES, replay_rows.ENCODING)
    return content_tag(repr(parts).encode()).strip('"')


def _held(request: Request, replay: Replay) -> Response:
    """The progress of a replay, held back until it is drawn, as long as the client waits."""
    place, name = request.get_full_path(), replay.pk
    request.accepted_renderer = JsonRenderer()
    request.accepted_media_type = JsonRenderer.media_type
    condition = WaitCondition(
        replay.game_id,
        lambda: _stage(replay_rows.find(name)) != "waiting",
        lambda: _view(replay_rows.find(name), replay, place),
        REPLAY_POLL_SECONDS,
    )
    response = reply(_view(replay, replay, place), 202, location=place)
    return hold_response(request, response, condition)


def _stage(replay: Replay | None) -> ReplayStage:
    if replay is None:
        return "failed"
    return "waiting" if replay.content is None else "done"


def _view(replay: Replay | None, before: Replay, place: str) -> ReplayView:
    """A replay as it is now; `before`, as it was."""
    stage, known = _stage(replay), replay or before
    progress = Progress(known.frames if stage == "done" else known.drawn, known.frames)
    links = ReplayLinks(place, reverse("game-game", args=[before.game_id]))
    return ReplayView(before.game_id, stage, progress, links)
