"""Against whom can I play? The bots, which games they know, and how strong they are."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ai import registry
from ai.strength import Measured, measured
from api.documents import reply
from api.endpoint import Endpoint
from api.schema import operation
from api.shapes.bots import BotList, BotView, StrengthView


class Bots(Endpoint):
    """All bots."""

    cache_control = "public, max-age=300"

    @operation("list_bots", reply=BotList)
    def get(self, request: Request) -> Response:
        """All bots, how long they think, which games they play, and how well."""
        return reply(BotList(tuple(map(shown, registry.everybody())), None))


def shown(name: str) -> BotView:
    """A bot as clients see it."""
    rules = tuple(slug for slug in registry.HEURISTICS if name in registry.bots(slug))
    seconds = max(registry.budget(name, slug).seconds for slug in rules)
    known = (one for one in measured() if one.challenger == name)
    return BotView(
        name,
        registry.description(name),
        round(1000 * seconds),
        rules,
        tuple(strength(one) for one in known if one.opponent in registry.bots(one.game)),
    )


def strength(one: Measured) -> StrengthView:
    """A measurement as clients see it."""
    return StrengthView(
        rules=one.game,
        seats=one.seats,
        options=one.options,
        opponent=one.opponent,
        games=one.games,
        share=one.share,
        low=one.low,
        high=one.high,
        par=one.par,
    )
