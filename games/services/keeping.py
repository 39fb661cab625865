"""How do the rows of a game that was not here before get into the database? All at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from games.appending import Head, insert
from games.fairness.vault import lock_secret
from games.models import Account, Game, Player
from games.ratings.players import player_of
from games.table.entry import Row
from games.table.table import Table


def game_keep(
    table: Table,
    rows: Sequence[Row],
    secret: bytes,
    *,
    accounts: Sequence[Account | None] | None = None,
    owner: Account | None = None,
    visibility: str = Game.Visibility.PUBLIC,
) -> Game:
    """The game with its whole log, and its players: by seat, the accounts that are known here.
    Without them it was played elsewhere, and is rated nowhere but there."""
    is_rated = table.create.rated and accounts is not None
    accounts = accounts or [None] * table.create.seats
    with transaction.atomic():
        kept = Game.objects.create(
            id=table.game,
            owner=owner,
            rules=table.create.rules,
            version=table.create.version,
            seats=table.create.seats,
            visibility=visibility,
            secret=lock_secret(settings.SEALING_KEYS, table.game, secret),
            rated=table.create.rated,
            **Head(rows[-1].hash, table).columns(),
        )
        insert(table.game, rows)
        Player.objects.bulk_create(
            Player(
                game=kept,
                seat=seat,
                account=accounts[seat],
                bot=who.bot or "",
                rated_as=player_of(accounts[seat], who.bot) if is_rated else "",
            )
            for seat, who in enumerate(table.occupants)
            if who is not None
        )
    return kept
