"""Scoring a suit in a count: a vote or a die chooses the suit, those who have most of it score, and
the table is reset."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, first_n, lowest, members
from games.engines.common.playing_cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    SUIT_NAMES,
    card_code,
)
from games.engines.law_of_the_dice.action_numbers import (
    TASK_BEGIN_TURN,
    TASK_COUNT,
    TASK_LAST_WORD,
    TASK_VOTE,
)
from games.engines.law_of_the_dice.table_state import (
    NO_CARD,
    NO_SEAT,
    NO_SUIT,
    RANDOM_SUIT,
    SLOT_COUNT,
    DiceTable,
)

MAX_COUNTS: Final[i64] = 200  # R24: then the points decide
SUIT_BY_DIE: Final[list[i64]] = [HEARTS, DIAMONDS, SPADES, CLUBS]


def open_count(table: DiceTable, rng: Rng) -> None:
    """Start a called count: a die chooses the suit, or all players vote."""
    if table.suit_by_die:
        number = rng.below(4)
        if table.is_recording_news:
            facts = {"number": int(number + 1), "suit": SUIT_NAMES[SUIT_BY_DIE[number]]}
            table.add_news("suit_rolled", table.caller, facts)
        table.agenda.push(TASK_COUNT, table.caller, SUIT_BY_DIE[number])
    else:
        table.agenda.push(TASK_VOTE, table.caller)


def cast_vote(table: DiceTable, seat: i64, suit: i64) -> None:
    """Cast a sealed vote; the last one opens all votes."""
    table.votes[seat] = suit
    if table.is_recording_news:
        secret = {"suit": SUIT_NAMES[suit]}
        table.add_news("voted", seat, {}, secret, bit(seat))
    if NO_SUIT not in table.votes:
        open_votes(table)


def open_votes(table: DiceTable) -> None:
    """Open the votes: the suit with the most is counted; in a tie the caller decides."""
    if table.is_recording_news:
        table.add_news(
            "votes_opened", table.caller, {"suits": [SUIT_NAMES[v] for v in table.votes]}
        )
    leading = suits_with_most_votes(table.votes)
    for seat in range(table.seats):
        table.votes[seat] = NO_SUIT
    table.agenda.pop()
    if count(leading) == 1:
        table.agenda.push(TASK_COUNT, table.caller, lowest(leading))
    else:
        table.agenda.push(TASK_LAST_WORD, table.caller, leading)


def settle_tie(table: DiceTable, seat: i64, suit: i64) -> None:
    """Count the suit that the caller chooses in a tie."""
    table.agenda.push(TASK_COUNT, seat, suit)
    if table.is_recording_news:
        table.add_news("decided", seat, {"suit": SUIT_NAMES[suit]})


def suits_with_most_votes(votes: vec[i64]) -> i64:
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


def count_suit(table: DiceTable, after: i64, suit: i64, rng: Rng) -> None:
    """Count and give points; then end the game, or reset the table for the turn of `after`."""
    if suit == RANDOM_SUIT:
        suit = rng.below(4)
        after = (after + 1) % table.seats  # R25; after a call the caller is next, R22
    counted = vec[i64]()
    for seat in range(table.seats):
        counted = append(counted, table.counted_card_count(seat, suit))
    scorers = places_with_highest(counted)  # R21
    for seat in members(scorers):
        table.points[seat] = table.points[seat] + 1
    table.counts += 1
    table.last_count = extend(vec[i64]([suit, scorers]), counted)
    table.caller = NO_SEAT
    if table.is_recording_news:
        add_count_news(table, after)
    if is_game_over(table):
        reveal_hands(table)
        return
    reset_table(table, rng)
    table.agenda.push(TASK_BEGIN_TURN, after)


def add_count_news(table: DiceTable, seat: i64) -> None:
    """Add the news of a count, with the hands if they are counted."""
    suit, scorers, *counted = table.last_count
    facts: dict[str, Any] = {
        "suit": SUIT_NAMES[suit],
        "counted": [int(number) for number in counted],
        "winners": [int(scorer) for scorer in members(scorers)],
        "points": [int(points) for points in table.points],
    }
    if table.counts_hands:
        facts["hands"] = [[card_code(card) for card in members(hand)] for hand in table.hands]
    table.add_news("counted", seat, facts)


def is_game_over(table: DiceTable) -> bool:
    """Whether a player has enough points or the limit of counts is reached."""
    if table.counts >= MAX_COUNTS:
        return True
    for points in table.points:
        if points >= table.points_to_win:
            return True
    return False


def reveal_hands(table: DiceTable) -> None:
    """Reveal all hands to all players at the end of the game."""
    for viewer in range(table.seats + 1):
        for seat in range(table.seats):
            if seat != viewer:
                table.learn(viewer, table.hands[seat])


def reset_table(table: DiceTable, rng: Rng) -> None:
    """Reset the table and deal new hands; laws and numbers stay if the variant keeps them."""
    for seat in range(table.seats):
        table.pile |= table.hands[seat]
        table.hands[seat] = 0
        if not table.laws_kept:
            table.pile |= table.law_cards(seat)
    if not table.laws_kept:
        table.laws = vec[i64]([NO_CARD] * (table.seats * SLOT_COUNT))
        table.numbers = vec[i64]([0] * (table.seats * SLOT_COUNT))
    table.refill_pile()
    table.known_cards = vec[i64]([0] * (table.seats + 1))
    table.deal_hands(rng)


def winning_seats(table: DiceTable) -> i64:
    """The set of seats with the most points."""
    return places_with_highest(table.points) or first_n(table.seats)
