"""Bills as combinations of cards: those that a hand can make, and the cards that can be laid next.

A Bill is laid card by card. A straight goes from position to position (0 is the low ace, 13 the
high), and at each step the rest of the hand must be able to finish it.
"""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has, members
from games.engines.common.playing_cards import FULL_DECK, RANK_COUNT, RANK_SIGNS, SUIT_NAMES
from games.engines.law.action_numbers import (
    BILL_FLUSH,
    BILL_KIND,
    BILL_STRAIGHT,
    LAY_ONE,
    STRAIGHT_FLUSH,
    TASK_GAIN,
    TASK_LAY,
    encode_action,
    encode_subject,
)
from games.engines.law.card_moves import LawTable
from games.engines.law.cards import RANK_CARDS, STRAIGHT_PLACE_COUNT, rank_at
from games.engines.law.rule_parameters import (
    SHAPE_FLUSH,
    SHAPE_KIND,
    SHAPE_NAMES,
    SHAPE_STRAIGHT,
    SHAPE_STRAIGHT_FLUSH,
    RuleParameters,
)
from games.engines.law.table_state import NO_BILL


def bill_actions(hand: i64, terms: RuleParameters) -> list[i64]:
    """The actions that propose a Bill that the hand can pay."""
    found: list[i64] = []
    if not has(terms.banned, SHAPE_KIND):
        found += [
            encode_action(BILL_KIND, rank)
            for rank in range(RANK_COUNT)
            if has_kind(hand, terms, rank)
        ]
    if not has(terms.banned, SHAPE_STRAIGHT):
        places = straight_starts(hand, terms)
        found += [encode_action(BILL_STRAIGHT, place) for place in places]
    if not has(terms.banned, SHAPE_FLUSH):
        found += [
            encode_action(BILL_FLUSH, suit) for suit in range(4) if has_flush(hand, terms, suit)
        ]
    if terms.straight_flush_wins:
        add_straight_flush_actions(hand, terms, found)
    return found


def add_straight_flush_actions(hand: i64, terms: RuleParameters, found: list[i64]) -> None:
    """Add the actions that show a straight flush: neither bans nor the size of flushes apply."""
    for suit in range(4):  # R9
        if terms.is_first_of_same_suits(suit):
            for place in straight_starts(hand & terms.suit_cards(suit), terms):
                found.append(encode_action(STRAIGHT_FLUSH, place, suit))


def has_kind(hand: i64, terms: RuleParameters, rank: i64) -> bool:
    """Whether there are enough cards of a rank, at least one of them natural."""
    natural = hand & RANK_CARDS[rank]
    return natural != 0 and count(natural | (hand & terms.wild_ranks)) >= terms.bill_size(
        SHAPE_KIND
    )


def has_flush(hand: i64, terms: RuleParameters, suit: i64) -> bool:
    """Whether there are enough cards of a suit (the first of its class), at least one of them
    natural."""
    if not terms.is_first_of_same_suits(suit):
        return False
    natural = hand & terms.suits[suit]
    return natural != 0 and count(natural | (hand & terms.wild_suits)) >= terms.bill_size(
        SHAPE_FLUSH
    )


def straight_starts(hand: i64, terms: RuleParameters) -> list[i64]:
    """The positions at which a straight can begin."""
    return [place for place in range(RANK_COUNT) if has_straight(hand, terms, place)]


def has_straight(hand: i64, terms: RuleParameters, place: i64) -> bool:
    """Whether a straight can begin at this position."""
    size = terms.bill_size(SHAPE_STRAIGHT)
    if (
        place + size > STRAIGHT_PLACE_COUNT
        or (hand & RANK_CARDS[rank_at(place)]) | (hand & terms.wild_ranks) == 0
    ):
        return False
    return most_hearts(hand, terms, place, size) >= terms.hearts


def most_hearts(hand: i64, terms: RuleParameters, place: i64, left: i64) -> i64:
    """The most hearts in a straight of `left` cards from a position; -1: there is none."""
    wild = hand & terms.wild_ranks
    hearts = count(wild & terms.heart_cards())
    return most_hearts_from(
        hand & ~wild, terms.heart_cards(), place, left, hearts, count(wild) - hearts
    )


def most_hearts_from(
    natural: i64, heart_cards: i64, place: i64, left: i64, wild_hearts: i64, wild_others: i64
) -> i64:
    """The same, given the natural cards and the numbers of wild ones."""
    if left == 0:
        return 0
    following = place + 1
    here = natural & RANK_CARDS[rank_at(place)]
    if here & heart_cards != 0:  # no other card could be better
        rest = most_hearts_from(natural, heart_cards, following, left - 1, wild_hearts, wild_others)
        return rest + 1 if rest >= 0 else -1
    best: i64 = -1
    if here != 0:
        best = most_hearts_from(natural, heart_cards, following, left - 1, wild_hearts, wild_others)
    elif wild_others > 0:
        best = most_hearts_from(
            natural, heart_cards, following, left - 1, wild_hearts, wild_others - 1
        )
    if wild_hearts > 0:
        rest = most_hearts_from(
            natural, heart_cards, following, left - 1, wild_hearts - 1, wild_others
        )
        if rest >= 0 and rest + 1 > best:
            best = rest + 1
    return best


# -- laying one ---------------------------------------------------------------------------------


def propose_bill(table: LawTable, seat: i64, kind: i64, first: i64, second: i64) -> None:
    """Begin a Bill: its cards are laid next, and then a Law is collected or the game is won."""
    terms = table.parameters[seat]
    table.bill = kind - BILL_KIND
    if table.bill == SHAPE_FLUSH:
        table.bill_suit = first
    else:
        table.bill_place = first
        table.bill_suit = second
    if table.bill == SHAPE_STRAIGHT_FLUSH:
        table.bill_left = terms.bill_size(SHAPE_STRAIGHT)
    else:
        table.bill_left = terms.bill_size(table.bill)
        table.agenda.push(TASK_GAIN, seat, encode_subject(1))
    if table.bill in (SHAPE_STRAIGHT, SHAPE_STRAIGHT_FLUSH):
        table.bill_hearts = terms.hearts
    table.agenda.push(TASK_LAY, seat)
    if table.is_recording_news:
        add_bill_news(table, seat, first, second)


def add_bill_news(table: LawTable, seat: i64, first: i64, second: i64) -> None:
    """Add the news of the proposed Bill."""
    facts: dict[str, Any] = {"shape": SHAPE_NAMES[table.bill]}
    if table.bill == SHAPE_KIND:
        facts["of"] = RANK_SIGNS[first]
    elif table.bill == SHAPE_FLUSH:
        facts["of"] = SUIT_NAMES[first]
    else:
        facts["of"] = RANK_SIGNS[rank_at(first)]
    if table.bill == SHAPE_STRAIGHT_FLUSH:
        facts["suit"] = SUIT_NAMES[second]
    table.add_news("billed", seat, facts)


def forget_bill(table: LawTable) -> None:
    """Reset the state of the Bill being laid."""
    table.bill = NO_BILL
    table.bill_place = table.bill_suit = table.bill_left = table.bill_hearts = 0


def lay_card(table: LawTable, seat: i64, card: i64) -> None:
    """Move the next card of the Bill to the trash."""
    table.hands[seat] = table.hands[seat] & ~bit(card)
    table.throw_away(bit(card))
    table.bill_left -= 1
    if table.bill in (SHAPE_STRAIGHT, SHAPE_STRAIGHT_FLUSH):
        table.bill_place += 1
        if table.bill_hearts > 0 and table.parameters[seat].heart_cards() & bit(card) != 0:
            table.bill_hearts -= 1
    if table.is_recording_news:
        table.add_cards_news("laid", seat, bit(card))


def fitting_cards(table: LawTable, terms: RuleParameters) -> i64:
    """The cards that fit anywhere in the Bill being laid."""
    if table.bill == SHAPE_KIND:
        return RANK_CARDS[table.bill_place] | terms.wild_ranks
    if table.bill == SHAPE_STRAIGHT:
        return FULL_DECK
    return terms.suit_cards(table.bill_suit)


def next_cards(table: LawTable, seat: i64) -> i64:
    """The cards that can be laid next."""
    terms = table.parameters[seat]
    hand = table.hands[seat] & fitting_cards(table, terms)
    return (
        hand if table.bill in (SHAPE_KIND, SHAPE_FLUSH) else next_straight_cards(table, terms, hand)
    )


def next_straight_cards(table: LawTable, terms: RuleParameters, hand: i64) -> i64:
    """The cards that fit the next position of a straight and let the rest be finished."""
    found: i64 = 0
    for card in members(hand & (RANK_CARDS[rank_at(table.bill_place)] | terms.wild_ranks)):
        hearts: i64 = 1 if terms.heart_cards() & bit(card) != 0 else 0
        rest = most_hearts(hand ^ bit(card), terms, table.bill_place + 1, table.bill_left - 1)
        if rest >= 0 and rest + hearts >= table.bill_hearts:
            found |= bit(card)
    return found


def is_forced(table: LawTable, seat: i64) -> bool:
    """Whether there is only one way to lay the next card."""
    cards = next_cards(table, seat)
    if table.bill in (SHAPE_KIND, SHAPE_FLUSH):
        return count(cards) == table.bill_left
    return count(cards) == 1


def lay_forced(table: LawTable, seat: i64) -> None:
    """Lay the cards that leave no choice."""
    for card in members(next_cards(table, seat)):
        lay_card(table, seat, card)


def lay_actions(table: LawTable, seat: i64) -> list[i64]:
    """The actions that lay the next card."""
    return [encode_action(LAY_ONE, card) for card in members(next_cards(table, seat))]
