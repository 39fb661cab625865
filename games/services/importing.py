"""How does a game come here that was played elsewhere? Whole, over, and verified by its rules."""

from __future__ import annotations

from collections.abc import Iterable

from games.audit.exports import carried
from games.models import Game
from games.services.keeping import game_keep
from games.table.table import Refused


def game_import(lines: Iterable[bytes]) -> Game:
    """Keep the game of an export; Flaw or UnknownRules if it is not good, Refused if another game
    of that name is here. The same game twice is once. Its accounts are not known here."""
    game = carried(lines)
    found = Game.objects.filter(pk=game.table.game).first()
    if found is None:
        return game_keep(game.table, game.rows, game.secret)
    if found.hash != game.head:
        raise Refused("game-exists", f"Another game {found.pk} is here.")
    return found
