"""Endpoints for exports and proofs of games; also for verification, import and hiding."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any, Final

from django.conf import settings
from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api import query_serializers
from api.authentication import authorized_caller, reader_account, viewer_of, visible_game
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.games import lifecycle, presenters
from api.games.record_proofs import recorded
from api.limits import upload_limits
from api.operation_problems import OF_AN_EXPORT
from api.parsers import NdjsonParser
from api.renderers import NdjsonRenderer
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes import logs as shapes
from api.shapes.games import GameView
from games import selectors, services
from games.audit import sandbox, stored_game_export
from games.audit.size_budget import BudgetExceeded
from games.selectors import Game
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.export_format import signed_seqs
from tabularium_log.audit.verdict import Flaw
from tabularium_log.fairness.signed_hash_chain import Receipt, find_signing_key, sign_receipt
from tabularium_log.forms import GameId, has_form

VERIFIER_HINT: Final = "`docs/verify.py` verifies exports of any size."


class ExportEndpoint(Endpoint):
    """The export of a game."""

    query = query_serializers.ExportQuery
    renderer_classes = (NdjsonRenderer,)

    @operation(
        "export",
        reply="application/x-ndjson",
        query=query_serializers.ExportQuery,
        scope="games:read",
        open_to_all=True,
        sends=("Content-Disposition",),
    )
    @refused_with("not-over", "not-recorded-yet", "not-your-seat", "unknown-seat")
    def get(self, request: Request, game: str) -> Any:
        """Export the whole log of a game, signed, with all hidden fields that you may open. The
        format is described in docs/fairness.md. With `proof`, it ends with the proof that the game
        is in the public record, by which it verifies without receipts."""
        account = reader_account(request)
        row = visible_game(account, game)
        query = self.parse_query(request)
        viewer = viewer_of(account, game, query.get("as"))
        viewer_name = presenters.export_viewer_name(row, viewer)
        record = recorded(row).for_export if query["proof"] else None
        exported = stored_game_export.export_lines(game, viewer_name, record)
        lines = (f"{line}\n" for line in exported)
        response = StreamingHttpResponse(lines, content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
        return response


class ProofEndpoint(Endpoint):
    """The proof of a game."""

    @operation("proof", reply=shapes.Proof, scope="games:read", open_to_all=True)
    def get(self, request: Request, game: str) -> Response:
        """Get the commitment and the signed heads of a game. Once the game is over, its secret is
        included."""
        row = visible_game(reader_account(request), game)
        proof = selectors.game_proof(game)
        creation = proof.creation
        heads = stored_game_export.imported_receipts(row)
        if heads is None:
            heads = _sign_heads(row, creation.key)
        return reply(
            shapes.Proof(game, creation.commitment, proof.level, creation.key, proof.secret, heads)
        )


def _sign_heads(game: Game, public_key: str) -> tuple[Receipt, ...]:
    """The signed heads of a game, if this server still has the key that the game began under."""
    key = find_signing_key(settings.SIGNING_KEYS, public_key)
    if key is None:
        return ()
    hashes = selectors.entry_hashes(game.pk, signed_seqs(game.seq))
    return tuple(sign_receipt(key, game.pk, seq, hash_) for seq, hash_ in hashes.items())


class VerificationsEndpoint(Endpoint):
    """The verification of exports."""

    keeps_replies = False
    parser_classes = (NdjsonParser,)

    @operation(
        "verify_export", reply=shapes.ExportVerdict, scope="games:read", body="application/x-ndjson"
    )
    @refused_with(*OF_AN_EXPORT)
    def post(self, request: Request) -> Response:
        """Verify an export by its hash chain, its seals, its draws and its rules. Nothing is
        stored."""
        with uploaded_export(request, "games:read") as (export, _):
            verdict = sandbox.verify_export(export)
        is_signed = verdict.is_good and verdict.is_signed
        game = verdict.game if has_form(verdict.game, GameId) else ""
        summary = (game, verdict.is_good, is_signed, str(verdict), verdict.entries)
        return reply(shapes.ExportVerdict(*summary, verdict.level, verdict.seq, verdict.line))


class ImportEndpoint(Endpoint):
    """The import of games that were played elsewhere."""

    keeps_replies = False  # repeating the import yields the same game
    parser_classes = (NdjsonParser,)

    @operation(
        "import_game",
        sends=("Location",),
        reply=GameView,
        status=201,
        scope="games:create",
        body="application/x-ndjson",
        also={200: "The game was already imported."},
    )
    @refused_with(*OF_AN_EXPORT, "game-exists", "too-many-imports")
    def post(self, request: Request) -> Response:
        """Import a game that is over and whose export is valid. It is marked as played
        elsewhere."""
        with uploaded_export(request, "games:create") as (export, account):
            row, is_new = services.import_game(sandbox.load_verified_game(export), account)
        return lifecycle.game_response(row.pk, account, 201 if is_new else 200)


class HideGameEndpoint(Endpoint):
    """The hiding of imported games."""

    @operation("hide_game", reply=GameView, scope="games:create")
    @refused_with("not-your-game")
    def post(self, request: Request, game: str) -> Response:
        """Remove a game that you imported from the lists. Its log, export and proof stay available
        under its id."""
        caller = authorized_caller(request, "games:create")
        row = visible_game(caller.account, game)
        imported = selectors.import_of(row)
        if imported is None or imported.account_id != caller.account:
            raise Refusal("not-your-game", "Only the account that imported the game may hide it.")
        services.hide_game(game)
        return lifecycle.game_response(game, caller.account)


@contextmanager
def uploaded_export(request: Request, scope: str) -> Iterator[tuple[IO[bytes], str]]:
    """The export in the body, fully received and with a slot for its check, and the caller's
    account; flaws of the export become refusals."""
    account = authorized_caller(request, scope).account
    if not request.content_type:
        raise Refusal("unsupported-media-type", "Send the export as `application/x-ndjson`.")
    try:
        with (
            sandbox.spool_to_disk(request.data or BytesIO()) as export,
            upload_limits.check_slot(account),
        ):
            yield export, account
    except Flaw as flaw:
        raise Refusal("invalid-export", str(flaw)) from flaw
    except RulesetNotInstalled as unknown:
        raise Refusal("unknown-rules", f"{unknown}.") from unknown
    except BudgetExceeded as problem:
        raise Refusal("too-large", f"{problem} {VERIFIER_HINT}") from problem
    except sandbox.CheckerBusy as problem:
        raise Refusal("checks-busy", "The server is too busy to check an export.") from problem
    except sandbox.CheckTooCostly as problem:
        raise Refusal(
            "too-costly", f"The check exceeds the server's limits. {VERIFIER_HINT}"
        ) from problem
