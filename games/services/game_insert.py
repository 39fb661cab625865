"""Inserting the rows of a game that is new to this database, all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from games.fairness.vault import lock_secret
from games.log_store import LogHead, insert_first_rows
from games.models import Account, Game, Player
from games.projection.entry import StoredEntry
from games.projection.projection import Projection
from games.ratings.player_ratings import rated_player_id


def game_insert(
    table: Projection,
    rows: Sequence[StoredEntry],
    secret: bytes,
    *,
    accounts: Sequence[Account | None],
    owner: Account | None = None,
    visibility: str = Game.Visibility.PUBLIC,
) -> Game:
    """Insert a game with its whole log, and its players; `accounts` are by seat."""
    create = table.creation
    game = Game(
        id=table.game,
        owner=owner,
        rules=create.rules,
        version=create.version,
        seats=create.seats,
        visibility=visibility,
        rated=create.rated,
        **LogHead(rows[-1].hash, table).columns(),
    )
    players = [
        Player(
            seat=seat,
            account=accounts[seat],
            bot=who.bot or "",
            rated_as=rated_player_id(accounts[seat], who.bot) if create.rated else "",
        )
        for seat, who in enumerate(table.occupants)
        if who is not None
    ]
    return game_insert_rows(game, rows, secret, players)


def game_insert_rows(
    game: Game, rows: Sequence[StoredEntry], secret: bytes, players: Sequence[Player]
) -> Game:
    """Insert the rows of a game, in one transaction."""
    game.secret = lock_secret(settings.SEALING_KEYS, game.pk, secret)
    for player in players:
        player.game = game
    with transaction.atomic():
        game.save(force_insert=True)
        insert_first_rows(game.pk, rows)
        Player.objects.bulk_create(players)
    return game
