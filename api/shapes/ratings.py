"""Ratings: what is believed of players, after the rated games that they have finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RatingView:
    """A player, most likely `mu` good, give or take `sigma`; almost certainly as good as `ordinal`,
    by which players are listed. After few games a rating is provisional."""

    kind: Literal["account", "bot"]
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
    """A page of the players of some rules, the best first."""

    items: tuple[RatingView, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class OwnRating:
    """How an account is rated by some rules."""

    rules: str
    games: int
    mu: float
    sigma: float
    ordinal: float
    is_provisional: bool
