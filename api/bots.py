"""Against whom can I play? The bots, and which games they know."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ai import registry
from api.documents import reply
from api.endpoint import Endpoint
from api.schema import operation
from api.shapes.bots import BotList, BotView


class Bots(Endpoint):
    """All bots."""

    cache_control = "public, max-age=300"

    @operation("list_bots", reply=BotList)
    def get(self, request: Request) -> Response:
        """All bots, how long they think, and which games they play."""
        rules = tuple(registry.HEURISTICS)
        items = tuple(
            BotView(name, registry.DESCRIPTIONS[name], round(1000 * seconds), rules)
            for name, seconds in registry.SECONDS.items()
        )
        return reply(BotList(items, None))
