"""The certain consequences of an action of Duality: the new lengths of both longest paths, and the
end of the game."""

from __future__ import annotations

from typing import Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import CertainFacts, Foresight
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.news_text import player_name
from tabularium_engines.duality.paths import longest_path_length

# The card drawn is the only thing left to chance, and decides nothing before the next turn.
CERTAIN_NEWS: Final[CertainFacts] = {
    "played": None,
    "replaced": None,
    "passed": None,
    "drew": (),
    "ended": ("how", "winner"),
    "opened": None,
}


def scores(state: DualityState) -> tuple[int, ...]:
    """The lengths of the longest paths."""
    return tuple([int(longest_path_length(state.board, each)) for each in range(2)])


def consequences(
    engine: AnyEngine, state: DualityState, seat: int, action: int
) -> Consequences | None:
    """The certain consequences of an action."""
    foresight = Foresight(engine, state, seat, action, CERTAIN_NEWS)
    return foresight.consequences("longest path", player_name)
