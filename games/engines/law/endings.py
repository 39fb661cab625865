"""The end of the game: its conditions and its winners."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.bits import bit, count, members
from games.engines.law.action_numbers import ENDING_NAMES
from games.engines.law.card_moves import LawTable

MAX_ROUNDS_WITHOUT_LAW: Final[i64] = 50
MAX_ACTIONS: Final[i64] = 10_000


def winner_by_laws(table: LawTable) -> i64:
    """The first seat with enough Laws, clockwise from the seat that acted; -1 if there is none."""
    for step in range(table.seats):
        seat = (table.actor + step) % table.seats
        if count(table.laws[seat]) >= table.laws_needed(seat):
            return seat  # R14
    return -1


def is_stuck(table: LawTable) -> bool:
    """Whether no player can ever play a Bill again."""
    for seat in range(table.seats):
        if not table.parameters[seat].is_stuck():
            return False
    return True  # R17


def seats_with_most_laws(table: LawTable) -> i64:
    """The players with the most Laws."""
    seats: i64 = 0
    for seat in range(table.seats):
        if table.has_most_laws(seat):
            seats |= bit(seat)
    return seats


def finish_game(table: LawTable, winners: i64, ending: i64) -> None:
    """End the game and open all hands."""
    table.winners = winners
    table.ending = ending
    table.to_act = 0
    table.agenda.clear()
    for seat in range(table.seats):
        table.learn(table.all_viewers(), table.hands[seat])  # R60
    if table.is_recording_news:
        facts = {
            "ending": ENDING_NAMES[ending],
            "winners": [int(seat) for seat in members(winners)],
        }
        table.add_news("over", table.actor, facts)
