"""Which suit is counted, who has most of it, and what becomes of the table afterwards."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, first, lowest, members
from games.engines.common.french import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    SUIT_NAMES,
    code,
)
from games.engines.law_of_the_dice.table import (
    NO_CARD,
    NO_SEAT,
    NO_SUIT,
    RANDOM_SUIT,
    SLOTS,
    DiceTable,
)
from games.engines.law_of_the_dice.tasks import COUNT, LAST_WORD, TURN, VOTE

MOST_COUNTS: Final[i64] = 200  # R24: then the points decide
DIE_SUITS: Final[list[i64]] = [HEARTS, DIAMONDS, SPADES, CLUBS]


def open_count(table: DiceTable, rng: Rng) -> None:
    """The last player before the caller has moved: a die names the suit, or all vote."""
    if table.suit_by_die:
        number = rng.below(4)
        if table.listening:
            facts = {"number": int(number + 1), "suit": SUIT_NAMES[DIE_SUITS[number]]}
            table.tell("suit_rolled", table.caller, facts)
        table.agenda.push(COUNT, table.caller, DIE_SUITS[number])
    else:
        table.agenda.push(VOTE, table.caller)


def vote(table: DiceTable, seat: i64, suit: i64) -> None:
    """A sealed vote; the last one opens them all."""
    table.votes[seat] = suit
    if table.listening:
        secret = {"suit": SUIT_NAMES[suit]}
        table.tell_secret("voted", seat, {}, secret, bit(seat))
    if NO_SUIT not in table.votes:
        open_votes(table)


def open_votes(table: DiceTable) -> None:
    """Most votes win; in a tie the caller has the last word."""
    if table.listening:
        table.tell("votes_opened", table.caller, {"suits": [SUIT_NAMES[v] for v in table.votes]})
    leading = most_voted(table.votes)
    for seat in range(table.seats):
        table.votes[seat] = NO_SUIT
    table.agenda.pop()
    if count(leading) == 1:
        table.agenda.push(COUNT, table.caller, lowest(leading))
    else:
        table.agenda.push(LAST_WORD, table.caller, leading)


def decide(table: DiceTable, seat: i64, suit: i64) -> None:
    """The caller's last word."""
    table.agenda.push(COUNT, seat, suit)
    if table.listening:
        table.tell("decided", seat, {"suit": SUIT_NAMES[suit]})


def most_voted(votes: vec[i64]) -> i64:
    """The set of suits with the most votes."""
    cast = vec[i64]([0] * 4)
    for suit in votes:
        cast[suit] = cast[suit] + 1
    return leaders(cast)


def leaders(numbers: vec[i64]) -> i64:
    """The set of places with the highest number; nobody leads with nothing."""
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
    """Count and give points; then end the game, or set the table again for the turn of `after`."""
    if suit == RANDOM_SUIT:
        suit = rng.below(4)
        after = (after + 1) % table.seats  # R25; after a call it is the caller's turn, R22
    counted = vec[i64]()
    for seat in range(table.seats):
        counted = append(counted, table.counted(seat, suit))
    scorers = leaders(counted)  # R21
    for seat in members(scorers):
        table.points[seat] = table.points[seat] + 1
    table.counts += 1
    table.last_count = extend(vec[i64]([suit, scorers]), counted)
    table.caller = NO_SEAT
    if table.listening:
        tell_count(table, after)
    if is_over(table):
        lay_down(table)
        return
    reset(table, rng)
    table.agenda.push(TURN, after)


def tell_count(table: DiceTable, seat: i64) -> None:
    """All hands that are counted are seen by all."""
    suit, scorers, *counted = table.last_count
    facts: dict[str, Any] = {
        "suit": SUIT_NAMES[suit],
        "counted": [int(number) for number in counted],
        "winners": [int(scorer) for scorer in members(scorers)],
        "points": [int(points) for points in table.points],
    }
    if table.counts_hands:
        facts["hands"] = [[code(card) for card in members(hand)] for hand in table.hands]
    table.tell("counted", seat, facts)


def is_over(table: DiceTable) -> bool:
    """Has somebody enough points, or have there been too many counts?"""
    if table.counts >= MOST_COUNTS:
        return True
    for points in table.points:
        if points >= table.points_to_win:
            return True
    return False


def lay_down(table: DiceTable) -> None:
    """The game is over: everybody sees all hands."""
    for viewer in range(table.seats + 1):
        for seat in range(table.seats):
            if seat != viewer:
                table.learn(viewer, table.hands[seat])


def reset(table: DiceTable, rng: Rng) -> None:
    """All cards back into the draw pile, numbers off, new hands; laws stay where that is played."""
    for seat in range(table.seats):
        table.pile |= table.hands[seat]
        table.hands[seat] = 0
        if not table.laws_kept:
            table.pile |= table.law_cards(seat)
    if not table.laws_kept:
        table.laws = vec[i64]([NO_CARD] * (table.seats * SLOTS))
        table.numbers = vec[i64]([0] * (table.seats * SLOTS))
    table.refill()
    table.knows = vec[i64]([0] * (table.seats + 1))
    table.deal(rng)


def champions(table: DiceTable) -> i64:
    """The set of seats with the most points."""
    return leaders(table.points) or first(table.seats)
