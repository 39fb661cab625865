"""The endpoint for the proof that a game is in the public record."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import reader_account, visible_game
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.renderers import PlainTextRenderer
from api.schema import operation, refused_with
from games.selectors import Game
from record.game_proofs import GameProof, NotRecordedYetError, prove_game

NEXT_CHECKPOINT_SECONDS: Final = 10  # the record is signed no more often


class RecordProofEndpoint(Endpoint):
    """The proof of a game that is over."""

    renderer_classes = (PlainTextRenderer,)

    @operation("record_proof", reply="text/plain", scope="games:read", open_to_all=True)
    @refused_with("not-recorded-yet")
    def get(self, request: Request, game: str) -> Response:
        """Get the proof that a game is in the last signed checkpoint of the public record. It is a
        text in the format `c2sp.org/tlog-proof@v1`; docs/record.md says how to verify it."""
        row = visible_game(reader_account(request), game)
        return Response(recorded(row).proof.encode().decode())


def recorded(row: Game) -> GameProof:
    """The proof of a game, or a refusal that says why there is none yet."""
    try:
        return prove_game(row)
    except NotRecordedYetError as problem:
        refusal = Refusal("not-recorded-yet", str(problem))
        if problem.is_next:
            refusal.retry_after = NEXT_CHECKPOINT_SECONDS
        raise refusal from problem
