"""Bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StrengthView:
    """What a bot was measured to get out of games against another on all other seats: its share of
    the victories, with the interval of 95 %; `par` is what one gets who is as strong."""

    rules: str
    seats: int
    options: Any  # those that are not as they always are
    opponent: str
    games: int
    share: float
    low: float
    high: float
    par: float


@dataclass(frozen=True)
class BotView:
    """A bot that can be given a seat, and what is known of its strength."""

    name: str
    description: str
    think_ms: int
    rules: tuple[str, ...]
    strength: tuple[StrengthView, ...]


@dataclass(frozen=True)
class BotList:
    """All bots, the weakest first."""

    items: tuple[BotView, ...]
    next_cursor: str | None
