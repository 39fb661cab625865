"""Which Bills can a hand make, and which card of it can be laid next?

A Bill is laid card by card. A straight goes from place to place (0 is the low ace, 13 the high),
and at each step the rest of the hand must be able to finish it.
"""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has, members
from games.engines.common.french import DECK, RANK_SIGNS, RANKS, SUIT_NAMES
from games.engines.law.cards import PLACES, RANK_CARDS, rank_at
from games.engines.law.layout import NO_BILL
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    BILL_FLUSH,
    BILL_KIND,
    BILL_STRAIGHT,
    GAIN,
    LAY,
    LAY_ONE,
    STRAIGHT_FLUSH,
    about,
    action,
)
from games.engines.law.terms import (
    FLUSH,
    KIND,
    SHAPE_NAMES,
    STRAIGHT,
    STRAIGHT_FLUSH_SHAPE,
    Terms,
)


def bills(hand: i64, terms: Terms) -> list[i64]:
    """The actions that propose a Bill which the hand can pay."""
    found: list[i64] = []
    if not has(terms.banned, KIND):
        found += [action(BILL_KIND, rank) for rank in range(RANKS) if has_kind(hand, terms, rank)]
    if not has(terms.banned, STRAIGHT):
        places = straights(hand, terms)
        found += [action(BILL_STRAIGHT, place) for place in places]
    if not has(terms.banned, FLUSH):
        found += [action(BILL_FLUSH, suit) for suit in range(4) if has_flush(hand, terms, suit)]
    if terms.straight_flush_wins:
        add_straight_flushes(hand, terms, found)
    return found


def add_straight_flushes(hand: i64, terms: Terms, found: list[i64]) -> None:
    """The actions that show a straight flush: no ban and no size of flushes counts."""
    for suit in range(4):  # R9
        if terms.is_named_first(suit):
            for place in straights(hand & terms.suit_cards(suit), terms):
                found.append(action(STRAIGHT_FLUSH, place, suit))


def has_kind(hand: i64, terms: Terms, rank: i64) -> bool:
    """Are there cards enough of a rank, one of them without being wild?"""
    natural = hand & RANK_CARDS[rank]
    return natural != 0 and count(natural | (hand & terms.wild_ranks)) >= terms.size(KIND)


def has_flush(hand: i64, terms: Terms, suit: i64) -> bool:
    """Are there cards enough of a suit (the first of its class), one of them without being wild?"""
    if not terms.is_named_first(suit):
        return False
    natural = hand & terms.suits[suit]
    return natural != 0 and count(natural | (hand & terms.wild_suits)) >= terms.size(FLUSH)


def straights(hand: i64, terms: Terms) -> list[i64]:
    """The places in which a straight can begin."""
    return [place for place in range(RANKS) if has_straight(hand, terms, place)]


def has_straight(hand: i64, terms: Terms, place: i64) -> bool:
    """Can a straight begin in this place?"""
    size = terms.size(STRAIGHT)
    if (
        place + size > PLACES
        or (hand & RANK_CARDS[rank_at(place)]) | (hand & terms.wild_ranks) == 0
    ):
        return False
    return most_hearts(hand, terms, place, size) >= terms.hearts


def most_hearts(hand: i64, terms: Terms, place: i64, left: i64) -> i64:
    """How many hearts a straight of so many cards from a place on can have; -1: there is none."""
    wild = hand & terms.wild_ranks
    hearts = count(wild & terms.heart_cards())
    return hearts_from(hand & ~wild, terms.heart_cards(), place, left, hearts, count(wild) - hearts)


def hearts_from(
    natural: i64, heart_cards: i64, place: i64, left: i64, wild_hearts: i64, wild_others: i64
) -> i64:
    """Likewise, with cards that are what they are and so many wild ones."""
    if left == 0:
        return 0
    following = place + 1
    here = natural & RANK_CARDS[rank_at(place)]
    if here & heart_cards != 0:  # no other card could be better
        rest = hearts_from(natural, heart_cards, following, left - 1, wild_hearts, wild_others)
        return rest + 1 if rest >= 0 else -1
    best: i64 = -1
    if here != 0:
        best = hearts_from(natural, heart_cards, following, left - 1, wild_hearts, wild_others)
    elif wild_others > 0:
        best = hearts_from(natural, heart_cards, following, left - 1, wild_hearts, wild_others - 1)
    if wild_hearts > 0:
        rest = hearts_from(natural, heart_cards, following, left - 1, wild_hearts - 1, wild_others)
        if rest >= 0 and rest + 1 > best:
            best = rest + 1
    return best


# -- laying one ---------------------------------------------------------------------------------


def propose(table: LawTable, seat: i64, kind: i64, first: i64, second: i64) -> None:
    """Begin a Bill: its cards will be laid, and then a Law collected or the game won."""
    terms = table.terms[seat]
    table.bill = kind - BILL_KIND
    if table.bill == FLUSH:
        table.bill_suit = first
    else:
        table.bill_place = first
        table.bill_suit = second
    if table.bill == STRAIGHT_FLUSH_SHAPE:
        table.bill_left = terms.size(STRAIGHT)
    else:
        table.bill_left = terms.size(table.bill)
        table.agenda.push(GAIN, seat, about(1))
    if table.bill in (STRAIGHT, STRAIGHT_FLUSH_SHAPE):
        table.bill_hearts = terms.hearts
    table.agenda.push(LAY, seat)
    if table.listening:
        tell_bill(table, seat, first, second)


def tell_bill(table: LawTable, seat: i64, first: i64, second: i64) -> None:
    """Say what kind of Bill is proposed."""
    facts: dict[str, Any] = {"shape": SHAPE_NAMES[table.bill]}
    if table.bill == KIND:
        facts["of"] = RANK_SIGNS[first]
    elif table.bill == FLUSH:
        facts["of"] = SUIT_NAMES[first]
    else:
        facts["of"] = RANK_SIGNS[rank_at(first)]
    if table.bill == STRAIGHT_FLUSH_SHAPE:
        facts["suit"] = SUIT_NAMES[second]
    table.tell("billed", seat, facts)


def forget_bill(table: LawTable) -> None:
    """No Bill is being laid any more."""
    table.bill = NO_BILL
    table.bill_place = table.bill_suit = table.bill_left = table.bill_hearts = 0


def lay(table: LawTable, seat: i64, card: i64) -> None:
    """The next card of the Bill goes to the trash."""
    table.hands[seat] = table.hands[seat] & ~bit(card)
    table.throw_away(bit(card))
    table.bill_left -= 1
    if table.bill in (STRAIGHT, STRAIGHT_FLUSH_SHAPE):
        table.bill_place += 1
        if table.bill_hearts > 0 and table.terms[seat].heart_cards() & bit(card) != 0:
            table.bill_hearts -= 1
    if table.listening:
        table.tell_cards("laid", seat, bit(card))


def fitting_cards(table: LawTable, terms: Terms) -> i64:
    """The cards that can lie somewhere in the Bill that is being laid."""
    if table.bill == KIND:
        return RANK_CARDS[table.bill_place] | terms.wild_ranks
    if table.bill == STRAIGHT:
        return DECK
    return terms.suit_cards(table.bill_suit)


def next_cards(table: LawTable, seat: i64) -> i64:
    """The cards of which one can be laid next."""
    terms = table.terms[seat]
    hand = table.hands[seat] & fitting_cards(table, terms)
    return hand if table.bill in (KIND, FLUSH) else steps(table, terms, hand)


def steps(table: LawTable, terms: Terms, hand: i64) -> i64:
    """The cards that can lie in the next place of a straight, so that the rest can be laid too."""
    found: i64 = 0
    for card in members(hand & (RANK_CARDS[rank_at(table.bill_place)] | terms.wild_ranks)):
        hearts: i64 = 1 if terms.heart_cards() & bit(card) != 0 else 0
        rest = most_hearts(hand ^ bit(card), terms, table.bill_place + 1, table.bill_left - 1)
        if rest >= 0 and rest + hearts >= table.bill_hearts:
            found |= bit(card)
    return found


def is_forced(table: LawTable, seat: i64) -> bool:
    """Is there only one way to lay the next card?"""
    cards = next_cards(table, seat)
    if table.bill in (KIND, FLUSH):
        return count(cards) == table.bill_left
    return count(cards) == 1


def lay_forced(table: LawTable, seat: i64) -> None:
    """Lay what cannot be laid otherwise."""
    for card in members(next_cards(table, seat)):
        lay(table, seat, card)


def layings(table: LawTable, seat: i64) -> list[i64]:
    """The actions that lay the next card."""
    return [action(LAY_ONE, card) for card in members(next_cards(table, seat))]
