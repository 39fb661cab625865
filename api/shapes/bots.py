"""Shapes of bots: dataclasses of their catalogue and their strength."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from api.shapes.accounts import PlayerLinks
from api.shapes.forms import Share
from api.shapes.ratings import OwnRating
from tabularium_log.forms import Count, Positive, Slug


@dataclass(frozen=True)
class StrengthView:
    """A bot's measured strength under a version of a game's rules: its share of the victories
    against `opponent` on all other seats, with the 95 % interval from `low` to `high`. `par` is the
    share of an equally strong bot."""

    rules: Slug
    version: Positive  #: The version of the rules.
    seats: Positive  #: The number of players.
    options: Any  #: The options other than the default ones; null if none.
    opponent: str  #: The bot at all other seats.
    games: Count  #: The number of games.
    share: Share  #: The share of the victories.
    low: Share  #: The lower end of the 95 % interval.
    high: Share  #: The upper end of the 95 % interval.
    par: Share  #: The share of an equally strong bot.


@dataclass(frozen=True)
class BotView:
    """A bot that can be given a seat, with its measured strength."""

    name: str  #: The name of the bot.
    description: str  #: A description, in English.
    think_ms: Count  #: The time that it takes for a decision, at most.
    rules: tuple[Slug, ...]  #: The slugs of the rulesets that it plays.
    strength: tuple[StrengthView, ...]  #: The measured strength, by ruleset.


@dataclass(frozen=True)
class BotProfile(BotView):
    """A bot, with its rating in each ruleset."""

    ratings: tuple[OwnRating, ...]  #: Its rating in each ruleset.
    links: PlayerLinks  #: Its links.


@dataclass(frozen=True)
class BotList:
    """All bots, weakest first."""

    items: tuple[BotView, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.
