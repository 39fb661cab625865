"""Updates of an account's games for its stream, read for many games and accounts at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from api.games import presenters
from api.shapes.streams import GameUpdate
from games import selectors
from games.selectors import GameHead


class TimedUpdate(NamedTuple):
    """An update for one account on one of its games, and the time of the game's last entry."""

    update: GameUpdate
    at: datetime


def updates_by_account(
    heads: Sequence[GameHead], account: str | None = None
) -> list[tuple[str, TimedUpdate]]:
    """An update for each account that plays one of these games (or for this account only). The
    seats are read after the heads, so a seat that was given up reveals nothing."""
    masks = selectors.seat_masks([head.pk for head in heads], account)
    return [
        (player, TimedUpdate(_game_update(head, seats), head.at))
        for head in heads
        for player, seats in masks.get(head.pk, {}).items()
    ]


def updates_of_games(games: Collection[str]) -> list[tuple[str, TimedUpdate]]:
    """The updates of the games with these ids."""
    return updates_by_account(selectors.heads_of(games))


def _game_update(head: GameHead, seats: int) -> GameUpdate:
    to_act = presenters.seats_in_mask(head.awaited)
    return GameUpdate(head.pk, head.seq, to_act, head.phase, bool(head.awaited & seats))
