"""The end of the game: its conditions, the seat that leads in branches, and the winners."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.duel_of_law.tableau import Tableau

# How a game ended.
NOT_ENDED: Final[i64] = -1
ENDED_BY_LEAD: Final[i64] = 0
ENDED_BY_PASSES: Final[i64] = 1
ENDING_NAMES: Final = ("lead", "passes")
WINNING_LEAD: Final[i64] = 2  # branches more than every other seat: that wins


class GameEnd:
    """The conditions under which the game ends, and how it ended."""

    def __init__(self) -> None:
        self.passes: i64 = 0  # in succession
        self.is_open: bool = False  # whether some hand has been empty, so that a seat can win
        self.ending: i64 = NOT_ENDED
        self.winners: i64 = 0  # a set of seats

    def clone(self) -> GameEnd:
        """An independent copy."""
        copy = GameEnd()
        copy.passes = self.passes
        copy.is_open = self.is_open
        copy.ending = self.ending
        copy.winners = self.winners
        return copy

    def contents(self) -> list[Any]:
        """The end as plain numbers; its kind counts from 1, and 0 is none."""
        passes, is_open, ending, *others = fields_of(self)
        return [passes, is_open, ending + 1, *others]


def leading_seat(tableau: Tableau, seats: i64) -> i64:
    """The seat that owns at least two branches more than each other seat, or -1."""
    owned = tableau.branch_counts(seats)
    most = max(owned)
    first: i64 = owned.index(most)
    owned[first] = 0
    return first if most >= max(owned) + WINNING_LEAD else -1


def best_seats(tableau: Tableau, seats: i64) -> i64:
    """The seats that come first when all have passed, as a set."""  # R32
    owned, tokens = tableau.branch_counts(seats), tableau.tokens_on_own()
    merits = [owned[seat] * 1024 + tokens.count(seat) for seat in range(seats)]
    found: i64 = 0
    for seat in range(seats):
        if merits[seat] == max(merits):
            found |= bit(seat)
    return found
