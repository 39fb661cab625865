"""Endpoints of pictures: a position of a game as SVG or text, a range of positions as NDJSON."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, Final

import orjson
from django.conf import settings
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from api import query_serializers
from api.authentication import position_viewer, reader_account, visible_game
from api.base_endpoint import IMMUTABLE, REVALIDATED, Endpoint
from api.content_encoding import content_tag, has_current_copy, represent_stream
from api.errors import Refusal
from api.games import presenters
from api.games.drawn_positions import Look, draw_position
from api.operation_problems import OF_A_POSITION
from api.png import drawing
from api.renderers import NdjsonRenderer, PlainTextRenderer, PngRenderer, SvgRenderer
from api.schema import operation, refused_with
from games import selectors
from tabularium_engines.common.svg import description_of
from tabularium_log.projection.projection import GameRefusal, Projection

PICTURES_PER_TOKEN: Final = 20  # of the limit, beside the one that each request takes


class PictureEndpoint(Endpoint):
    """A picture of a game."""

    cache_control = REVALIDATED
    may_be_compressed = True
    query: ClassVar[type[Serializer[Any]]] = query_serializers.GamePictureQuery
    renderer_classes: tuple[type[BaseRenderer], ...] = (SvgRenderer,)

    @operation(
        "picture",
        reply="image/svg+xml",
        query=query_serializers.GamePictureQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with(*OF_A_POSITION)
    def get(self, request: Request, game: str) -> Response:
        """Get a picture (SVG) of the game now, or after an entry, as you see it. Its description
        contains the game as text."""
        table, viewer = self.visible_projection(request, game)
        return self.position_response(draw_position(table, viewer, self.look(request, game)))

    def position_response(self, content: str | bytes, tag: str = "") -> Response:
        """The response with a position."""
        return Response(content, headers=self.position_headers(tag))

    def look(self, request: Request, game: str) -> Look:
        """The look that the query asks for. With a key, a picture with names is not compressed:
        they are text of others beside the viewer's hand."""
        query = self.parse_query(request)
        if not query["names"]:
            return Look(query["shape"], None)
        if reader_account(request) is not None:
            vars(self)["may_be_compressed"] = False
        return Look(query["shape"], presenters.player_names(game))

    def position_headers(self, tag: str) -> dict[str, str]:
        """The headers of a position, which never changes if the query names the entry and the
        viewer, and shows no names; the middleware finds the ETag unless it is given here."""
        parameters = set(self.request.query_params)
        is_final = {"seq", "as"} <= parameters and "names" not in parameters
        cache_control = IMMUTABLE if is_final else self.cache_control
        return {"Cache-Control": cache_control} | ({"ETag": tag} if tag else {})

    def visible_projection(self, request: Request, game: str) -> tuple[Projection, int | None]:
        """The projection to show, and its viewer."""
        account = reader_account(request)
        visible_game(account, game)
        query = self.parse_query(request)
        table = selectors.game_projection(game, query.get("seq"))
        if table.state is None:
            raise GameRefusal("not-started", "There is no picture before the deal.")
        return table, position_viewer(account, game, table, query.get("as"))


class PngEndpoint(PictureEndpoint):
    """A picture of a game as PNG."""

    may_be_compressed = False
    query = query_serializers.PngQuery
    renderer_classes = (PngRenderer,)

    @operation(
        "picture_png",
        reply={PngRenderer.media_type: bytes},
        query=query_serializers.PngQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with(*OF_A_POSITION, "drawings-busy", "png-not-installed")
    def get(self, request: Request, game: str) -> Response:
        """Get a picture (PNG) of the game now, or after an entry, as you see it: the one of
        `picture.svg` in that width."""
        if not drawing.is_installed():
            raise Refusal("png-not-installed", "This server draws no PNG: ask for `picture.svg`.")
        table, viewer = self.visible_projection(request, game)
        width: int = self.parse_query(request)["width"]
        picture = draw_position(table, viewer, self.look(request, game))
        tag = content_tag(f"png {width} {picture}".encode())
        if has_current_copy(request, tag):
            return Response(status=304, headers=self.position_headers(tag))
        try:
            return self.position_response(drawer().draw(tag, picture, width), tag)
        except drawing.DrawerBusy as problem:
            detail = "Other pictures are being drawn: try again later."
            raise Refusal("drawings-busy", detail) from problem


@cache
def drawer() -> drawing.Drawer:
    """The drawer of this process."""
    return drawing.Drawer(settings.DRAWINGS)


class TextEndpoint(PictureEndpoint):
    """A game as text."""

    query = query_serializers.PositionQuery
    renderer_classes = (PlainTextRenderer,)

    @operation(
        "text",
        reply="text/plain",
        query=query_serializers.PositionQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with(*OF_A_POSITION)
    def get(self, request: Request, game: str) -> Response:
        """Get the game as plain text, now or after an entry, as you see it."""
        table, viewer = self.visible_projection(request, game)
        view = table.engine.view(table.state, viewer)
        return self.position_response(f"{table.engine.text(view)}\n")


class PicturesEndpoint(PictureEndpoint):
    """The pictures of a range of positions."""

    query = query_serializers.PicturesQuery
    renderer_classes = (NdjsonRenderer,)

    @operation(
        "pictures",
        reply="application/x-ndjson",
        query=query_serializers.PicturesQuery,
        scope="games:read",
        open_to_all=True,
    )
    @refused_with("not-your-seat", "not-started")
    def get(self, request: Request, game: str) -> Any:
        """List the pictures of the positions after the entry `after`, from the deal on, as you see
        them. Each line is an object with the entry `seq`, and the position after it as `svg` and
        as `text`, which are those of `picture.svg` and `picture.txt`. The request counts as one
        read, and as one more for every 20 pictures."""
        now, viewer = self.visible_projection(request, game)
        query = self.parse_query(request)
        first = max(query["after"] + 1, now.first or 1)
        last = min(first + query["limit"] - 1, now.seq)
        look = self.look(request, game)
        response = represent_stream(
            request,
            picture_lines(viewer, range(first, last + 1), game, look),
            presenters.pictures_tag(now, viewer, range(first, last + 1), look),
            NdjsonRenderer.media_type,
            may_be_compressed=self.may_be_compressed,
        )
        is_whole = now.phase == "over" or last - first + 1 == query["limit"]
        is_final = is_whole and "as" in request.query_params and look.names is None
        response["Cache-Control"] = IMMUTABLE if is_final else REVALIDATED
        if response.status_code == 200:
            self.charge(max(0, last - first + 1) // PICTURES_PER_TOKEN)
        return response


def picture_lines(viewer: int | None, seqs: range, game: str, look: Look) -> Iterator[bytes]:
    """The pictures after these entries, each on a line. The text of a position is the description
    of its picture."""
    for table in selectors.stepped_projections(game, seqs[0], seqs[-1]) if seqs else ():
        picture = draw_position(table, viewer, look)
        line = {"seq": table.seq, "svg": picture, "text": f"{description_of(picture)}\n"}
        yield orjson.dumps(line) + b"\n"
