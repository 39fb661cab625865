"""Shapes of the ratings of players, from the rated games that they have finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tabularium_engines.common.json_codec import Form
from tabularium_log.forms import AccountId, Count, Slug


@dataclass(frozen=True)
class RatingView:
    """A player's rating: most likely `mu`, with the uncertainty `sigma`, and almost certainly at
    least `ordinal`, which orders the list. After few games a rating is provisional."""

    kind: Literal["account", "bot"]  #: Whose rating it is.
    account: AccountId | None  #: The id of the account; null of a bot.
    bot: str | None  #: The name of a bot, as listed by `GET /api/v1/bots`; null if it is no bot.
    name: str | None  #: The name of the account; null of a bot.
    is_you: bool  #: Whether it is you.
    games: Count  #: The number of games.
    mu: float  #: The most likely strength.
    sigma: Annotated[float, Form(minimum=0)]  #: The uncertainty of `mu`.
    ordinal: float  #: The strength that is almost certain: `mu` less three `sigma`.
    is_provisional: bool  #: Whether there are too few games for a certain rating.


@dataclass(frozen=True)
class RatingList:
    """A page of the leaderboard of a ruleset, best first."""

    items: tuple[RatingView, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.


@dataclass(frozen=True)
class OwnRating:
    """The rating of an account or a bot in a ruleset."""

    rules: Slug
    games: Count  #: The number of games.
    mu: float  #: The most likely strength.
    sigma: Annotated[float, Form(minimum=0)]  #: The uncertainty of `mu`.
    ordinal: float  #: The strength that is almost certain: `mu` less three `sigma`.
    is_provisional: bool  #: Whether there are too few games for a certain rating.
