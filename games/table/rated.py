"""What holds at a table whose result counts for the ratings? Nobody can keep it from its end, and
nobody but its players plays."""

from __future__ import annotations

from games.table.actions import Create, Join
from games.table.table import Refused, Table


def check_created(create: Create) -> None:
    """Refuse to rate what could go on for ever, or did not begin with a deal."""
    if not create.rated:
        return
    if create.origin is not None:
        raise Refused("rated-fork", "A game that begins with a position of another is not rated.")
    if create.clock is None or create.clock.then == "bot":
        sentence = "A rated game needs a clock, at which one resigns or acts at random."
        raise Refused("rated-clock", sentence)


def check_joined(table: Table, join: Join) -> None:
    """Refuse a bot a second seat; of accounts, which the log does not name, services say so."""
    here = [who.bot for who in table.occupants if who is not None and who.bot is not None]
    if table.create.rated and join.bot in here:
        raise seated_already()


def check_replaced(table: Table, seat: int) -> None:
    """Refuse to let a bot win for somebody else."""
    if table.create.rated and not table.has_resigned(seat):
        raise Refused("rated-substitute", "Nobody plays for another in a rated game: resign it.")


def seated_already() -> Refused:
    """The refusal of a second seat."""
    return Refused("rated-twice", "At a rated table every player has one seat.")
