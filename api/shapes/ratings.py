"""Shapes of the ratings of players, from the rated games that they have finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RatingView:
    """A player's rating: most likely `mu`, with the uncertainty `sigma`, and almost certainly at
    least `ordinal`, which orders the list. After few games a rating is provisional."""

    kind: Literal["account", "bot"]
    account: str | None
    bot: str | None
    name: str | None
    is_you: bool
    games: int
    mu: float
    sigma: float
    ordinal: float
    is_provisional: bool


@dataclass(frozen=True)
class RatingList:
    """A page of the leaderboard of a ruleset, best first."""

    items: tuple[RatingView, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class OwnRating:
    """The rating of an account or a bot in a ruleset."""

    rules: str
    games: int
    mu: float
    sigma: float
    ordinal: float
    is_provisional: bool
