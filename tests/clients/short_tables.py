"""A table of each ruleset whose game is short if a client always takes the last offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tabularium_client import ME, bot, types


@dataclass(frozen=True)
class ShortTable:
    """The options of a table, and the bot on all other seats."""

    options: types.NewOptions
    bot: str = "greedy"
    others: int = 1

    @property
    def seats(self) -> list[types.NewSeat]:
        """The seats, the client's first."""
        return [ME, *[bot(self.bot)] * self.others]


SHORT_TABLES: Final[Mapping[str, ShortTable]] = {
    "law_of_the_dice": ShortTable({"points_to_win": 1}),
    "duel_edged_sword": ShortTable({"rounds": 1}, "random", others=3),
    "duality": ShortTable({"file": 3}, "random"),
    "law": ShortTable({"deck": "introductory"}),
    "duel_of_law": ShortTable({}),
}
