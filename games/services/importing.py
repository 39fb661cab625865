"""How does a game come here that was played elsewhere? Whole, over, and verified by its rules."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction

from games.appending import Head, insert
from games.audit.exports import Carried, carried
from games.fairness.vault import lock_secret
from games.models import Game, Player
from games.table.table import Refused


def game_import(lines: Iterable[bytes]) -> Game:
    """Keep the game of an export; Flaw or UnknownRules if it is not good, Refused if another game
    of that name is here. The same game twice is once. Its accounts are not known here."""
    game = carried(lines)
    found = Game.objects.filter(pk=game.table.game).first()
    if found is None:
        return _keep(game)
    if found.hash != game.head:
        raise Refused("game-exists", f"Another game {found.pk} is here.")
    return found


def _keep(game: Carried) -> Game:
    table = game.table
    with transaction.atomic():
        kept = Game.objects.create(
            id=table.game,
            rules=table.create.rules,
            version=table.create.version,
            seats=table.create.seats,
            secret=lock_secret(settings.SEALING_KEYS, table.game, game.secret),
            **Head(game.head, table).columns(),
        )
        insert(table.game, game.rows)
        Player.objects.bulk_create(
            Player(game=kept, seat=seat, bot=who.bot or "")
            for seat, who in enumerate(table.occupants)
            if who is not None
        )
    return kept
