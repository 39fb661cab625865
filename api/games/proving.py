"""How does one check a game? Exports, proofs, and what the server says of somebody's export."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
from api.limits import checks
from api.parsers import LinesParser
from api.renderers import LinesRenderer
from api.schema import operation
from api.shapes import logs as shapes
from api.shapes.games import GameView
from games import selectors, services
from games.audit import apart, stored
from games.audit.budget import OverBudget
from games.audit.format import EVERYTHING, signed_at
from games.audit.verdict import Flaw
from games.fairness.receipts import Receipt, sign, signer
from games.models import Entry
from games.registry import UnknownRules
from games.table.table import Table

ELSEWHERE: Final = "`docs/verify.py` verifies exports of any size."


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
        row = visible_game(account_of(request), game)
        table = selectors.game_table(game)
        create = table.create
        heads = stored.receipts_of(row)
        if heads is None:
            heads = _signed(table)
        return reply(
            shapes.Proof(game, create.commitment, table.level, create.key, table.secret, heads)
        )


def _signed(table: Table) -> tuple[Receipt, ...]:
    """The heads of a game, if this server still has the key that it began under."""
    key = signer(settings.SIGNING_KEYS, table.create.key)
    if key is None:
        return ()
    entries = Entry.objects.filter(game=table.game, seq__in=signed_at(table.seq)).order_by("seq")
    hashes = entries.values_list("seq", "hash")
    return tuple(sign(key, table.game, seq, hash_) for seq, hash_ in hashes)


class Verifications(Endpoint):
    """What is to be said of an export."""

    keeps_replies = False
    parser_classes = (LinesParser,)

    @operation(
        "verify_export", reply=shapes.Finding, scope="games:read", body="application/x-ndjson"
    )
    def post(self, request: Request) -> Response:
        """Check an export by its chain, its seals, its draws and its rules; nothing is kept."""
        with checking(request, "games:read") as (export, _):
            verdict = apart.verified(export)
        is_signed = verdict.is_good and verdict.is_signed
        found = (verdict.game, verdict.is_good, is_signed, str(verdict), verdict.entries)
        return reply(shapes.Finding(*found, verdict.level, verdict.seq, verdict.line))


class Import(Endpoint):
    """A game that was played elsewhere."""

    keeps_replies = False  # the same export again is the same game
    parser_classes = (LinesParser,)

    @operation(
        "import_game",
        reply=GameView,
        status=201,
        scope="games:create",
        body="application/x-ndjson",
        also={200: "It was here already."},
    )
    def post(self, request: Request) -> Response:
        """Keep a game that is over and proves to be good. It says that it was played elsewhere."""
        with checking(request, "games:create") as (export, account):
            kept, is_new = services.game_import(apart.carried(export), account)
        return setting_up.shown(kept.pk, account, 201 if is_new else 200)


class Hiding(Endpoint):
    """An imported game that is to be found by its name only."""

    @operation("hide_game", reply=GameView, scope="games:create")
    def post(self, request: Request, game: str) -> Response:
        """Take a game that you imported off the lists; its log, export and proof stay."""
        caller = caller_of(request, "games:create")
        row = visible_game(caller.account, game)
        if getattr(row, "imported", None) is None or row.imported.account_id != caller.account:
            raise Refusal("not-your-game", "Only the account that imported a game may hide it.")
        services.game_hide(game)
        return setting_up.shown(game, caller.account)


@contextmanager
def checking(request: Request, scope: str) -> Iterator[tuple[IO[bytes], str]]:
    """The export in the body, all of which has come, and whose turn it is to have it checked; what
    is wrong with it becomes a refusal."""
    account = caller_of(request, scope).account
    if not request.content_type:
        raise Refusal("unsupported-media-type", "Send an export as `application/x-ndjson`.")
    try:
        with apart.on_disk(request.data or BytesIO()) as export, checks.turn(account):
            yield export, account
    except Flaw as flaw:
        raise Refusal("invalid-export", str(flaw)) from flaw
    except UnknownRules as unknown:
        raise Refusal("unknown-rules", f"{unknown}.") from unknown
    except OverBudget as problem:
        raise Refusal("too-large", f"{problem} {ELSEWHERE}") from problem
    except apart.TooBusy as problem:
        raise Refusal("checks-busy", "There is no time to check an export now.") from problem
    except apart.TooCostly as problem:
        raise Refusal("too-costly", f"The check takes too long. {ELSEWHERE}") from problem
