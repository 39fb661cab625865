"""The leaves of games in this database, from their rows and the first entries of their logs."""

from __future__ import annotations

from games.models import Game
from games.secret_lookup import load_game_secret
from games.selectors import game_creation
from tabularium_log.projection.projection import format_time
from tabularium_log.record.errors import MalformedError
from tabularium_log.record.game_leaves import GameLeaf


def stored_game(row: Game) -> GameLeaf:
    """The facts of a stored game that is over."""
    if row.phase != Game.Phase.OVER:
        raise MalformedError(f"The game {row.pk} is not over: it has no leaf yet.")
    return GameLeaf(
        at=format_time(row.at),
        entries=row.seq,
        game=row.pk,
        hash=row.hash,
        key=game_creation(row.pk).key,
        rules=row.rules,
        version=row.version,
    )


def stored_game_leaf(row: Game) -> str:
    """The leaf of a stored game that is over. It names the game only if it is public: the id of an
    unlisted game is the permission to watch it."""
    return stored_game_leaves(row)[0]


def stored_game_leaves(row: Game) -> tuple[str, str]:
    """The leaf of a stored game that is over, and the one that it would have if it were blinded
    instead of public, or the reverse."""
    facts = stored_game(row)
    blinded = facts.blinded(load_game_secret(row.pk, bytes(row.secret)))
    is_public = row.visibility == Game.Visibility.PUBLIC
    return (facts.text, blinded) if is_public else (blinded, facts.text)
