"""Shapes of bots: dataclasses of their catalogue and their strength."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.shapes.accounts import PlayerLinks
from api.shapes.ratings import OwnRating


@dataclass(frozen=True)
class StrengthView:
    """A bot's measured strength under a version of a game's rules: its share of the victories
    against `opponent` on all other seats, with the 95 % interval from `low` to `high`. `par` is the
    share of an equally strong bot."""

    rules: str
    version: int
    seats: int
    options: Any  # only those that differ from the default
    opponent: str
    games: int
    share: float
    low: float
    high: float
    par: float


@dataclass(frozen=True)
class BotView:
    """A bot that can be given a seat, with its measured strength."""

    name: str
    description: str
    think_ms: int
    rules: tuple[str, ...]
    strength: tuple[StrengthView, ...]


@dataclass(frozen=True)
class BotProfile(BotView):
    """A bot, with its rating in each ruleset."""

    ratings: tuple[OwnRating, ...]
    links: PlayerLinks


@dataclass(frozen=True)
class BotList:
    """All bots, weakest first."""

    items: tuple[BotView, ...]
    next_cursor: str | None
