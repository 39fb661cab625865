"""Webhooks in the OpenAPI document: the requests that they send."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Final

from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema

from api.openapi_schemas import shape_reference
from api.shapes import webhooks as shapes


def _webhook_operation(name: str, kind: type[Any]) -> OpenApiWebhook:
    """A request that a webhook receives, with id, timestamp and signature headers."""
    summary = cleandoc(kind.__doc__ or "")
    description = (
        "Signed according to Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature."
    )
    decorator = extend_schema(
        summary=summary,
        description=description,
        request={"application/json": shape_reference(kind)},
        responses={
            "2XX": OpenApiResponse(description="Received. 410: stop sending to this webhook.")
        },
    )
    return OpenApiWebhook(name, decorator)


GAME_CHALLENGE_WEBHOOK: Final = _webhook_operation("game.challenge", shapes.GameChallenge)
GAME_DECLINED_WEBHOOK: Final = _webhook_operation("game.declined", shapes.GameDeclined)
GAME_STARTED_WEBHOOK: Final = _webhook_operation("game.started", shapes.GameStarted)
GAME_ENTRY_WEBHOOK: Final = _webhook_operation("game.entry", shapes.GameEntry)
YOUR_TURN_WEBHOOK: Final = _webhook_operation("game.your_turn", shapes.GameYourTurn)
GAME_PROPOSAL_WEBHOOK: Final = _webhook_operation("game.proposal", shapes.GameProposal)
GAME_OVER_WEBHOOK: Final = _webhook_operation("game.over", shapes.GameOver)
PING_WEBHOOK: Final = _webhook_operation("ping", shapes.Ping)
