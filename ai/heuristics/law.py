"""How good a table of Law looks: how many Laws each player is short of, and what the hand is worth
towards the next one under the terms that bind its owner.

A distance is counted in Laws; the shares of the players are as their distances are, on a scale that
was chosen by played games.
"""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import count, has
from games.engines.common.french import RANKS
from games.engines.law.bills import straights
from games.engines.law.cards import PLACES, RANK_CARDS, rank_at
from games.engines.law.state import LawState
from games.engines.law.tasks import COLLECT, GAIN, GRANT, number_of
from games.engines.law.terms import FLUSH, KIND, STRAIGHT, Terms

SCALE: Final[float] = 1.3  # of log-odds, a Law
PROMISED: Final[float] = 1.05  # a Law that is about to be collected
READY: Final[float] = 0.65  # a Bill in the hand
NEARLY: Final[float] = 0.5  # what a Bill lacks a share of, squared
CARD: Final[float] = 0.02  # each card in the hand
MOST_CARDS: Final[i64] = 10  # more are of no more use
TURN: Final[float] = 0.1  # being on turn


class LawHeuristic(Heuristic):
    """Looks at the true hands of the state it is given, which a bot has imagined."""

    def value(self, state: State, seat: i64) -> float:
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, LawState)
        if state.to_act == 0:
            return state.returns()
        hopes = [exp(-SCALE * distance(state, seat)) for seat in range(state.seats)]
        total = sum(hopes)
        return [hope / total for hope in hopes]


def distance(state: LawState, seat: i64) -> float:
    """How many Laws the seat is from winning, its hand considered."""
    terms = state.terms[seat]
    hand = state.hands[seat]
    if terms.straight_flush_wins and has_straight_flush(hand, terms):
        return 0.0
    short = float(state.needed(seat) - count(state.laws[seat]))
    short -= PROMISED * float(promised(state, seat))
    short -= worth(hand, terms)
    if seat == state.turn:
        short -= TURN
    return max(0.0, short)


def promised(state: LawState, seat: i64) -> i64:
    """How many Laws the seat is about to collect."""
    laws: i64 = 0
    for task in state.agenda.tasks:
        if seat_of(task) == seat:
            if kind_of(task) == GAIN:
                laws += number_of(subject_of(task)) * state.terms[seat].collects
            elif kind_of(task) in (COLLECT, GRANT):
                laws += number_of(subject_of(task))
    return laws


def worth(hand: i64, terms: Terms) -> float:
    """What a hand is worth, in Laws."""
    held = count(hand)
    cards = CARD * float(min(MOST_CARDS, held))
    done = completeness(hand, terms)
    laws = float(terms.collects)
    if done >= 1.0:
        return cards + READY * laws
    return cards + NEARLY * done * done * laws


def completeness(hand: i64, terms: Terms) -> float:
    """The share of a Bill that the hand has, of the Bill it is nearest to."""
    best = 0.0
    if not has(terms.banned, KIND):
        best = share(most_alike(hand, terms), terms.size(KIND))
    if not has(terms.banned, FLUSH):
        best = max(best, share(most_suited(hand, terms), terms.size(FLUSH)))
    if not has(terms.banned, STRAIGHT):
        best = max(best, straight_share(hand, terms))
    return best


def share(cards: i64, size: i64) -> float:
    """So many cards of a Bill of that size."""
    return float(min(cards, size)) / float(size)


def most_alike(hand: i64, terms: Terms) -> i64:
    """The most cards of one rank."""
    most: i64 = 0
    for rank in range(RANKS):
        most = max(most, count(hand & (RANK_CARDS[rank] | terms.wild_ranks)))
    return most


def most_suited(hand: i64, terms: Terms) -> i64:
    """The most cards of one suit."""
    most: i64 = 0
    for suit in range(4):
        most = max(most, count(hand & terms.suit_cards(suit)))
    return most


def straight_share(hand: i64, terms: Terms) -> float:
    """The share of a straight; one that has the places but not the hearts is not complete."""
    size = terms.size(STRAIGHT)
    wild = count(hand & terms.wild_ranks)
    most: i64 = 0
    window: i64 = 0
    for place in range(PLACES):
        window += step(hand & ~terms.wild_ranks, place)
        if place >= size:
            window -= step(hand & ~terms.wild_ranks, place - size)
        most = max(most, window)
    found = share(most + wild, size)
    if found >= 1.0 and terms.hearts > 0 and len(straights(hand, terms)) == 0:
        return 1.0 - 1.0 / float(size + 1)
    return found


def step(hand: i64, place: i64) -> i64:
    """1 if the hand has a card for a place of a straight."""
    return 1 if hand & RANK_CARDS[rank_at(place)] != 0 else 0


def has_straight_flush(hand: i64, terms: Terms) -> bool:
    """Is there a straight in one suit?"""
    for suit in range(4):
        if len(straights(hand & terms.suit_cards(suit), terms)) > 0:
            return True
    return False
