"""The certain consequences of an action of Duel of Law: branches won and lost, bridges, jokers that
are fixed, cards drawn, and the end of the turn or of the game."""

from __future__ import annotations

from typing import Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import CertainFacts, Foresight
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.news_text import player_name

LINE: Final = ("axis", "row", "column", "size")
# Cards of other hands decide nothing: only how many they are, which all see.
CERTAIN_NEWS: Final[CertainFacts] = {
    "tried": None,
    "laid": None,
    "bridged": (*LINE, "branches"),
    "claimed": (*LINE, "clause", "level"),
    "duelled": (*LINE, "clause", "level", "owner"),
    "became": ("card", "clauses"),
    "opened": (),
    "drew": ("count",),
    "passed": None,
    "ended": ("how", "winners"),
}
# These only go on with the turn: a list may have a thousand of them.
IDLE_KINDS: Final = (int(n.PLACE), int(n.NAME), int(n.MORE))


def scores(state: DuelState, seat: int) -> tuple[int, ...]:
    """The branches that each seat owns; to the seat on turn, with the changes of the turn."""
    turn = state.turn
    tableau = turn.tableau if seat == turn.seat else turn.before
    return tuple([int(owned) for owned in tableau.branch_counts(state.seats)])


def consequences(
    engine: AnyEngine, state: DuelState, seat: int, action: int
) -> Consequences | None:
    """The certain consequences of an action."""
    if action & 0xFF in IDLE_KINDS:
        return None
    foresight = Foresight(engine, state, seat, action, CERTAIN_NEWS)
    return foresight.consequences("branches", player_name)
