"""Where all contestants search: several positions of a game, so that no single one decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Table(NamedTuple):
    """A game that is measured, in its default variant."""

    seats: int
    decisions: tuple[int, ...]
    target: float


# Connect Four: the columns dropped so far, out of random games.
OPENINGS: Final = ("", "33", "2430", "162335", "30254116", "5062311432")
SIMULATIONS: Final = 1000  # a search, of Connect Four
# A card game takes longer, and the interpreted search would take all day.
CARD_SIMULATIONS: Final = 300
# Our games: how many play, after how many random decisions the searches begin (each another deal),
# and what compiling has to make of it.
TABLES: Final[Mapping[str, Table]] = {
    "law_of_the_dice": Table(3, (0, 6, 12, 18, 24, 30), 15),
    "duel_edged_sword": Table(4, (0, 8, 16, 24, 32, 40), 8),
    "duality": Table(2, (0, 8, 16, 24, 32, 40), 8),
    "law": Table(3, (0, 8, 16, 24, 32, 40), 15),
    "duel_of_law": Table(2, (0, 8, 16, 24, 32, 40), 8),
}
EUCHRE_CARDS: Final = (0, 1, 2, 3, 0, 1)  # on the table, in the first trick
