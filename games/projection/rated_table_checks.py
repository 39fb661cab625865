"""Checks on rated tables: no player can prevent the end of the game, and only its players play."""

from __future__ import annotations

from games.projection.projection import GameRefusal, Projection
from games.projection.table_actions import Create, Join


def check_create(create: Create) -> None:
    """Refuse to rate a game that could go on for ever, or that does not begin with a deal."""
    if not create.rated:
        return
    if create.origin is not None:
        raise GameRefusal("rated-fork", "A fork cannot be rated.")
    if create.clock is None or create.clock.then == "bot":
        sentence = "A rated game needs a clock with `then` set to `resign` or `random`."
        raise GameRefusal("rated-clock", sentence)


def check_join(table: Projection, join: Join) -> None:
    """Refuse a bot a second seat; services refuse accounts, which the log does not name."""
    here = [who.bot for who in table.occupants if who is not None and who.bot is not None]
    if table.creation.rated and join.bot in here:
        raise duplicate_seat_refusal()


def check_replace(table: Projection, seat: int) -> None:
    """Refuse to let a bot win for a player."""
    if table.creation.rated and not table.has_resigned(seat):
        raise GameRefusal(
            "rated-substitute", "No bot may take over a seat of a rated game: resign instead."
        )


def duplicate_seat_refusal() -> GameRefusal:
    """The refusal of a second seat."""
    return GameRefusal("rated-twice", "In a rated game every player has one seat.")
