"""Scoring: the points of a round and the winners of the match."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count, first_n
from games.engines.duel_edged_sword.card_heap import ALL_COMPLETES
from games.engines.duel_edged_sword.cards import FALSE_KIND, kind_of
from games.engines.duel_edged_sword.table_state import (
    COLLABORATIVE,
    MODE_NAMES,
    SEAT_COUNT,
    TEAMS,
    SwordTable,
)

MAX_ROUNDS: Final[i64] = 20  # of a match with a target score

# Indexes into `SwordTable.challenge`; index 1 is the number of challenges met.
CHALLENGE_COUNT_INDEX: Final[i64] = 0
CHALLENGE_KEPT_INDEX: Final[i64] = 2
CHALLENGE_SOUGHT_INDEX: Final[i64] = 3


def partner_of(flipped: i64, seat: i64) -> i64:
    """The partner of a seat: True joins North and East, False joins North and West."""
    return 3 - seat if kind_of(flipped) == FALSE_KIND else seat ^ 1


def scoring_completes(table: SwordTable, seat: i64) -> i64:
    """The number of a player's Completes that count."""
    return 0 if table.is_scoreless(seat) else count(table.completes[seat])


def total_scoring_completes(table: SwordTable) -> i64:
    """The number of all players' Completes that count."""
    total: i64 = 0
    for seat in range(SEAT_COUNT):
        total += scoring_completes(table, seat)
    return total


def completes_sought(table: SwordTable) -> i64:
    """The number of Completes that a collaborative round must collect."""
    in_play = ALL_COMPLETES ^ bit(table.flipped)
    if not table.deals_all:
        in_play &= ~table.unseen_completes  # R16: only those that came to the table
    return count(in_play)


def round_points(table: SwordTable, seat: i64) -> i64:
    """The points of a player for a round."""
    if table.mode == COLLABORATIVE:
        return 0  # R17
    if table.mode == TEAMS:
        return scoring_completes(table, seat) + scoring_completes(
            table, partner_of(table.flipped, seat)
        )
    return scoring_completes(table, seat)


def score_round(table: SwordTable) -> None:
    """Score a round. `last_round` holds its number, mode, flipped card and Completes sought, then
    by seat points, Completes that count, and standings."""
    last = vec[i64]([table.round, table.mode, table.flipped])
    last = append(last, completes_sought(table) if table.mode == COLLABORATIVE else 0)
    for seat in range(SEAT_COUNT):
        last = append(last, round_points(table, seat))
    for seat in range(SEAT_COUNT):
        last = append(last, scoring_completes(table, seat))
    for seat in range(SEAT_COUNT):
        last = append(last, table.standings[seat])
    table.last_round = last
    table.points = vec[i64]([table.points[seat] + last[4 + seat] for seat in range(SEAT_COUNT)])
    if table.mode == COLLABORATIVE:
        add_challenge(table, total_scoring_completes(table), last[3])
    if table.is_recording_news:
        told = {"round": int(table.round), "mode": MODE_NAMES[table.mode], "sought": int(last[3])}
        points = [int(last[4 + seat]) for seat in range(SEAT_COUNT)]
        completes = [int(last[8 + seat]) for seat in range(SEAT_COUNT)]
        table.add_news("scored", table.turn, told | {"points": points, "kept": completes})


def add_challenge(table: SwordTable, found: i64, wanted: i64) -> None:
    """Add a collaborative round to the challenge totals."""
    results = vec[i64]([1, 1 if found == wanted else 0, found, wanted])
    table.challenge = vec[i64]([table.challenge[place] + results[place] for place in range(4)])


# -- the match ------------------------------------------------------------------------------------


def is_match_over(table: SwordTable) -> bool:
    """Whether this was the last round."""
    if table.target == 0 or table.mode_rule == COLLABORATIVE:
        return table.round >= table.rounds
    return table.round >= MAX_ROUNDS or highest_points(table) >= table.target  # R19


def highest_points(table: SwordTable) -> i64:
    """The highest score."""
    most: i64 = 0
    for points in table.points:
        most = max(most, points)
    return most


def is_all_collaborative(table: SwordTable) -> bool:
    """Whether all rounds were collaborative, so that there was no opponent (R18)."""
    return table.challenge[CHALLENGE_COUNT_INDEX] == table.round


def winning_seats(table: SwordTable) -> i64:
    """The set of winners, once the match is over."""
    if is_all_collaborative(table):
        return first_n(SEAT_COUNT)
    most = highest_points(table)
    winners: i64 = 0
    for seat in range(SEAT_COUNT):
        if table.points[seat] == most:
            winners |= bit(seat)
    return winners


def seat_return(table: SwordTable, seat: i64) -> float:
    """The payoff of a player at the end of the match."""
    if is_all_collaborative(table):
        return float(table.challenge[CHALLENGE_KEPT_INDEX]) / float(
            table.challenge[CHALLENGE_SOUGHT_INDEX]
        )
    winners = winning_seats(table)
    return 1.0 / float(count(winners)) if winners & bit(seat) != 0 else 0.0
