"""How good a table of Duel-Edged Sword looks: the Completes that count, what the next cards may
collect, and how many edges a player can still bear.

The weights are rounded from a regression of what players kept in the end over games of greedy
players of whose actions a tenth were random.
"""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.duel_edged_sword.cards import KINDS, kind_of
from games.engines.duel_edged_sword.heaps import has_four, has_three, of_kind, one
from games.engines.duel_edged_sword.rows import DOWN, FACE, ROWS
from games.engines.duel_edged_sword.scoring import KEPT, kept, partner
from games.engines.duel_edged_sword.state import SwordState
from games.engines.duel_edged_sword.table import COLLABORATIVE, IN, SEATS, TEAMS

SAFE: Final[float] = 0.93  # of a Complete that is collected
CARD: Final[float] = 0.09  # Completes that any card to come brings …
FREE: Final[float] = 0.18  # … and more, the fewer kinds of edges its player has
SOON: Final = vec[float]([1.2, 1.15, 1.1, 1.05])  # what a chance is worth that many turns ahead …
TOGETHER: Final[float] = 0.55  # … and how much of that where all four look for the same
SPREAD: Final[float] = 2.0  # points of a lead that is likely to last through a round …
LATER: Final[float] = 2.0  # … and more for each round to come
SIDE_SHOW: Final[float] = 0.1  # of a challenge in a match that other rounds decide
WHOLE: Final[float] = 26.0  # Completes of a challenge


class SwordHeuristic(Heuristic):
    """Expects of each player what they have and what they may yet get."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, SwordState)
        if state.to_act == 0:
            return state.returns()[seat]
        hopes = vec[float]([hope(state, player) for player in range(SEATS)])
        if state.mode != COLLABORATIVE:
            return share(state, seat) * chance(state, lead(state, hopes, seat))
        if state.challenge[0] == state.round - 1:
            return challenge(state, hopes)
        return (1.0 - SIDE_SHOW) * chance(state, margin(state, seat)) + SIDE_SHOW * challenge(
            state, hopes
        )


# -- what a round may bring a player --------------------------------------------------------------


def hope(state: SwordState, seat: i64) -> float:
    """The Completes that a player may expect to keep."""
    sure = SAFE * float(kept(state, seat))
    cards = state.piles[seat] + (1 if state.turn == seat else 0)
    if state.standings[seat] != IN or cards == 0:
        return sure / SAFE
    future = rest(state, seat, cards - 1)
    away = (seat - state.turn) & 3
    soon = SOON[away] * opportunity(state, seat, sure, future)
    return sure + future + (TOGETHER * soon if state.mode == COLLABORATIVE else soon)


def rest(state: SwordState, seat: i64, cards: i64) -> float:
    """What later cards may bring: each kind is safely matched once, while one has none of it."""
    free: i64 = 0
    tally = state.constraints[seat]
    for _ in range(KINDS):
        if tally & 0xF == 0:
            free += 1
        tally >>= 4
    return float(cards) * (CARD + FREE * float(free) / float(KINDS))


def opportunity(state: SwordState, seat: i64, sure: float, future: float) -> float:
    """What the next card collects on average, if it is laid where it collects most."""
    best = vec[float]([0.0] * KINDS)
    for row in range(ROWS):
        for side in range(2):
            look_in(state, seat, row, side, best, sure + future)
    gain = 0.0
    for kind in range(KINDS):
        gain += best[kind] * float(of_kind(state.unseen_kinds, kind))
    return gain / float(state.unseen + 1)


def look_in(
    state: SwordState, seat: i64, row: i64, side: i64, best: vec[float], stake: float
) -> None:
    """What each kind would collect at this end."""
    rows = state.rows
    tally = state.constraints[seat]
    completes: i64 = 0
    for steps in range(rows.sizes[row]):
        cell = rows.cell(row, side, steps)
        kind = kind_of(cell & FACE)
        if kind < 0:
            completes += 1
            continue
        tally += one(kind)
        if cell < DOWN and not (steps == 0 and kind >= 9):
            gain = worth(tally + one(kind), float(completes), stake)
            best[kind] = max(best[kind], gain)


def worth(tally: i64, completes: float, stake: float) -> float:
    """What a collection is worth that leaves a player with these edges."""
    if has_four(tally):
        return 0.0
    return completes - stake if has_three(tally) else completes


# -- what that means for the match ----------------------------------------------------------------


def lead(state: SwordState, hopes: vec[float], seat: i64) -> float:
    """How many points a player may be ahead of the best who is not on their side."""
    mate = partner(state.flipped, seat) if state.mode == TEAMS else seat
    own = total(state, hopes, seat)
    best = -1.0
    for other in range(SEATS):
        if other != seat and other != mate:
            best = max(best, total(state, hopes, other))
    return own - best


def total(state: SwordState, hopes: vec[float], seat: i64) -> float:
    """The points that a player may expect to have after the round."""
    points = float(state.points[seat]) + hopes[seat]
    return points + hopes[partner(state.flipped, seat)] if state.mode == TEAMS else points


def margin(state: SwordState, seat: i64) -> float:
    """How many points a player is ahead as it stands."""
    best: i64 = 0
    for other in range(SEATS):
        if other != seat and state.points[other] > best:
            best = state.points[other]
    return float(state.points[seat] - best)


def chance(state: SwordState, ahead: float) -> float:
    """How likely a lead is to become a victory."""
    left = state.rounds - state.round if state.target == 0 else 2
    return 1.0 / (1.0 + exp(-ahead / (SPREAD + LATER * float(max(left, 0)))))


def share(state: SwordState, seat: i64) -> float:
    """How much of a victory would be one's own: partners who are level share it."""
    mate = partner(state.flipped, seat)
    is_level = state.mode == TEAMS and state.points[seat] == state.points[mate]
    return 0.5 if is_level and state.round >= state.rounds else 1.0


def challenge(state: SwordState, hopes: vec[float]) -> float:
    """Which part of all Completes the four may expect to keep."""
    expected = 0.0
    for hoped in hopes:
        expected += hoped
    return min(1.0, (float(state.challenge[KEPT]) + expected) / (WHOLE * float(state.round)))
