"""The heuristic of Law of the Dice: points first, then hands and the next count.

The weights are log-odds of winning, rounded from a regression over games of greedy players, a third
of whose actions were random.
"""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.bits import count
from games.engines.law_of_the_dice.suit_scoring import NO_SEAT
from games.engines.law_of_the_dice.table_state import DiceState

OWN_POINTS_WEIGHT: Final[float] = 3.9  # of all the points needed to win
OTHERS_POINTS_WEIGHT: Final[float] = 3.5
CALLER_WEIGHT: Final[float] = 0.1  # of having called a count, with any hand
CALLED_LEAD_WEIGHT: Final[float] = 0.8  # of being ahead in the suit that the caller wants
LEAD_WEIGHT: Final[float] = 0.3  # of being ahead in one's best suit while no count is called
HAND_SIZE_WEIGHT: Final[float] = 0.2  # of a card more than the average hand
TURN_WEIGHT: Final[float] = 0.3  # of being on turn


class DiceHeuristic(Heuristic):
    """Evaluates the true hands of the given state, which for a bot is a determinization."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DiceState)
        if state.to_act == 0:
            return state.returns()[seat]
        hopes = points_score(state, seat) + hand_size_score(state, seat) + count_score(state, seat)
        return 1.0 / (1.0 + float(state.seats - 1) * exp(-hopes))


def points_score(state: DiceState, seat: i64) -> float:
    """The score of the points and the turn."""
    points = state.scoring.points
    most: i64 = 0
    for other in range(state.seats):
        if other != seat and points[other] > most:
            most = points[other]
    lead = OWN_POINTS_WEIGHT * float(points[seat]) - OTHERS_POINTS_WEIGHT * float(most)
    return lead / float(state.variant.points_to_win) + (TURN_WEIGHT if state.turn == seat else 0.0)


def hand_size_score(state: DiceState, seat: i64) -> float:
    """The score of the number of cards in hand."""
    hands = state.deck.hands
    held: i64 = 0
    for hand in hands:
        held += count(hand)
    return HAND_SIZE_WEIGHT * (float(count(hands[seat])) - float(held) / float(state.seats))


def count_score(state: DiceState, seat: i64) -> float:
    """The score of the next count, in the suit that its caller would choose."""
    caller = state.caller
    if caller == NO_SEAT:
        return LEAD_WEIGHT * lead_score(suit_margin(state, seat, best_suit(state, seat)))
    called = CALLER_WEIGHT if caller == seat else -CALLER_WEIGHT / float(state.seats - 1)
    return called + CALLED_LEAD_WEIGHT * lead_score(
        suit_margin(state, seat, best_suit(state, caller))
    )


def best_suit(state: DiceState, seat: i64) -> i64:
    """The suit in which the seat's lead over all others is largest."""
    best: i64 = 0
    furthest = suit_margin(state, seat, 0)
    for suit in range(1, 4):
        ahead = suit_margin(state, seat, suit)
        if ahead > furthest:
            furthest = ahead
            best = suit
    return best


def suit_margin(state: DiceState, seat: i64, suit: i64) -> i64:
    """The seat's lead in cards of the suit over the best other player."""
    most: i64 = 0
    for other in range(state.seats):
        if other != seat and state.counted_card_count(other, suit) > most:
            most = state.counted_card_count(other, suit)
    return state.counted_card_count(seat, suit) - most


def lead_score(cards: i64) -> float:
    """A lead in cards, between -1 and 1; a tie is good, since all who tie score."""
    lead = float(cards) + 0.5
    return lead / (1.0 + abs(lead))


HEURISTIC: Final[Heuristic] = DiceHeuristic()
EXPLORATION: Final = 0.4  # of a search, tuned in contests
