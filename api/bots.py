"""The catalogue of bots: the games they play, and their measured strength."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ai import bot_registry
from ai.strength_results import StrengthResult, load_results
from api.endpoint import Endpoint
from api.responses import reply
from api.schema import operation
from api.shapes.bots import BotList, BotView, StrengthView


class BotsEndpoint(Endpoint):
    """All bots."""

    cache_control = "public, max-age=300"

    @operation("list_bots", reply=BotList)
    def get(self, request: Request) -> Response:
        """List all bots, with their thinking time, their rulesets and their strength."""
        return reply(BotList(tuple(map(bot_view, bot_registry.all_bot_names())), None))


def bot_view(name: str) -> BotView:
    """A bot as clients see it."""
    rules = tuple(slug for slug in bot_registry.HEURISTICS if name in bot_registry.bot_names(slug))
    seconds = max(bot_registry.bot_budget(name, slug).seconds for slug in rules)
    known = (one for one in load_results() if one.challenger == name)
    return BotView(
        name,
        bot_registry.bot_description(name),
        round(1000 * seconds),
        rules,
        tuple(
            strength_view(one) for one in known if one.opponent in bot_registry.bot_names(one.game)
        ),
    )


def strength_view(one: StrengthResult) -> StrengthView:
    """A strength measurement as clients see it."""
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
