"""Scoring: the points of a round and the winners of the match."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count, first_n
from games.engines.duel_edged_sword.card_counts import ALL_COMPLETES, UnseenCards
from games.engines.duel_edged_sword.cards import FALSE_KIND, kind_of
from games.engines.duel_edged_sword.match_progress import (
    COLLABORATIVE,
    DEAL_ALL,
    TEAMS,
    Match,
    RoundResult,
    Variant,
)
from games.engines.duel_edged_sword.players import SEAT_COUNT, Players

MAX_ROUNDS: Final[i64] = 20  # of a match with a target score


def partner_of(flipped: i64, seat: i64) -> i64:
    """The partner of a seat: True joins North and East, False joins North and West."""
    return 3 - seat if kind_of(flipped) == FALSE_KIND else seat ^ 1


def completes_sought(match: Match, variant: Variant, unseen: UnseenCards) -> i64:
    """The number of Completes that a collaborative round must collect."""
    in_play = ALL_COMPLETES ^ bit(match.flipped)
    if variant.deal != DEAL_ALL:
        in_play &= ~unseen.completes  # R16: only those that came to the table
    return count(in_play)


def score_round(
    match: Match, players: Players, variant: Variant, unseen: UnseenCards
) -> RoundResult:
    """Add the round to the scores; its result."""
    result = RoundResult()
    result.number = match.round
    result.mode = match.mode
    result.flipped = match.flipped
    result.kept = vec[i64]([players.scoring_completes(seat) for seat in range(SEAT_COUNT)])
    result.points = vec[i64]([round_points(result, seat) for seat in range(SEAT_COUNT)])
    result.standings = players.standings[:]
    if match.mode == COLLABORATIVE:
        result.sought = completes_sought(match, variant, unseen)
        kept: i64 = 0
        for completes in result.kept:
            kept += completes
        match.challenges = match.challenges.after_round(kept, result.sought)
    match.points = vec[i64](
        [match.points[seat] + result.points[seat] for seat in range(SEAT_COUNT)]
    )
    match.last_result = result
    return result


def round_points(result: RoundResult, seat: i64) -> i64:
    """The points of a player for a round."""
    if result.mode == COLLABORATIVE:
        return 0  # R17
    points = result.kept[seat]
    return (
        points + result.kept[partner_of(result.flipped, seat)] if result.mode == TEAMS else points
    )


# -- the match ------------------------------------------------------------------------------------


def is_match_over(match: Match, variant: Variant) -> bool:
    """Whether this was the last round."""
    if variant.target == 0 or variant.mode_rule == COLLABORATIVE:
        return match.round >= variant.rounds
    return match.round >= MAX_ROUNDS or highest_points(match) >= variant.target  # R19


def highest_points(match: Match) -> i64:
    """The highest score."""
    most: i64 = 0
    for points in match.points:
        most = max(most, points)
    return most


def is_all_collaborative(match: Match) -> bool:
    """Whether all rounds were collaborative, so that there was no opponent (R18)."""
    return match.challenges.rounds == match.round


def winning_seats(match: Match) -> i64:
    """The set of winners, once the match is over."""
    if is_all_collaborative(match):
        return first_n(SEAT_COUNT)
    most = highest_points(match)
    winners: i64 = 0
    for seat in range(SEAT_COUNT):
        if match.points[seat] == most:
            winners |= bit(seat)
    return winners


def seat_return(match: Match, seat: i64) -> float:
    """The payoff of a player at the end of the match."""
    if is_all_collaborative(match):
        return float(match.challenges.kept) / float(match.challenges.sought)
    winners = winning_seats(match)
    return 1.0 / float(count(winners)) if winners & bit(seat) != 0 else 0.0
