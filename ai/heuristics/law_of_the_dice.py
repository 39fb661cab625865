"""How good a table of Law of the Dice looks: points first, then hands and the count to come.

The weights are log-odds of winning, rounded from a regression over games of greedy players of whose
actions a third were random.
"""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.bits import count
from games.engines.law_of_the_dice.state import DiceState
from games.engines.law_of_the_dice.table import NO_SEAT

OWN_POINTS: Final[float] = 3.9  # all the points that win
OTHERS_POINTS: Final[float] = 3.5
CALLED: Final[float] = 0.1  # a count that one has called, whatever the hand
CALLED_LEAD: Final[float] = 0.8  # being ahead in the suit that the caller wants
LEAD: Final[float] = 0.3  # being ahead in one's best suit while nobody has called
CARDS: Final[float] = 0.2  # a card more than the others have on average
TURN: Final[float] = 0.3  # being on turn


class DiceHeuristic(Heuristic):
    """Looks at the true hands of the state it is given, which a bot has imagined."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DiceState)
        if state.to_act == 0:
            return state.returns()[seat]
        hopes = score(state, seat) + cards(state, seat) + prospect(state, seat)
        return 1.0 / (1.0 + float(state.seats - 1) * exp(-hopes))


def score(state: DiceState, seat: i64) -> float:
    """What the points and the turn say."""
    most: i64 = 0
    for other in range(state.seats):
        if other != seat and state.points[other] > most:
            most = state.points[other]
    lead = OWN_POINTS * float(state.points[seat]) - OTHERS_POINTS * float(most)
    return lead / float(state.points_to_win) + (TURN if state.turn == seat else 0.0)


def cards(state: DiceState, seat: i64) -> float:
    """What the number of cards in the hand says."""
    held: i64 = 0
    for hand in state.hands:
        held += count(hand)
    return CARDS * (float(count(state.hands[seat])) - float(held) / float(state.seats))


def prospect(state: DiceState, seat: i64) -> float:
    """What the next count promises, in the suit that its caller would choose."""
    if state.caller == NO_SEAT:
        return LEAD * hope(margin(state, seat, best_suit(state, seat)))
    called = CALLED if state.caller == seat else -CALLED / float(state.seats - 1)
    return called + CALLED_LEAD * hope(margin(state, seat, best_suit(state, state.caller)))


def best_suit(state: DiceState, seat: i64) -> i64:
    """The suit in which the seat is furthest ahead of everybody else."""
    best: i64 = 0
    furthest = margin(state, seat, 0)
    for suit in range(1, 4):
        ahead = margin(state, seat, suit)
        if ahead > furthest:
            furthest = ahead
            best = suit
    return best


def margin(state: DiceState, seat: i64, suit: i64) -> i64:
    """How many cards of the suit the seat has more than the best other player."""
    most: i64 = 0
    for other in range(state.seats):
        if other != seat and state.counted(other, suit) > most:
            most = state.counted(other, suit)
    return state.counted(seat, suit) - most


def hope(cards: i64) -> float:
    """A lead in cards between -1 and 1; level is good, since all who tie score."""
    lead = float(cards) + 0.5
    return lead / (1.0 + abs(lead))
