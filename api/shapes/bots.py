"""Bots."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BotView:
    """A bot that can be given a seat."""

    name: str
    description: str
    think_ms: int
    rules: tuple[str, ...]


@dataclass(frozen=True)
class BotList:
    """All bots, the weakest first."""

    items: tuple[BotView, ...]
    next_cursor: str | None
