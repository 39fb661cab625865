"""How does one check a game? Exports, proofs, and what the server says of somebody's export."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any, Final

from django.conf import settings
from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api import serializers
from api.access import account_of, caller_of, seats_of, viewer_of, visible_game
from api.documents import reply
from api.endpoint import Endpoint
from api.errors import Refusal
from api.games import setting_up, showing
from api.parsers import LinesParser
from api.renderers import LinesRenderer
from api.schema import operation
from api.shapes import logs as shapes
from api.shapes.games import GameView
from games import selectors, services
from games.audit import exports, stored
from games.audit.format import EVERYTHING, LONGEST_LINE, signed_at
from games.audit.verdict import Flaw
from games.fairness.receipts import sign
from games.models import Entry
from games.registry import UnknownRules

LARGEST: Final = 64 << 20  # bytes of an export


class Export(Endpoint):
    """A game to take home."""

    query = serializers.AsQuery
    renderer_classes = (LinesRenderer,)

    @operation(
        "export",
        reply="application/x-ndjson",
        query=serializers.AsQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str) -> Any:
        """The whole log, signed, with all that you may open; see docs/fairness.md."""
        account = account_of(request)
        visible_game(account, game)
        seen = viewer_of(seats_of(account, game), self.asked(request).get("as"))
        over = selectors.game_table(game).phase == "over"
        viewer = EVERYTHING if over else showing.seen_as(seen)
        lines = (f"{line}\n" for line in stored.export_lines(game, viewer))
        response = StreamingHttpResponse(lines, content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
        return response


class Proof(Endpoint):
    """What the server has bound itself to."""

    @operation("proof", reply=shapes.Proof, scope="games:read", open_to_all=True)
    def get(self, request: Request, game: str) -> Response:
        """The commitment, signed heads, and the secret once the game is over."""
        visible_game(account_of(request), game)
        table = selectors.game_table(game)
        seqs = signed_at(table.seq)
        hashes = Entry.objects.filter(game=game, seq__in=seqs).values_list("seq", "hash")
        heads = (sign(settings.SIGNING_KEY, game, seq, hash_) for seq, hash_ in sorted(hashes))
        create = table.create
        return reply(
            shapes.Proof(
                game, create.commitment, table.level, create.key, table.secret, tuple(heads)
            )
        )


class Verifications(Endpoint):
    """What is to be said of an export."""

    keeps_replies = False
    parser_classes = (LinesParser,)

    @operation("verify_export", reply=shapes.Finding, body="application/x-ndjson")
    def post(self, request: Request) -> Response:
        """Check an export by its chain, its seals, its draws and its rules; nothing is kept."""
        verdict = exports.verified(lines_of(request))
        found = (verdict.game, verdict.is_good, str(verdict), verdict.entries)
        return reply(shapes.Finding(*found, verdict.level, verdict.seq, verdict.line))


class Import(Endpoint):
    """A game that was played elsewhere."""

    keeps_replies = False  # the same export again is the same game
    parser_classes = (LinesParser,)

    @operation(
        "import_game", reply=GameView, status=201, scope="games:create", body="application/x-ndjson"
    )
    def post(self, request: Request) -> Response:
        """Keep a game that is over and proves to be good."""
        caller = caller_of(request, "games:create")
        try:
            kept = services.game_import(lines_of(request))
        except Flaw as flaw:
            raise Refusal("invalid-export", str(flaw)) from flaw
        except UnknownRules as unknown:
            raise Refusal("unknown-rules", f"{unknown}.") from unknown
        return setting_up.shown(kept.pk, caller.account, 201)


def lines_of(request: Request) -> Iterator[bytes]:
    """The lines of an export in the body, read as they are needed."""
    if not request.content_type:
        raise Refusal("unsupported-media-type", "Send an export as `application/x-ndjson`.")
    stream: Any = request.data or BytesIO()
    return _bounded(stream)


def _bounded(body: IO[Any]) -> Iterator[bytes]:
    left = LARGEST
    while line := body.readline(LONGEST_LINE + 1):
        left -= len(line)
        if left < 0:
            raise Refusal("too-large", f"An export may have {LARGEST >> 20} MB here.")
        yield line
