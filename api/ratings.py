"""The endpoint for ratings: leaderboards of players and bots by ruleset; also the caller's own
ratings."""

from __future__ import annotations

import re
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors
from api.authentication import reader_account
from api.base_endpoint import Endpoint
from api.query_serializers import PageQuery
from api.rulesets import engine_or_404
from api.schema import operation
from api.shape_responses import reply
from api.shapes import ratings as shapes
from games.ratings import player_ratings
from games.selectors import Rating

RATING_DECIMALS: Final = 3
RATING_CURSOR_PATTERN: Final = re.compile(
    r"(-?\d{1,9}(?:\.\d{1,20})?(?:e-\d{1,3})?) (\S+)", re.ASCII
)


class RatingsEndpoint(Endpoint):
    """The leaderboard of a ruleset."""

    query = PageQuery

    @operation(
        "list_ratings",
        reply=shapes.RatingList,
        query=PageQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the players and bots rated in a ruleset, best first. A rating begins with the first
        rated game that a player has finished."""
        ladder = player_ratings.leaderboard(engine_or_404(slug).about.slug)
        account, query = reader_account(request), self.parse_query(request)
        if query.get("cursor"):
            ordinal, player = cursors.decode_cursor(query["cursor"], RATING_CURSOR_PATTERN).groups()
            ladder = ladder.filter(player_ratings.ranked_below(float(ordinal), player))
        rows = list(ladder[: query["limit"] + 1])
        has_more, rows = len(rows) > query["limit"], rows[: query["limit"]]
        items = tuple(_rating_view(row, account) for row in rows)
        last_position = f"{rows[-1].ordinal!r} {rows[-1].player}" if has_more else ""
        return reply(
            shapes.RatingList(items, cursors.encode_cursor(last_position) if has_more else None)
        )


def _rating_view(row: Any, account: str | None) -> shapes.RatingView:
    bot = player_ratings.bot_name_of(row.player)
    return shapes.RatingView(
        kind="account" if bot is None else "bot",
        account=row.player if bot is None else None,
        bot=bot,
        name=row.name,
        is_you=row.player == account,
        **_rating_numbers(row),
    )


def ratings_of(player: str) -> tuple[shapes.OwnRating, ...]:
    """The ratings of a player, one for each ruleset that it has played."""
    return tuple(
        shapes.OwnRating(row.rules, **_rating_numbers(row))
        for row in player_ratings.ratings_of(player)
    )


def _rating_numbers(row: Rating) -> dict[str, Any]:
    return {
        "games": row.games,
        "mu": round(row.mu, RATING_DECIMALS),
        "sigma": round(row.sigma, RATING_DECIMALS),
        "ordinal": round(row.ordinal, RATING_DECIMALS),
        "is_provisional": row.games < player_ratings.PROVISIONAL_GAMES,
    }
