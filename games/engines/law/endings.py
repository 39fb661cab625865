"""Is the game over, and who has won?"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.bits import bit, count, members
from games.engines.law.table import LawTable
from games.engines.law.tasks import ENDINGS

ROUNDS: Final[i64] = 50  # without a new Law
MOST_DECISIONS: Final[i64] = 10_000


def winner_by_laws(table: LawTable) -> i64:
    """Who has Laws enough, first of all the one who has acted, then clockwise; -1: nobody."""
    for step in range(table.seats):
        seat = (table.actor + step) % table.seats
        if count(table.laws[seat]) >= table.needed(seat):
            return seat  # R14
    return -1


def is_stuck(table: LawTable) -> bool:
    """Can nobody ever play a Bill again?"""
    for seat in range(table.seats):
        if not table.terms[seat].is_stuck():
            return False
    return True  # R17


def largest_collections(table: LawTable) -> i64:
    """The players with the most Laws."""
    seats: i64 = 0
    for seat in range(table.seats):
        if table.has_most(seat):
            seats |= bit(seat)
    return seats


def finish(table: LawTable, winners: i64, ending: i64) -> None:
    """The game is over, and all hands are open."""
    table.winners = winners
    table.ending = ending
    table.to_act = 0
    table.agenda.clear()
    for seat in range(table.seats):
        table.learn(table.everybody(), table.hands[seat])  # R60
    if table.listening:
        facts = {
            "ending": ENDINGS[ending],
            "winners": [int(seat) for seat in members(winners)],
        }
        table.tell("over", table.actor, facts)
