"""Updates of games for the accounts that play them, read for many games and accounts at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from api.games import presenters
from api.shapes.streams import GameUpdate
from games.models import Game, Player


class TimedUpdate(NamedTuple):
    """An update for one account on one of its games, and the time of the game's last entry."""

    update: GameUpdate
    at: datetime


class LogHead(NamedTuple):
    """The head of a log; the field names are those of the columns."""

    pk: str
    seq: int
    awaited: int
    phase: Any  # one of the choices
    at: datetime


def log_heads(games: QuerySet[Game]) -> list[LogHead]:
    """The heads of the logs of these games."""
    return [LogHead(*row) for row in games.values_list(*LogHead._fields)]


def updates_by_account(
    heads: Sequence[LogHead], account: str | None = None
) -> list[tuple[str, TimedUpdate]]:
    """An update for each account that plays one of these games (or for this account only). The
    seats are read after the heads, so a seat that was given up reveals nothing."""
    masks = _seat_masks([head.pk for head in heads], account)
    return [
        (player, TimedUpdate(_game_update(head, seats), head.at))
        for head in heads
        for player, seats in masks.get(head.pk, {}).items()
    ]


def updates_of_games(games: Collection[str]) -> list[tuple[str, TimedUpdate]]:
    """The updates of the games with these ids."""
    return updates_by_account(log_heads(Game.objects.filter(pk__in=games)))


def _seat_masks(games: list[str], account: str | None) -> dict[str, dict[str, int]]:
    """The seats of each account, as a bit mask, by game."""
    masks: dict[str, dict[str, int]] = {}
    players = Player.objects.filter(game__in=games, bot="", account__isnull=False)
    if account is not None:
        players = players.filter(account=account)
    for game, player, seat in players.values_list("game", "account", "seat"):
        mine = masks.setdefault(game, {})
        mine[str(player)] = mine.get(str(player), 0) | 1 << seat
    return masks


def _game_update(head: LogHead, seats: int) -> GameUpdate:
    to_act = presenters.seats_in_mask(head.awaited)
    return GameUpdate(head.pk, head.seq, to_act, head.phase, bool(head.awaited & seats))
