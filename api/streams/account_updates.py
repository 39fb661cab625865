"""Updates of an account's games for its stream, read for many games and accounts at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from api.shapes.streams import GameUpdate
from games import selectors
from games.selectors import Game, GameHead


class TimedUpdate(NamedTuple):
    """An update for one account on one of its games, and the time of the game's last entry."""

    update: GameUpdate
    at: datetime


def updates_by_account(
    heads: Sequence[GameHead], account: str | None = None
) -> list[tuple[str, TimedUpdate]]:
    """An update for each account that plays one of these games or is challenged in it, or for this
    account only. The seats are read after the heads: one that was given up reveals nothing."""
    played = selectors.seat_masks([head.pk for head in heads], account)
    gathering = [head.pk for head in heads if head.phase == Game.Phase.GATHERING]
    kept = selectors.challenge_masks(gathering, account) if gathering else {}
    updates = []
    for head in heads:
        seats, kept_seats = played.get(head.pk, {}), kept.get(head.pk, {})
        for player in {**seats, **kept_seats}:
            update = _game_update(head, seats.get(player, 0), kept_seats.get(player, 0))
            updates.append((player, TimedUpdate(update, head.at)))
    return updates


def updates_of_games(games: Collection[str]) -> list[tuple[str, TimedUpdate]]:
    """The updates of the games with these ids."""
    return updates_by_account(selectors.heads_of(games))


def _game_update(head: GameHead, seats: int, kept_seats: int) -> GameUpdate:
    return GameUpdate(
        game=head.pk,
        seq=head.seq,
        to_act=selectors.seats_in_mask(head.awaited),
        phase=head.phase,
        my_turn=bool(head.awaited & seats),
        challenged=selectors.seats_in_mask(kept_seats),
    )
