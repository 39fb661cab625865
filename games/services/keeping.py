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
    accounts: Sequence[Account | None],
    owner: Account | None = None,
    visibility: str = Game.Visibility.PUBLIC,
) -> Game:
    """The game with its whole log, and its players: by seat, the accounts."""
    create = table.create
    game = Game(
        id=table.game,
        owner=owner,
        rules=create.rules,
        version=create.version,
        seats=create.seats,
        visibility=visibility,
        rated=create.rated,
        **Head(rows[-1].hash, table).columns(),
    )
    players = [
        Player(
            seat=seat,
            account=accounts[seat],
            bot=who.bot or "",
            rated_as=player_of(accounts[seat], who.bot) if create.rated else "",
        )
        for seat, who in enumerate(table.occupants)
        if who is not None
    ]
    return game_write(game, rows, secret, players)


def game_write(game: Game, rows: Sequence[Row], secret: bytes, players: Sequence[Player]) -> Game:
    """The rows of a game, in one transaction."""
    game.secret = lock_secret(settings.SEALING_KEYS, game.pk, secret)
    for player in players:
        player.game = game
    with transaction.atomic():
        game.save(force_insert=True)
        insert(game.pk, rows)
        Player.objects.bulk_create(players)
    return game
