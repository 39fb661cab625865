"""What does the OpenAPI document say of that which we send?"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Final

from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema

from api.components import reference
from api.shapes import webhooks as shapes


def _described(name: str, kind: type[Any]) -> OpenApiWebhook:
    """A request that a webhook gets; it has a name, a time and a signature in its headers."""
    summary = cleandoc(kind.__doc__ or "")
    told = "Signed after Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature."
    described = extend_schema(
        summary=summary,
        description=told,
        request={"application/json": reference(kind)},
        responses={"2XX": OpenApiResponse(description="You have it. 410: never again.")},
    )
    return OpenApiWebhook(name, described)


STARTED: Final = _described("game.started", shapes.GameStarted)
ENTRY: Final = _described("game.entry", shapes.GameEntry)
YOUR_TURN: Final = _described("game.your_turn", shapes.GameYourTurn)
OVER: Final = _described("game.over", shapes.GameOver)
PING: Final = _described("ping", shapes.Ping)
