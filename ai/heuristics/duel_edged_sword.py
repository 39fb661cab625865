"""How good a table of Duel-Edged Sword looks: the Completes that count, what the next cards may
collect, and how many edges a player can still bear.

The weights are rounded from regressions over games of greedy players of whose actions a twelfth
were random: of what players kept at the end of a round, and of who won.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.duel_edged_sword.cards import KINDS, kind_of
from games.engines.duel_edged_sword.heaps import has_four, has_three, one
from games.engines.duel_edged_sword.rows import DOWN, FACE, ROWS, Rows
from games.engines.duel_edged_sword.scoring import KEPT, kept, partner, worth
from games.engines.duel_edged_sword.state import SwordState
from games.engines.duel_edged_sword.table import COLLABORATIVE, IN, SEATS, TEAMS

SAFE: Final[float] = 0.97  # of a Complete that is collected
CARD: Final[float] = 0.3  # Completes that any card to come brings …
BURDEN: Final = vec[float]([0.0, 0.15, 0.6, 0.0])  # … less, if one or two of its kind are there
SOON: Final = vec[float]([1.1, 1.0, 0.9, 0.9])  # what a chance is worth that many turns ahead …
TOGETHER: Final[float] = 0.55  # … and how much of that where all four look for the same
# How far points scatter around what is expected, as a variance: …
DOUBT: Final[float] = 0.35
DOUBT_A_CARD: Final[float] = 0.086  # … for each card that is still in a pile …
DOUBT_A_ROUND: Final[float] = 5.7  # … and each round to come
SIDE_SHOW: Final[float] = 0.1  # of a challenge in a match that other rounds decide
FAR: Final[i64] = 8  # decisions after which a search may ask
FRESH: Final[i64] = 61  # cards that are unseen when a round begins: all but 20, flipped and drawn
MOST: Final[i64] = 88  # prizes: one a kind at each end
WHOLE: Final[float] = 26.0  # Completes of a challenge


class SwordHeuristic(Heuristic):
    """Expects of each player what they have and what they may yet get."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, SwordState)
        return worth(state, seat) if state.to_act == 0 else outlooks(state)[seat]

    def is_ripe(self, state: State, decisions: i64) -> bool:
        """Where all four are one side, only what a round has brought is told well."""
        assert isinstance(state, SwordState)
        return state.unseen == FRESH if state.mode_rule == COLLABORATIVE else decisions >= FAR

    def values(self, state: State) -> list[float]:
        assert isinstance(state, SwordState)
        return state.returns() if state.to_act == 0 else list(outlooks(state))


def outlooks(state: SwordState) -> vec[float]:
    """What each player may hope for, while the match goes on."""
    expected = hopes(state)
    if state.mode != COLLABORATIVE:
        return chances(state, expected)
    together = challenge(state, expected)
    if state.challenge[0] == state.round - 1:
        return vec[float]([together] * SEATS)
    found = chances(state, vec[float]([0.0] * SEATS))
    for seat in range(SEATS):
        found[seat] = (1.0 - SIDE_SHOW) * found[seat] + SIDE_SHOW * together
    return found


# -- what a round may bring its players -----------------------------------------------------------


def hopes(state: SwordState) -> vec[float]:
    """The Completes that each player may expect to keep."""
    seen = prizes(state)
    found = vec[float]([0.0] * SEATS)
    for seat in range(SEATS):
        found[seat] = hope(state, seat, seen)
    return found


def hope(state: SwordState, seat: i64, found: vec[i64]) -> float:
    """The Completes that a player may expect to keep, where these are the prizes."""
    sure = SAFE * float(kept(state, seat))
    cards = state.piles[seat] + (1 if state.turn == seat else 0)
    if state.standings[seat] != IN or cards == 0:
        return sure / SAFE
    future = float(cards - 1) * later(state, seat)
    away = (seat - state.turn) & 3
    soon = SOON[away] * opportunity(state, seat, found, sure + future)
    return sure + future + (TOGETHER * soon if state.mode == COLLABORATIVE else soon)


def later(state: SwordState, seat: i64) -> float:
    """What any later card may bring: less, the more of them are of kinds that a player has."""
    weight = 0.0
    tally = state.constraints[seat]
    unseen = state.unseen_kinds
    while tally != 0:
        weight += BURDEN[tally & 3] * float(unseen & 0xF)
        tally >>= 4
        unseen >>= 4
    return CARD - weight / float(state.unseen + 1)


def prizes(state: SwordState) -> vec[i64]:
    """What can be won at the ends of the rows: the edges it brings, how many Completes, and by
    which kind of card, each as one number."""
    found = vec[i64]([0] * MOST)
    size: i64 = 0
    for row in range(ROWS):
        if state.rows.kinds[row] != 0:
            size = look_in(state.rows, row, found, size)
    return found[:size]


def look_in(rows: Rows, row: i64, found: vec[i64], size: i64) -> i64:
    """Note the prizes at both ends of a row; how many there are by now."""
    for side in range(2):
        tally: i64 = 0
        completes: i64 = 0
        for steps in range(rows.sizes[row]):
            cell = rows.cell(row, side, steps)
            kind = kind_of(cell & FACE)
            if kind < 0:
                completes += 1
                continue
            tally += one(kind)
            if cell < DOWN and completes > 0:
                found[size] = (tally + one(kind)) << 12 | completes << 4 | kind
                size += 1
    return size


def opportunity(state: SwordState, seat: i64, found: vec[i64], stake: float) -> float:
    """What the next card collects on average, if it is laid where it collects most."""
    best = vec[float]([0.0] * KINDS)
    own = state.constraints[seat]
    for prize in found:
        kind = prize & 0xF
        gain = gained(own + (prize >> 12), float(prize >> 4 & 0xFF), stake)
        best[kind] = max(best[kind], gain)
    gain = 0.0
    unseen = state.unseen_kinds
    for kind in range(KINDS):
        gain += best[kind] * float(unseen & 0xF)
        unseen >>= 4
    return gain / float(state.unseen + 1)


def gained(tally: i64, completes: float, stake: float) -> float:
    """What a collection brings that leaves a player with these edges."""
    if has_four(tally):
        return 0.0
    return completes - stake if has_three(tally) else completes


# -- what that means for the match ----------------------------------------------------------------


def chances(state: SwordState, expected: vec[float]) -> vec[float]:
    """How likely each player is to win the match."""
    found = vec[float]([0.0] * SEATS)
    best = total(state, expected, 0)
    for seat in range(SEATS):
        found[seat] = total(state, expected, seat)
        best = max(best, found[seat])
    scale = scatter(state)
    whole = 0.0
    for seat in range(SEATS):
        found[seat] = exp((found[seat] - best) / scale)
        whole += found[seat]
    for seat in range(SEATS):
        found[seat] = found[seat] / whole
    return found


def total(state: SwordState, expected: vec[float], seat: i64) -> float:
    """The points that a player may expect to have after the round."""
    points = float(state.points[seat]) + expected[seat]
    return points + expected[partner(state.flipped, seat)] if state.mode == TEAMS else points


def scatter(state: SwordState) -> float:
    """How far what is to come may scatter the points."""
    left = state.rounds - state.round if state.target == 0 else 2
    cards: i64 = 0
    for pile in state.piles:
        cards += pile
    return sqrt(DOUBT + DOUBT_A_CARD * float(cards) + DOUBT_A_ROUND * float(max(left, 0)))


def challenge(state: SwordState, expected: vec[float]) -> float:
    """Which part of all Completes the four may expect to keep."""
    kept_in_all = float(state.challenge[KEPT])
    for hoped in expected:
        kept_in_all += hoped
    return min(1.0, kept_in_all / (WHOLE * float(state.round)))
