"""Scoring a suit in a count: a vote or a die chooses the suit, those who have most of it score, and
the table is reset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common import playing_cards as p
from tabularium_engines.common.bits import bit, count, first_n, has, lowest, members
from tabularium_engines.common.playing_cards import SUIT_NAMES, card_code
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.legs import Legs

if TYPE_CHECKING:
    from tabularium_engines.law_of_the_dice.table_state import DiceState

MAX_COUNTS: Final[i64] = 200  # R24: then the points decide
VOTE: Final[i64] = 0  # chooses the suit, or else a die
HANDS_ONLY: Final[i64] = 0  # are counted …
LAWS_ONLY: Final[i64] = 1  # … or these, or else both
CALLER: Final[i64] = 0  # is on turn after a called count …
LEFT_OF_CALLER: Final[i64] = 1  # … or one of these seats
LEFT_OF_STARTER: Final[i64] = 2
WINNER: Final[i64] = 3
LOSER: Final[i64] = 4
NEXT_SEAT: Final[i64] = 0  # is on turn after the count of an empty pile, or else the same seat
SUIT_BY_DIE: Final[list[i64]] = [p.HEARTS, p.DIAMONDS, p.SPADES, p.CLUBS]
FIRST_FIELDS: Final[i64] = 5  # of the scoring, those that version 1 has
NO_SEAT: Final[i64] = -1
NO_SUIT: Final[i64] = -1
RANDOM_SUIT: Final[i64] = 4  # in place of a suit: draw one


class Variant:
    """The options as numbers. They never change, so that clones share them."""

    def __init__(self) -> None:
        self.suit_by: i64 = VOTE
        self.counted: i64 = HANDS_ONLY
        self.laws_kept: bool = False
        self.points_to_win: i64 = 0
        self.next_turn: i64 = CALLER  # of version 1, like the next
        self.empty_pile: i64 = NEXT_SEAT
        self.legs: i64 = 1
        self.house_rules: bool = False
        self.version: i64 = 1

    def contents(self) -> list[Any]:
        """All options."""
        zones = [self.counted != LAWS_ONLY, self.counted != HANDS_ONLY]
        return [self.points_to_win, self.suit_by != VOTE, self.laws_kept, *zones]

    def readings(self) -> list[i64]:
        """The options that version 1 does not have."""
        second = [self.next_turn, self.empty_pile, self.legs] if self.version > 1 else []
        return [*second, i64(self.house_rules)] if self.version > 2 else second

    def leg_count(self, seats: i64) -> i64:
        """The number of legs at a table of so many seats (R42)."""
        if self.legs == 0:
            return 2 if seats == 2 else 1
        return self.legs

    def keeps_laws(self) -> bool:
        """Whether laws stay after a count."""
        return self.laws_kept or self.house_rules


class Scoring:
    """The points and the last count. Clones of a state share it: each count makes a new one."""

    def __init__(self, points: vec[i64]) -> None:
        self.points = points  # by seat
        self.counts: i64 = 0  # so far
        self.suit: i64 = NO_SUIT  # of the last count
        self.counted: vec[i64] = vec[i64]()  # by seat: the cards that it found
        self.scorers: i64 = 0  # of it, a set
        self.starter: i64 = NO_SEAT  # the seat whose turn was the first since the deal
        self.opened: vec[i64] = vec[i64]()  # by seat: the latest votes, once they are opened

    def contents(self) -> list[Any]:
        """Points and count as plain numbers."""
        last_count = [self.suit, self.scorers, *self.counted] if self.counts > 0 else []
        return [self.counts, list(self.points), last_count]

    def second_contents(self) -> list[Any]:
        """The contents that version 1 does not have: all fields from `starter` on."""
        return fields_of(self)[FIRST_FIELDS:]

    def clone(self) -> Scoring:
        """An independent copy."""
        copy = Scoring(self.points[:])
        copy.counts = self.counts
        copy.suit = self.suit
        copy.counted = self.counted
        copy.scorers = self.scorers
        copy.starter = self.starter
        copy.opened = self.opened
        return copy

    def after_count(self, suit: i64, counted: vec[i64]) -> Scoring:
        """The scoring with a point more for each player with the most cards of the suit."""
        after = self.clone()
        after.counts += 1
        after.suit = suit
        after.counted = counted
        after.scorers = places_with_highest(counted)  # R21
        after.starter = NO_SEAT
        for seat in members(after.scorers):
            after.points[seat] = after.points[seat] + 1
        return after

    def with_opened_votes(self, votes: vec[i64]) -> Scoring:
        """The scoring with the votes for the next count."""
        after = self.clone()
        after.opened = votes
        return after

    def most_points(self) -> i64:
        """The points of those who have the most."""
        return self.points[lowest(self.winning_seats())]

    def ends_leg(self, points_to_win: i64) -> bool:
        """Whether the latest count was the last one of its leg."""
        return self.counts >= MAX_COUNTS or self.most_points() >= points_to_win

    def winning_seats(self) -> i64:
        """The set of seats with the most points."""
        return seats_with_most(self.points)


def no_votes(seats: i64) -> vec[i64]:
    """The votes before any is cast."""
    return vec[i64]([NO_SUIT] * seats)


def voters_left(votes: vec[i64]) -> i64:
    """The set of seats that have not voted."""
    seats: i64 = 0
    for seat in range(len(votes)):
        if votes[seat] == NO_SUIT:
            seats |= bit(seat)
    return seats


def leading_suits(votes: vec[i64]) -> i64:
    """The set of suits with the most votes."""
    cast = vec[i64]([0] * 4)
    for suit in votes:
        cast[suit] = cast[suit] + 1
    return places_with_highest(cast)


def places_with_highest(numbers: vec[i64]) -> i64:
    """The set of indexes of the highest number; empty if all are 0."""
    found: i64 = 0
    highest: i64 = 1
    for place in range(len(numbers)):
        if numbers[place] > highest:
            found = 0
            highest = numbers[place]
        if numbers[place] == highest:
            found |= bit(place)
    return found


def seats_with_most(points: vec[i64]) -> i64:
    """The set of seats with the most points: all of them if there are none."""
    return places_with_highest(points) or first_n(len(points))


def open_count(state: DiceState, rng: Rng) -> None:
    """Start a called count: a die chooses the suit, or all players vote."""
    if state.variant.suit_by == VOTE:
        state.agenda.push(n.TASK_VOTE, state.caller)
        return
    number = rng.below(4)
    if state.is_recording_news:
        facts: dict[str, Any] = {"number": number + 1, "suit": SUIT_NAMES[SUIT_BY_DIE[number]]}
        state.add_news("suit_rolled", state.caller, facts)
    state.agenda.push(n.TASK_COUNT, state.caller, SUIT_BY_DIE[number])


def cast_vote(state: DiceState, seat: i64, suit: i64) -> None:
    """Cast a sealed vote; the last one opens all votes."""
    state.votes[seat] = suit
    if state.is_recording_news:
        state.add_news("voted", seat, {}, {"suit": SUIT_NAMES[suit]}, bit(seat))
    if state.to_act == bit(seat):
        open_votes(state)


def open_votes(state: DiceState) -> None:
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


def settle_tie(state: DiceState, seat: i64, suit: i64) -> None:
    """Count the suit that the caller chooses in a tie."""
    state.agenda.push(n.TASK_COUNT, seat, suit)
    if state.is_recording_news:
        state.add_news("decided", seat, {"suit": SUIT_NAMES[suit]})


def count_on_empty_pile(state: DiceState) -> None:
    """Make the discards the draw pile and replace all pending tasks by a count."""
    # R25, R26: all pending effects are cancelled, including a pending call.
    state.deck.refill_pile()
    state.agenda.clear()
    state.queue = vec[i64]()
    state.fired = 0
    state.caller = NO_SEAT
    state.agenda.push(n.TASK_COUNT, state.turn, RANDOM_SUIT)
    state.add_plain_news("exhausted", state.turn)


def count_suit(state: DiceState, seat: i64, suit: i64, rng: Rng) -> None:
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


def end_leg(state: DiceState, rng: Rng) -> None:
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


def seat_after_count(state: DiceState, scorers: i64, seat: i64, is_called: bool) -> i64:
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


def add_count_news(state: DiceState, seat: i64) -> None:
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


def reset_table(state: DiceState, laws_kept: bool, rng: Rng) -> None:
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
