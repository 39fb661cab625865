"""Selectors of positions: a game now or after any entry of its log, and the views of it."""

from __future__ import annotations

from typing import Any

from games import position_cache
from games.position_cache import Position
from tabularium_log.projection.projection import GameRefusal, Projection


def game_projection(game: str, seq: int | None = None) -> Projection:
    """The game as it is now, or as it was after entry `seq`."""
    return game_position(game, seq).projection


def game_position(game: str, seq: int | None = None) -> Position:
    """A position with its hash; raises GameRefusal if the log is not that long."""
    if seq is None:
        return position_cache.current_position(game)
    now = position_cache.current_position(game)
    if not 1 <= seq <= now.projection.seq:
        raise unknown_entry(seq)
    return position_cache.position_at(game, seq, now)


def unknown_entry(seq: int) -> GameRefusal:
    """The refusal of an entry that is not in the log."""
    return GameRefusal("unknown-entry", f"There is no entry {seq} in this log.")


def check_help_allowed(game: str) -> None:
    """Refuse any help in a rated game before it is over."""
    table = game_projection(game)
    if table.creation.rated and table.phase != "over":
        raise GameRefusal("rated-running", "A running rated game cannot be forked or analysed.")


def game_view(game: str, viewer: int | None, seq: int | None = None) -> Any:
    """The viewer's view, now or after entry `seq`; raises GameRefusal if nothing was dealt."""
    table = game_projection(game, seq)
    return table.engine.view(dealt_state(table), viewer)


def dealt_state(table: Projection) -> Any:
    """The state of a table; raises GameRefusal before the deal."""
    if table.state is None:
        raise GameRefusal("not-started", "The game has not started.")
    return table.state


def check_game_over(game: str) -> None:
    """Refuse before the end of the game: only then may all actions be revealed."""
    if game_projection(game).phase != "over":
        raise GameRefusal("not-over", "Hidden information is revealed only after the game ends.")
