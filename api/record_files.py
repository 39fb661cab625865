"""The files of the public record: its checkpoint, its tiles, and the leaves under them.

Their formats and paths are those of C2SP tlog-tiles, so that the programs of others read them; they
are no part of the API's document. A tile is served as soon as a checkpoint covers it, and never
changes. None of the addresses has query parameters: a cache cannot mix up two of them.
"""

from __future__ import annotations

import logging
from typing import Final

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.renderers import BytesRenderer, PlainTextRenderer
from api.schema import undescribed
from record.asking import served_note, served_policy
from record.copies import bundle_bytes, tile_bytes
from record.growth import read_tree
from record.models import SignedCheckpoint
from record.signing import latest_checkpoint
from record.tiles import Place, TilePath, parse_tile_path, width_in_tree
from tabularium_log.record.errors import MalformedError, RecordError

logger = logging.getLogger(__name__)

FOR_GOOD: Final = "public, max-age=31536000, immutable"


def published_checkpoint() -> SignedCheckpoint:
    """The last checkpoint; Http404 before the first."""
    checkpoint = latest_checkpoint()
    if checkpoint is None:
        raise Http404("The record has no checkpoint yet.")
    return checkpoint


class CheckpointEndpoint(Endpoint):
    """The last checkpoint."""

    cache_control = "public, max-age=5"
    renderer_classes = (PlainTextRenderer,)

    @undescribed
    def get(self, request: Request) -> Response:
        """Get the signed note of the tree's size and root."""
        return Response(served_note(published_checkpoint()))


class PolicyEndpoint(Endpoint):
    """The witnesses."""

    cache_control = "public, max-age=300"
    renderer_classes = (PlainTextRenderer,)

    @undescribed
    def get(self, request: Request) -> Response:
        """Get the keys of the record, and the witnesses that cosign it, as a policy."""
        published_checkpoint()  # no policy before the record has begun
        try:
            return Response(served_policy(read_tree().origin))
        except RecordError as problem:
            logger.exception("The policy of the record cannot be served")
            raise Refusal("unavailable", "The policy cannot be read.") from problem


class TileEndpoint(Endpoint):
    """A tile, or the leaves under one of level 0."""

    cache_control = FOR_GOOD
    renderer_classes = (BytesRenderer,)

    @undescribed
    def get(self, request: Request, tile: str) -> Response:
        """Get the hashes or the leaves of a path, if the last checkpoint covers them."""
        try:
            path = parse_tile_path(f"tile/{tile}")
        except MalformedError as problem:
            raise Http404(str(problem)) from problem
        if not is_covered(path):
            raise Http404("The last checkpoint does not cover this tile.")
        if path.level is not None:
            return Response(tile_bytes(Place(path.level, path.number), path.width))
        response = Response(bundle_bytes(path.number, path.width))
        vars(self)["may_be_compressed"] = vars(response)["is_quick"] = True
        return response


def is_covered(path: TilePath) -> bool:
    """Whether the tree of the last checkpoint has all of this tile."""
    checkpoint = latest_checkpoint()
    size = checkpoint.size if checkpoint else 0
    return path.width <= width_in_tree(Place(path.level or 0, path.number), size)
