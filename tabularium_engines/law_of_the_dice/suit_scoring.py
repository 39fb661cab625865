"""Scoring a suit in a count: a vote or a die chooses the suit, those who have most of it score, and
the table is reset."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common import playing_cards as p
from tabularium_engines.common.bits import bit, count, has, lowest, members
from tabularium_engines.common.playing_cards import SUIT_NAMES, card_code
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.legs import Legs
from tabularium_engines.law_of_the_dice.scoring import (
    CALLER,
    LAWS_ONLY,
    LEFT_OF_CALLER,
    LEFT_OF_STARTER,
    NEXT_SEAT,
    NO_SEAT,
    VOTE,
    WINNER,
    Scoring,
    leading_suits,
    no_votes,
)
from tabularium_engines.law_of_the_dice.table_state import DiceTable

SUIT_BY_DIE: Final[list[i64]] = [p.HEARTS, p.DIAMONDS, p.SPADES, p.CLUBS]
RANDOM_SUIT: Final[i64] = 4  # in place of a suit: draw one


def open_count(state: DiceTable, rng: Rng) -> None:
    """Start a called count: a die chooses the suit, or all players vote."""
    if state.variant.suit_by == VOTE:
        state.agenda.push(n.TASK_VOTE, state.caller)
        return
    number = rng.below(4)
    if state.is_recording_news:
        facts: dict[str, Any] = {"number": number + 1, "suit": SUIT_NAMES[SUIT_BY_DIE[number]]}
        state.add_news("suit_rolled", state.caller, facts)
    state.agenda.push(n.TASK_COUNT, state.caller, SUIT_BY_DIE[number])


def cast_vote(state: DiceTable, seat: i64, suit: i64) -> None:
    """Cast a sealed vote; the last one opens all votes."""
    state.votes[seat] = suit
    if state.is_recording_news:
        state.add_news("voted", seat, {}, {"suit": SUIT_NAMES[suit]}, bit(seat))
    if state.to_act == bit(seat):
        open_votes(state)


def open_votes(state: DiceTable) -> None:
    """Open the votes: the suit with the most is counted; in a tie the caller decides."""
    leading, caller = leading_suits(state.votes), state.caller
    if state.is_recording_news:
        facts = {"suits": [SUIT_NAMES[suit] for suit in state.votes]}
        state.add_news("votes_opened", caller, facts)
    state.scoring = state.scoring.with_opened_votes(state.votes)
    state.votes = no_votes(state.seats)
    state.agenda.pop()
    if count(leading) == 1:
        state.agenda.push(n.TASK_COUNT, caller, lowest(leading))
    else:
        state.agenda.push(n.TASK_LAST_WORD, caller, leading)


def settle_tie(state: DiceTable, seat: i64, suit: i64) -> None:
    """Count the suit that the caller chooses in a tie."""
    state.agenda.push(n.TASK_COUNT, seat, suit)
    if state.is_recording_news:
        state.add_news("decided", seat, {"suit": SUIT_NAMES[suit]})


def count_on_empty_pile(state: DiceTable) -> None:
    """Make the discards the draw pile and replace all pending tasks by a count."""
    # R25, R26: all pending effects are cancelled, including a pending call.
    state.deck.refill_pile()
    state.agenda.clear()
    state.queue = vec[i64]()
    state.fired = 0
    state.caller = NO_SEAT
    state.agenda.push(n.TASK_COUNT, state.turn, RANDOM_SUIT)
    state.add_plain_news("exhausted", state.turn)


def count_suit(state: DiceTable, seat: i64, suit: i64, rng: Rng) -> None:
    """Count and give points; then end the leg, or reset the table for the next turn. `seat` is the
    caller or, with a random suit, the seat that found the pile empty."""
    is_called = suit != RANDOM_SUIT
    if not is_called:
        suit = rng.below(4)
    counted = vec[i64]()
    for other in range(state.seats):
        counted = append(counted, state.counted_card_count(other, suit))
    scoring = state.scoring.after_count(suit, counted)
    scoring.starter = seat_after_count(state, scoring.scorers, seat, is_called)
    if not is_called:
        scoring.opened = vec[i64]()
    state.scoring = scoring
    state.caller = NO_SEAT
    if state.is_recording_news:
        add_count_news(state, seat if is_called else scoring.starter)
    if scoring.ends_leg(state.variant.points_to_win):
        end_leg(state, rng)
        return
    reset_table(state, state.variant.keeps_laws(), rng)
    state.agenda.push(n.TASK_BEGIN_TURN, scoring.starter)


def end_leg(state: DiceTable, rng: Rng) -> None:
    """End the game after its last leg, or begin the second: with a new deal and without laws or
    points, by the player who did not begin the first."""
    if state.legs.leg == state.variant.leg_count(state.seats):
        state.deck.reveal_hands()
        return
    opener = state.legs.next_opener(state.seats)
    state.legs = Legs(2, opener, state.scoring.points)
    if state.is_recording_news:
        won = members(state.scoring.winning_seats())
        facts: dict[str, Any] = {"leg": 1, "points": list(state.scoring.points), "to": won}
        state.add_news("leg_over", opener, facts)
    state.scoring = Scoring(vec[i64]([0] * state.seats))
    state.scoring.starter = opener
    reset_table(state, False, rng)
    state.agenda.push(n.TASK_BEGIN_TURN, opener)


def seat_after_count(state: DiceTable, scorers: i64, seat: i64, is_called: bool) -> i64:
    """The seat on turn after a count."""
    variant, left = state.variant, (seat + 1) % state.seats
    if not is_called:
        return left if variant.empty_pile == NEXT_SEAT else seat  # R25
    if variant.next_turn == CALLER:  # R22
        return seat
    if variant.next_turn == LEFT_OF_STARTER:
        return (state.scoring.starter + 1) % state.seats
    if variant.next_turn != LEFT_OF_CALLER:
        for step in range(1, state.seats + 1):
            other = (seat + step) % state.seats
            if has(scorers, other) == (variant.next_turn == WINNER):
                return other
    return left


def add_count_news(state: DiceTable, seat: i64) -> None:
    """Add the news of a count, with the hands if they are counted."""
    scoring = state.scoring
    facts: dict[str, Any] = {
        "suit": SUIT_NAMES[scoring.suit],
        "counted": list(scoring.counted),
        "winners": members(scoring.scorers),
        "points": list(scoring.points),
    }
    if state.variant.counted != LAWS_ONLY:
        facts["hands"] = [[card_code(card) for card in members(hand)] for hand in state.deck.hands]
    state.add_news("counted", seat, facts)


def reset_table(state: DiceTable, laws_kept: bool, rng: Rng) -> None:
    """Reset the table, with or without laws and numbers, and deal new hands."""
    deck = state.deck
    for seat in range(state.seats):
        deck.pile |= deck.hands[seat]
        deck.hands[seat] = 0
        if not laws_kept:
            deck.pile |= state.tablets.law_cards(seat)
    if not laws_kept:
        state.tablets.clear()
    deck.refill_pile()
    deck.known_cards = vec[i64]([0] * (state.seats + 1))
    state.turns = 0
    state.deal_hands(rng)
