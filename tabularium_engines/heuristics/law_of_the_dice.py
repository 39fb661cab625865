"""The heuristic of Law of the Dice: points first, then hands and the next count.

The weights are log-odds of winning, rounded from a regression over games of greedy players, a third
of whose actions were random.
"""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.common.bits import count
from tabularium_engines.common.playing_cards import rank_of
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.law_of_the_dice.game_logic import TURN_DIE, DiceState
from tabularium_engines.law_of_the_dice.scoring import HANDS_ONLY, LAWS_ONLY, NO_SEAT, VOTE
from tabularium_engines.law_of_the_dice.tablets import NO_CARD, SLOT_COUNT

OWN_POINTS_WEIGHT: Final[float] = 3.9  # of all the points needed to win
OTHERS_POINTS_WEIGHT: Final[float] = 3.5
CALLER_WEIGHT: Final[float] = 0.1  # of having called a count, with any hand
CALLED_LEAD_WEIGHT: Final[float] = 0.8  # of being ahead in the suit that the caller wants
LEAD_WEIGHT: Final[float] = 0.3  # of being ahead in one's best suit while no count is called
HELD_CARD_WEIGHT: Final[float] = 0.2  # of a card that counts find, more than the average
SPARE_CARD_WEIGHT: Final[float] = 0.1  # of a card in hand where only laws are counted
TURN_WEIGHT: Final[float] = 0.3  # of being on turn
UNNUMBERED_PART: Final[float] = 0.5  # of the worth of a law that has its number already
ACES: Final[i64] = 0x8004002001000  # which give a law a number that a d4 can roll
LATER_ROUNDS: Final[i64] = 6  # of turns after the next count, in which laws that stay fire, too
# by rank, from the two: the cards that a law brings each time it fires; one that rolls fires others
CARDS_OF_LAW: Final[list[float]] = [
    *(2.0, 0.0, 2.0, 0.0, 1.0, 1.0, 0.0),
    *(0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
]


class DiceHeuristic(Heuristic):
    """Evaluates the true hands of the given state, which for a bot is a determinization."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DiceState)
        if state.to_act == 0:
            return state.returns()[seat]
        hopes = points_score(state, seat) + cards_score(state, seat) + count_score(state, seat)
        won = 1.0 / (1.0 + float(state.seats - 1) * exp(-hopes))
        return state.value_over_legs(seat, won)


def points_score(state: DiceState, seat: i64) -> float:
    """The score of the points and the turn."""
    points = state.scoring.points
    most: i64 = 0
    for other in range(state.seats):
        if other != seat and points[other] > most:
            most = points[other]
    lead = OWN_POINTS_WEIGHT * float(points[seat]) - OTHERS_POINTS_WEIGHT * float(most)
    return lead / float(state.variant.points_to_win) + (TURN_WEIGHT if state.turn == seat else 0.0)


def cards_score(state: DiceState, seat: i64) -> float:
    """The score of the number of cards that a count finds, or could find later."""
    total = 0.0
    for other in range(state.seats):
        total += cards_worth(state, other)
    return cards_worth(state, seat) - total / float(state.seats)


def cards_worth(state: DiceState, seat: i64) -> float:
    """The worth of a seat's cards in hand and in laws."""
    laws = count(state.tablets.law_cards(seat))
    hand = float(count(state.deck.hands[seat])) + expected_cards(state, seat)
    if state.variant.counted == HANDS_ONLY:
        return HELD_CARD_WEIGHT * hand
    spare = SPARE_CARD_WEIGHT if state.variant.counted == LAWS_ONLY else HELD_CARD_WEIGHT
    return HELD_CARD_WEIGHT * float(laws) + spare * hand


def expected_cards(state: DiceState, seat: i64) -> float:
    """The cards that a seat's laws will bring by the dice of later turns, by the house rules. A law
    that a die cannot reach is worth a part of that while its owner holds a card to number it."""
    if not state.variant.house_rules:
        return 0.0
    total, aces = 0.0, count(state.deck.hands[seat] & ACES)
    for law in range(seat * SLOT_COUNT, seat * SLOT_COUNT + SLOT_COUNT):
        card = state.tablets.laws[law]
        if card == NO_CARD:
            continue
        brought = CARDS_OF_LAW[rank_of(card)]
        if state.tablets.numbers[law] <= TURN_DIE:
            total += brought
        elif aces > 0:
            aces -= 1
            total += UNNUMBERED_PART * brought
    return total * float(turns_ahead(state)) / float(TURN_DIE)


def turns_ahead(state: DiceState) -> i64:
    """The turns that will begin before the next count, if it is called as soon as it can be, and of
    the deal after it as many as a heuristic can count on."""
    before: i64 = state.seats
    if state.caller != NO_SEAT:
        before = (state.caller - state.turn - 1) % state.seats
    elif state.is_calm():
        before += state.seats - state.turns
    return before + LATER_ROUNDS * state.seats


def count_score(state: DiceState, seat: i64) -> float:
    """The score of the next count, in the suit that its caller would choose or a die names."""
    caller = state.caller
    if caller == NO_SEAT:
        return LEAD_WEIGHT * expected_lead(state, seat, seat)
    called = CALLER_WEIGHT if caller == seat else -CALLER_WEIGHT / float(state.seats - 1)
    return called + CALLED_LEAD_WEIGHT * expected_lead(state, seat, caller)


def expected_lead(state: DiceState, seat: i64, chooser: i64) -> float:
    """The seat's lead in the suit that another would choose, or on average if a die names it."""
    if state.variant.suit_by == VOTE:
        return lead_score(state, seat, best_suit(state, chooser))
    total = 0.0
    for suit in range(4):
        total += lead_score(state, seat, suit)
    return total / 4.0


def best_suit(state: DiceState, seat: i64) -> i64:
    """The suit in which the seat's lead over all others is largest, of which somebody has a
    card."""
    best: i64 = 0
    furthest = lead_score(state, seat, 0)
    for suit in range(1, 4):
        ahead = lead_score(state, seat, suit)
        if ahead > furthest:
            furthest = ahead
            best = suit
    return best


def lead_score(state: DiceState, seat: i64, suit: i64) -> float:
    """The seat's lead over the best other in cards of the suit, between -1 and 1; a tie is good,
    since all who tie score, but not without a card."""
    own, most = state.counted_card_count(seat, suit), i64(0)
    for other in range(state.seats):
        if other != seat:
            most = max(most, state.counted_card_count(other, suit))
    if own + most == 0:
        return 0.0
    lead = float(own - most) + 0.5
    return lead / (1.0 + abs(lead))


HEURISTIC: Final[Heuristic] = DiceHeuristic()
EXPLORATION: Final = 0.4  # of a search, tuned in contests
