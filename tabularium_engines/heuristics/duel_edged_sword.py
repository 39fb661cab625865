"""The heuristic of Duel-Edged Sword: the Completes that count, the expected gain of the next cards,
and how many edges a player can still bear.

The weights are rounded from regressions over games of greedy players, a twelfth of whose actions
were random: on the Completes that players kept at the end of a round, and on who won.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.duel_edged_sword.card_counts import has_four, has_three, single_tally
from tabularium_engines.duel_edged_sword.cards import KIND_COUNT, kind_of
from tabularium_engines.duel_edged_sword.game_logic import SwordState
from tabularium_engines.duel_edged_sword.match_scoring import COLLABORATIVE, TEAMS, partner_of
from tabularium_engines.duel_edged_sword.players import SEAT_COUNT, STANDING_IN
from tabularium_engines.duel_edged_sword.rows import FACE_DOWN, FACE_MASK, ROW_COUNT, Rows
from tabularium_engines.heuristics.base import Heuristic

COLLECTED_SHARE: Final[float] = 0.97  # share of a collected Complete that is expected to be kept
CARD_VALUE: Final[float] = 0.3  # Completes that any future card brings …
# … less, if the player has one or two of its kind, by edges
BURDEN_BY_EDGES: Final = vec[float]([0.0, 0.15, 0.6, 0.0])
# weight of a chance that many turns ahead …
TURNS_AHEAD_WEIGHTS: Final = vec[float]([1.1, 1.0, 0.9, 0.9])
COLLABORATIVE_WEIGHT: Final[float] = 0.55  # … and its factor where all four seek the same
# The variance of points around their expectation: …
BASE_VARIANCE: Final[float] = 0.35
VARIANCE_PER_CARD: Final[float] = 0.086  # … for each card still in a pile …
VARIANCE_PER_ROUND: Final[float] = 5.7  # … and each round to come
CHALLENGE_WEIGHT: Final[float] = 0.1  # of a challenge in a match decided by other rounds
MIN_DECISIONS: Final[i64] = 8  # before a search may evaluate
# at the start of a round: all cards but the 20 flipped and drawn
UNSEEN_AT_ROUND_START: Final[i64] = 61
MAX_PRIZES: Final[i64] = 88  # one per kind at each end
CHALLENGE_COMPLETES: Final[float] = 26.0


class SwordHeuristic(Heuristic):
    """Estimates for each player the Completes they have and may still get."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, SwordState)
        if state.to_act == 0:
            return state.match.seat_return(seat)
        return win_expectations(state)[seat]

    def can_evaluate(self, state: State, decisions: i64) -> bool:
        """After a few decisions; where all four are one side, only at the start of a round, because
        only the gain of whole rounds is estimated well."""
        assert isinstance(state, SwordState)
        return (
            state.players.unseen == UNSEEN_AT_ROUND_START
            if state.variant.mode_rule == COLLABORATIVE
            else decisions >= MIN_DECISIONS
        )

    def values(self, state: State) -> list[float]:
        assert isinstance(state, SwordState)
        return state.returns() if state.to_act == 0 else list(win_expectations(state))


def win_expectations(state: SwordState) -> vec[float]:
    """Each player's expected result while the match goes on."""
    expected = expected_completes(state)
    if state.match.mode != COLLABORATIVE:
        return win_chances(state, expected)
    together = challenge_share(state, expected)
    if state.match.challenges.rounds == state.match.round - 1:
        return vec[float]([together] * SEAT_COUNT)
    found = win_chances(state, vec[float]([0.0] * SEAT_COUNT))
    for seat in range(SEAT_COUNT):
        found[seat] = (1.0 - CHALLENGE_WEIGHT) * found[seat] + CHALLENGE_WEIGHT * together
    return found


# -- expected gains in a round --------------------------------------------------------------------


def expected_completes(state: SwordState) -> vec[float]:
    """The Completes that each player may expect to keep."""
    seen = find_prizes(state)
    found = vec[float]([0.0] * SEAT_COUNT)
    for seat in range(SEAT_COUNT):
        found[seat] = expected_completes_of_seat(state, seat, seen)
    return found


def expected_completes_of_seat(state: SwordState, seat: i64, found: vec[i64]) -> float:
    """The Completes that a player may expect to keep, given these prizes."""
    match, players = state.match, state.players
    sure = COLLECTED_SHARE * float(players.scoring_completes(seat))
    cards = players.piles[seat] + (1 if state.turn == seat else 0)
    if players.standings[seat] != STANDING_IN or cards == 0:
        return sure / COLLECTED_SHARE
    future = float(cards - 1) * later_card_value(state, seat)
    away = (seat - state.turn) & 3
    soon = TURNS_AHEAD_WEIGHTS[away] * next_card_gain(state, seat, found, sure + future)
    return sure + future + (COLLABORATIVE_WEIGHT * soon if match.mode == COLLABORATIVE else soon)


def later_card_value(state: SwordState, seat: i64) -> float:
    """The value of any later card: it falls with the number of unseen cards of kinds that the
    player has."""
    weight = 0.0
    tally = state.players.constraints[seat]
    unseen = state.players.unseen_kinds
    while tally != 0:
        weight += BURDEN_BY_EDGES[tally & 3] * float(unseen & 0xF)
        tally >>= 4
        unseen >>= 4
    return CARD_VALUE - weight / float(state.players.unseen + 1)


def find_prizes(state: SwordState) -> vec[i64]:
    """The prizes at the ends of the rows: each as one number of the edges it brings, the Completes,
    and the kind of card that wins it."""
    found = vec[i64]([0] * MAX_PRIZES)
    size: i64 = 0
    for row in range(ROW_COUNT):
        if state.rows.kinds[row] != 0:
            size = add_row_prizes(state.rows, row, found, size)
    return found[:size]


def add_row_prizes(rows: Rows, row: i64, found: vec[i64], size: i64) -> i64:
    """Add the prizes at both ends of a row; the number of prizes so far."""
    for side in range(2):
        tally: i64 = 0
        completes: i64 = 0
        for steps in range(rows.sizes[row]):
            cell = rows.cell(row, side, steps)
            kind = kind_of(cell & FACE_MASK)
            if kind < 0:
                completes += 1
                continue
            tally += single_tally(kind)
            if cell < FACE_DOWN and completes > 0:
                found[size] = (tally + single_tally(kind)) << 12 | completes << 4 | kind
                size += 1
    return size


def next_card_gain(state: SwordState, seat: i64, found: vec[i64], stake: float) -> float:
    """The mean gain of the next card, if it is laid where it collects most."""
    best = vec[float]([0.0] * KIND_COUNT)
    own = state.players.constraints[seat]
    for prize in found:
        kind = prize & 0xF
        gain = collection_gain(own + (prize >> 12), float(prize >> 4 & 0xFF), stake)
        best[kind] = max(best[kind], gain)
    gain = 0.0
    unseen = state.players.unseen_kinds
    for kind in range(KIND_COUNT):
        gain += best[kind] * float(unseen & 0xF)
        unseen >>= 4
    return gain / float(state.players.unseen + 1)


def collection_gain(tally: i64, completes: float, stake: float) -> float:
    """The gain of a collection that leaves a player with these edges."""
    if has_four(tally):
        return 0.0
    return completes - stake if has_three(tally) else completes


# -- chances in the match -------------------------------------------------------------------------


def win_chances(state: SwordState, expected: vec[float]) -> vec[float]:
    """Each player's probability of winning the match."""
    found = vec[float]([0.0] * SEAT_COUNT)
    best = expected_points(state, expected, 0)
    for seat in range(SEAT_COUNT):
        found[seat] = expected_points(state, expected, seat)
        best = max(best, found[seat])
    scale = points_scatter(state)
    whole = 0.0
    for seat in range(SEAT_COUNT):
        found[seat] = exp((found[seat] - best) / scale)
        whole += found[seat]
    for seat in range(SEAT_COUNT):
        found[seat] = found[seat] / whole
    return found


def expected_points(state: SwordState, expected: vec[float], seat: i64) -> float:
    """A player's expected points after the round."""
    match = state.match
    points = float(match.points[seat]) + expected[seat]
    return points + expected[partner_of(match.flipped, seat)] if match.mode == TEAMS else points


def points_scatter(state: SwordState) -> float:
    """The standard deviation of the points still to come."""
    left = state.variant.rounds - state.match.round if state.variant.target == 0 else 2
    cards: i64 = 0
    for pile in state.players.piles:
        cards += pile
    return sqrt(
        BASE_VARIANCE + VARIANCE_PER_CARD * float(cards) + VARIANCE_PER_ROUND * float(max(left, 0))
    )


def challenge_share(state: SwordState, expected: vec[float]) -> float:
    """The share of all Completes that the four players may expect to keep."""
    kept_in_all = float(state.match.challenges.kept)
    for hoped in expected:
        kept_in_all += hoped
    return min(1.0, kept_in_all / (CHALLENGE_COMPLETES * float(state.match.round)))


HEURISTIC: Final[Heuristic] = SwordHeuristic()
EXPLORATION: Final = 0.15  # of a search, tuned in contests
