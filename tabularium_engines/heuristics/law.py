"""The heuristic of Law: how many Laws each player is short of, and the value of the hand towards
the next one under the terms that bind its owner.

A distance is counted in Laws; the players' shares follow from their distances, on a scale chosen by
playing games.
"""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.common.agenda import kind_of, seat_of, subject_of
from tabularium_engines.common.bits import count, has
from tabularium_engines.common.playing_cards import RANK_COUNT
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.law.action_numbers import (
    SHAPE_FLUSH,
    SHAPE_KIND,
    SHAPE_STRAIGHT,
    TASK_COLLECT,
    TASK_GAIN,
    TASK_GRANT,
    number_of,
)
from tabularium_engines.law.bill_combinations import straight_starts
from tabularium_engines.law.cards import RANK_CARDS, STRAIGHT_PLACE_COUNT, rank_at
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.rule_parameters import RuleParameters

DISTANCE_SCALE: Final[float] = 1.3  # log-odds per Law
PROMISED_LAW_VALUE: Final[float] = 1.05  # of a Law that is about to be collected
READY_BILL_VALUE: Final[float] = 0.65  # of a Bill in the hand
PARTIAL_BILL_VALUE: Final[float] = 0.5  # of an incomplete Bill, times the square of its share
CARD_VALUE: Final[float] = 0.02  # of each card in the hand
MAX_USEFUL_CARDS: Final[i64] = 10  # further cards add nothing
TURN_VALUE: Final[float] = 0.1  # of being on turn
MIN_DISTANCE: Final[float] = 0.05  # a Bill in the hand is no Law yet


class LawHeuristic(Heuristic):
    """Evaluates the true hands of the given state, which for a bot is a determinization."""

    def value(self, state: State, seat: i64) -> float:
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, LawState)
        if state.to_act == 0:
            return state.returns()
        hopes = [exp(-DISTANCE_SCALE * laws_to_win(state, seat)) for seat in range(state.seats)]
        total = sum(hopes)
        return [hope / total for hope in hopes]


def laws_to_win(state: LawState, seat: i64) -> float:
    """How many Laws the seat is from winning, its hand included."""
    terms = state.parameters[seat]
    hand = state.hands[seat]
    if terms.straight_flush_wins and has_straight_flush(hand, terms):
        return 0.0
    short = float(state.laws_needed(seat) - count(state.laws[seat]))
    short -= PROMISED_LAW_VALUE * float(promised_laws(state, seat))
    if short <= 0.0:
        return 0.0
    short -= hand_worth(hand, terms)
    if seat == state.turn:
        short -= TURN_VALUE
    return max(MIN_DISTANCE, short)


def promised_laws(state: LawState, seat: i64) -> i64:
    """How many Laws the seat is about to collect."""
    laws: i64 = 0
    for task in state.agenda.tasks:
        if seat_of(task) == seat:
            if kind_of(task) == TASK_GAIN:
                laws += number_of(subject_of(task)) * state.parameters[seat].collects
            elif kind_of(task) in (TASK_COLLECT, TASK_GRANT):
                laws += number_of(subject_of(task))
    return laws


def hand_worth(hand: i64, terms: RuleParameters) -> float:
    """The value of a hand, in Laws."""
    held = count(hand)
    cards = CARD_VALUE * float(min(MAX_USEFUL_CARDS, held))
    done = bill_completeness(hand, terms)
    laws = float(terms.collects)
    if done >= 1.0:
        return cards + READY_BILL_VALUE * laws
    return cards + PARTIAL_BILL_VALUE * done * done * laws


def bill_completeness(hand: i64, terms: RuleParameters) -> float:
    """The share of the Bill that the hand is nearest to."""
    best = 0.0
    if not has(terms.banned, SHAPE_KIND):
        best = bill_share(max_same_rank(hand, terms), terms.bill_size(SHAPE_KIND))
    if not has(terms.banned, SHAPE_FLUSH):
        best = max(best, bill_share(max_same_suit(hand, terms), terms.bill_size(SHAPE_FLUSH)))
    if not has(terms.banned, SHAPE_STRAIGHT):
        best = max(best, straight_share(hand, terms))
    return best


def bill_share(cards: i64, size: i64) -> float:
    """That many cards as a share of a Bill of that size."""
    return float(min(cards, size)) / float(size)


def max_same_rank(hand: i64, terms: RuleParameters) -> i64:
    """The most cards of one rank."""
    most: i64 = 0
    for rank in range(RANK_COUNT):
        most = max(most, count(hand & (RANK_CARDS[rank] | terms.wild_ranks)))
    return most


def max_same_suit(hand: i64, terms: RuleParameters) -> i64:
    """The most cards of one suit."""
    most: i64 = 0
    for suit in range(4):
        most = max(most, count(hand & terms.suit_cards(suit)))
    return most


def straight_share(hand: i64, terms: RuleParameters) -> float:
    """The share of a straight; one that has the places but not the hearts is incomplete."""
    size = terms.bill_size(SHAPE_STRAIGHT)
    wild = count(hand & terms.wild_ranks)
    most: i64 = 0
    window: i64 = 0
    for place in range(STRAIGHT_PLACE_COUNT):
        window += count_place(hand & ~terms.wild_ranks, place)
        if place >= size:
            window -= count_place(hand & ~terms.wild_ranks, place - size)
        most = max(most, window)
    found = bill_share(most + wild, size)
    if found >= 1.0 and terms.hearts > 0 and len(straight_starts(hand, terms)) == 0:
        return 1.0 - 1.0 / float(size + 1)
    return found


def count_place(hand: i64, place: i64) -> i64:
    """1 if the hand has a card for a place of a straight."""
    return 1 if hand & RANK_CARDS[rank_at(place)] != 0 else 0


def has_straight_flush(hand: i64, terms: RuleParameters) -> bool:
    """Whether the hand has a straight in one suit."""
    for suit in range(4):
        if len(straight_starts(hand & terms.suit_cards(suit), terms)) > 0:
            return True
    return False


HEURISTIC: Final[Heuristic] = LawHeuristic()
EXPLORATION: Final = 0.15  # of a search, tuned in contests
