"""Where games stand for the accounts that play them, read for many games and accounts at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from api.games import showing
from api.shapes.streams import Growth
from games.models import Game, Player


class Standing(NamedTuple):
    """What an account is told of one of its games, and when that game has last grown."""

    growth: Growth
    at: datetime


class Head(NamedTuple):
    """The end of a log; the names are those of the columns."""

    pk: str
    seq: int
    awaited: int
    phase: Any  # one of the choices
    at: datetime


def heads_of(games: QuerySet[Game]) -> list[Head]:
    """The ends of the logs of these games."""
    return [Head(*row) for row in games.values_list(*Head._fields)]


def standings(heads: Sequence[Head], account: str | None = None) -> list[tuple[str, Standing]]:
    """For each account that plays one of these games (or for this account only): where the game
    stands. The seats are read after the heads, so that a seat that was given up tells nothing."""
    masks = _seats([head.pk for head in heads], account)
    return [
        (player, Standing(_growth(head, seats), head.at))
        for head in heads
        for player, seats in masks.get(head.pk, {}).items()
    ]


def standings_of(games: Collection[str]) -> list[tuple[str, Standing]]:
    """The same, of games that are named."""
    return standings(heads_of(Game.objects.filter(pk__in=games)))


def _seats(games: list[str], account: str | None) -> dict[str, dict[str, int]]:
    """The seats of each account, as a bit mask, by game."""
    masks: dict[str, dict[str, int]] = {}
    players = Player.objects.filter(game__in=games, bot="", account__isnull=False)
    if account is not None:
        players = players.filter(account=account)
    for game, player, seat in players.values_list("game", "account", "seat"):
        mine = masks.setdefault(game, {})
        mine[str(player)] = mine.get(str(player), 0) | 1 << seat
    return masks


def _growth(head: Head, seats: int) -> Growth:
    to_act = showing.seats_in(head.awaited)
    return Growth(head.pk, head.seq, to_act, head.phase, bool(head.awaited & seats))
