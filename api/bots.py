"""Endpoints for bots: the games they play, their measured strength, and their ratings."""

from __future__ import annotations

from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from ai import bot_registry
from ai.strength_results import StrengthResult, load_results
from api.authentication import reader_account
from api.base_endpoint import REVALIDATED, Endpoint
from api.profiles import player_links
from api.ratings import ratings_of
from api.ruleset_types import typed
from api.schema import operation
from api.shape_responses import reply
from api.shapes.bots import BotList, BotProfile, BotView, StrengthView
from games.ratings.player_ratings import rated_player_id
from tabularium_engines.installed.registry import ENGINES


class BotsEndpoint(Endpoint):
    """All bots."""

    cache_control = "public, max-age=300"

    @operation("list_bots", reply=BotList)
    def get(self, request: Request) -> Response:
        """List all bots, with their thinking time, their rulesets and their strength."""
        return reply(BotList(tuple(map(bot_view, bot_registry.all_bot_names())), None))


class BotEndpoint(Endpoint):
    """A bot."""

    cache_control = REVALIDATED

    @operation("bot", reply=BotProfile, scope="games:read", open_to_all=True)
    def get(self, request: Request, bot: str) -> Response:
        """Get a bot, with its ratings."""
        reader_account(request)
        if bot not in bot_registry.all_bot_names():
            raise Http404(f"There is no bot {bot}.")
        links = player_links(reverse("bot", args=[bot]), bot=bot)
        ratings = ratings_of(rated_player_id(None, bot))
        return reply(BotProfile(**vars(bot_view(bot)), ratings=ratings, links=links))


def bot_view(name: str) -> BotView:
    """A bot as clients see it."""
    rules = tuple(slug for slug in ENGINES if name in bot_registry.bot_names(slug))
    seconds = max(bot_registry.bot_budget(name, slug).seconds for slug in rules)
    results = (result for result in load_results() if result.challenger == name)
    return BotView(
        name,
        bot_registry.bot_description(name),
        round(1000 * seconds),
        rules,
        tuple(
            strength_view(result)
            for result in results
            if result.opponent in bot_registry.bot_names(result.game)
        ),
    )


def strength_view(result: StrengthResult) -> StrengthView:
    """A strength measurement as clients see it."""
    return StrengthView(
        rules=result.game,
        version=result.version,
        seats=result.seats,
        options=typed(result.game, result.version, "options", result.options),
        opponent=result.opponent,
        games=result.games,
        share=result.share,
        low=result.low,
        high=result.high,
        par=result.par,
    )
