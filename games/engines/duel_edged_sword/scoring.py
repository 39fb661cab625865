"""Who gets how many points for a round, and who has won the match?"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count, first
from games.engines.duel_edged_sword.cards import FALSE, kind_of
from games.engines.duel_edged_sword.heaps import ALL_COMPLETES
from games.engines.duel_edged_sword.table import (
    COLLABORATIVE,
    MODE_NAMES,
    SEATS,
    TEAMS,
    SwordTable,
)

MOST_ROUNDS: Final[i64] = 20  # of a match that goes on until somebody has so many points

# Places in `SwordTable.challenge`; at 1 it says how many were met.
TRIED: Final[i64] = 0
KEPT: Final[i64] = 2
SOUGHT: Final[i64] = 3


def partner(flipped: i64, seat: i64) -> i64:
    """With whom a seat plays: True joins North and East, False joins North and West."""
    return 3 - seat if kind_of(flipped) == FALSE else seat ^ 1


def kept(table: SwordTable, seat: i64) -> i64:
    """How many Completes of a player count."""
    return 0 if table.is_worthless(seat) else count(table.completes[seat])


def kept_by_all(table: SwordTable) -> i64:
    """How many Completes of all players together count."""
    total: i64 = 0
    for seat in range(SEATS):
        total += kept(table, seat)
    return total


def sought(table: SwordTable) -> i64:
    """How many Completes a collaborative round is about."""
    in_play = ALL_COMPLETES ^ bit(table.flipped)
    if not table.deals_all:
        in_play &= ~table.unseen_completes  # R16: those that came to the table
    return count(in_play)


def gains(table: SwordTable, seat: i64) -> i64:
    """The points that a round brings a player."""
    if table.mode == COLLABORATIVE:
        return 0  # R17
    if table.mode == TEAMS:
        return kept(table, seat) + kept(table, partner(table.flipped, seat))
    return kept(table, seat)


def score(table: SwordTable) -> None:
    """A round is over. `last` keeps its number, how it was played, the card that said so, what was
    sought, then by seat points, Completes that count, and standings."""
    last = vec[i64]([table.round, table.mode, table.flipped])
    last = append(last, sought(table) if table.mode == COLLABORATIVE else 0)
    for seat in range(SEATS):
        last = append(last, gains(table, seat))
    for seat in range(SEATS):
        last = append(last, kept(table, seat))
    for seat in range(SEATS):
        last = append(last, table.standings[seat])
    table.last = last
    table.points = vec[i64]([table.points[seat] + last[4 + seat] for seat in range(SEATS)])
    if table.mode == COLLABORATIVE:
        count_challenge(table, kept_by_all(table), last[3])
    if table.listening:
        told = {"round": int(table.round), "mode": MODE_NAMES[table.mode], "sought": int(last[3])}
        points = [int(last[4 + seat]) for seat in range(SEATS)]
        completes = [int(last[8 + seat]) for seat in range(SEATS)]
        table.tell("scored", table.turn, told | {"points": points, "kept": completes})


def count_challenge(table: SwordTable, found: i64, wanted: i64) -> None:
    """A collaborative round more."""
    results = vec[i64]([1, 1 if found == wanted else 0, found, wanted])
    table.challenge = vec[i64]([table.challenge[place] + results[place] for place in range(4)])


# -- the match ------------------------------------------------------------------------------------


def is_over(table: SwordTable) -> bool:
    """Was this the last round?"""
    if table.target == 0 or table.mode_rule == COLLABORATIVE:
        return table.round >= table.rounds
    return table.round >= MOST_ROUNDS or most_points(table) >= table.target  # R19


def most_points(table: SwordTable) -> i64:
    """What the best have."""
    most: i64 = 0
    for points in table.points:
        most = max(most, points)
    return most


def is_one_challenge(table: SwordTable) -> bool:
    """Were all rounds collaborative? Then nobody was to be beaten (R18)."""
    return table.challenge[TRIED] == table.round


def champions(table: SwordTable) -> i64:
    """The set of those who came first, once it is over."""
    if is_one_challenge(table):
        return first(SEATS)
    most = most_points(table)
    winners: i64 = 0
    for seat in range(SEATS):
        if table.points[seat] == most:
            winners |= bit(seat)
    return winners


def worth(table: SwordTable, seat: i64) -> float:
    """What the end of the match is worth to a player."""
    if is_one_challenge(table):
        return float(table.challenge[KEPT]) / float(table.challenge[SOUGHT])
    winners = champions(table)
    return 1.0 / float(count(winners)) if winners & bit(seat) != 0 else 0.0
