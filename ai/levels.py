"""Which levels does a game have? Ways to decide, the weakest first. A level is only listed where it
was measured to beat the one below it, whatever the number of seats (`docs/strength.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SECONDS: Final = 3.0  # at most, to search: on a slow machine a level is weaker rather than late
PREFIX: Final = "level_"


@dataclass(frozen=True)
class Level:
    """A bot, and how much it searches."""

    bot: str
    simulations: int = 0
    parts: int = 1  # workers among whom it is spread, each with so many simulations
    most: float = SECONDS  # less, where many decisions make a turn

    @property
    def seconds(self) -> float:
        """How long it may think."""
        return self.most if self.simulations else 0.0


BEGINNER: Final = Level("careless")
GREEDY: Final = Level("greedy")

LADDERS: Mapping[str, tuple[Level, ...]] = {
    "law_of_the_dice": (BEGINNER, GREEDY, Level("mcts", 200)),
    "duel_edged_sword": (BEGINNER, GREEDY, *(Level("mcts", number) for number in (400, 1600))),
    "duality": (BEGINNER, GREEDY, *(Level("mcts", number) for number in (200, 800, 3200))),
    "law": (BEGINNER, GREEDY, Level("mcts", 200)),
    "duel_of_law": (BEGINNER, Level("mcts", 200, most=0.35)),
}


def names(slug: str) -> tuple[str, ...]:
    """The levels of a game, from 1."""
    return tuple(f"{PREFIX}{number}" for number in range(1, len(LADDERS.get(slug, ())) + 1))


def level(name: str, slug: str) -> Level | None:
    """The level of that name, if the game has it."""
    return dict(zip(names(slug), LADDERS.get(slug, ()), strict=True)).get(name)
