"""Who plays how well? Players and bots by some rules, and the caller by all of them."""

from __future__ import annotations

import re
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors
from api.access import account_of
from api.documents import reply
from api.endpoint import Endpoint
from api.rules import engine_of
from api.schema import operation
from api.serializers import PageQuery
from api.shapes import ratings as shapes
from games.models import Rating
from games.ratings import reading
from games.ratings.players import bot_of

DIGITS: Final = 3  # after the point
PLACE: Final = re.compile(r"(-?\d{1,9}(?:\.\d{1,20})?(?:e-\d{1,3})?) (\S+)", re.ASCII)


class Ratings(Endpoint):
    """Players by some rules."""

    query = PageQuery

    @operation(
        "list_ratings",
        reply=shapes.RatingList,
        query=PageQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Everybody who has finished a rated game, the best first."""
        ladder = reading.ladder(engine_of(slug).about.slug)
        account, asked = account_of(request), self.asked(request)
        if asked.get("cursor"):
            ordinal, player = cursors.opened(asked["cursor"], PLACE).groups()
            ladder = ladder.filter(reading.below(float(ordinal), player))
        rows = list(ladder[: asked["limit"] + 1])
        more, rows = len(rows) > asked["limit"], rows[: asked["limit"]]
        items = tuple(_rating(row, account) for row in rows)
        last = f"{rows[-1].ordinal!r} {rows[-1].player}" if more else ""
        return reply(shapes.RatingList(items, cursors.closed(last) if more else None))


def _rating(row: Any, account: str | None) -> shapes.RatingView:
    bot = bot_of(row.player)
    return shapes.RatingView(
        kind="account" if bot is None else "bot",
        bot=bot,
        name=row.name,
        is_you=row.player == account,
        **_numbers(row),
    )


def ratings_of(account: str) -> tuple[shapes.OwnRating, ...]:
    """How an account is rated, by each rules that it has played."""
    return tuple(shapes.OwnRating(row.rules, **_numbers(row)) for row in reading.career(account))


def _numbers(row: Rating) -> dict[str, Any]:
    return {
        "games": row.games,
        "mu": round(row.mu, DIGITS),
        "sigma": round(row.sigma, DIGITS),
        "ordinal": round(row.ordinal, DIGITS),
        "is_provisional": row.games < reading.PROVISIONAL,
    }
