"""The end of the game: its conditions and its winners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.engines.common.bits import bit, count, members
from games.engines.law import action_numbers as n
from games.engines.law.card_knowledge import learn

if TYPE_CHECKING:
    from games.engines.law.table_state import LawState

MAX_ROUNDS_WITHOUT_LAW: Final[i64] = 50
MAX_ACTIONS: Final[i64] = 10_000


def winner_by_laws(state: LawState) -> i64:
    """The first seat with enough Laws, clockwise from the seat that acted; -1 if there is none."""
    for step in range(state.seats):
        seat = (state.actor + step) % state.seats
        if count(state.laws[seat]) >= state.laws_needed(seat):
            return seat  # R14
    return -1


def is_stuck(state: LawState) -> bool:
    """Whether no player can ever play a Bill again."""
    for seat in range(state.seats):
        if not state.parameters[seat].is_stuck():
            return False
    return True  # R17


def seats_with_most_laws(state: LawState) -> i64:
    """The players with the most Laws."""
    seats: i64 = 0
    for seat in range(state.seats):
        if state.has_most_laws(seat):
            seats |= bit(seat)
    return seats


def finish_game(state: LawState, winners: i64, ending: i64) -> None:
    """End the game and open all hands."""
    state.winners = winners
    state.ending = ending
    state.to_act = 0
    state.agenda.clear()
    for seat in range(state.seats):
        learn(state, state.all_viewers(), state.hands[seat])  # R60
    if state.is_recording_news:
        seats = [int(seat) for seat in members(winners)]
        facts = {"ending": n.ENDING_NAMES[ending], "winners": seats}
        state.add_news("over", state.actor, facts)
