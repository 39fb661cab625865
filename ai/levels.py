"""The levels of bots for each game, weakest first. A level is listed only if it was measured to
beat the one below it at every number of seats (`docs/strength.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# at most: on a slow machine a level is weaker rather than late
MAX_SEARCH_SECONDS: Final = 3.0
LEVEL_NAME_PREFIX: Final = "level_"


@dataclass(frozen=True)
class Level:
    """A bot, and how much it searches."""

    bot: str
    simulations: int = 0
    parts: int = 1  # workers that share a decision, each with this many simulations
    max_seconds: float = MAX_SEARCH_SECONDS  # less where a turn takes many decisions

    @property
    def seconds(self) -> float:
        """How long it may think."""
        return self.max_seconds if self.simulations else 0.0


BEGINNER_LEVEL: Final = Level("careless")
GREEDY_LEVEL: Final = Level("greedy")

LADDERS: Mapping[str, tuple[Level, ...]] = {
    "law_of_the_dice": (BEGINNER_LEVEL, GREEDY_LEVEL, Level("mcts", 200)),
    "duel_edged_sword": (
        BEGINNER_LEVEL,
        GREEDY_LEVEL,
        *(Level("mcts", number) for number in (400, 1600)),
    ),
    "duality": (
        BEGINNER_LEVEL,
        GREEDY_LEVEL,
        *(Level("mcts", number) for number in (200, 800, 3200)),
    ),
    "law": (BEGINNER_LEVEL, GREEDY_LEVEL, Level("mcts", 200)),
    "duel_of_law": (BEGINNER_LEVEL, Level("mcts", 400, max_seconds=0.7)),
}


def level_names(slug: str) -> tuple[str, ...]:
    """The names of a game's levels, from 1."""
    return tuple(
        f"{LEVEL_NAME_PREFIX}{number}" for number in range(1, len(LADDERS.get(slug, ())) + 1)
    )


def find_level(name: str, slug: str) -> Level | None:
    """The level of that name, if the game has it."""
    return dict(zip(level_names(slug), LADDERS.get(slug, ()), strict=True)).get(name)
