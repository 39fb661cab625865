"""Determinization: a re-deal of the cards that a seat has not seen, based only on the seat's own
knowledge."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.agenda import kind_of, seat_of
from tabularium_engines.common.bits import bit, count, has, nth
from tabularium_engines.law.bill_combinations import NO_BILL, BillBeingLaid
from tabularium_engines.law.card_knowledge import forget, unplaced_in_pile
from tabularium_engines.law.pending_choices import is_sealed, offered_cards
from tabularium_engines.law.rule_parameters import RuleParameters
from tabularium_engines.law.table_state import LawTable


def redeal(state: LawTable, seat: i64, rng: Rng) -> None:
    """Re-deal at random the cards that `seat` (-1: an onlooker) cannot know."""
    viewer = seat if seat >= 0 else state.seats
    own: i64 = state.hands[seat] if seat >= 0 else 0
    sure = own | state.known_cards[viewer]
    unplaced = unplaced_in_pile(state, viewer)
    pool = state.deck & ~(state.open_cards() | sure | unplaced)
    bidder = seat_of_bill(state)
    for step in range(state.seats):  # a seat laying a Bill comes first: it needs certain cards
        other = (bidder + step) % state.seats
        if other != seat:
            pool = redeal_hand(state, other, sure, pool, rng)
    if unplaced == 0:
        pool = redeal_row(state.piles.stack, sure, pool, rng)
    for cards in state.piles.discarded:
        pool = redeal_row(cards, sure, pool, rng)
    if unplaced != 0:  # the pool is now the rest of the draw pile, where each card may be on top
        pool = redeal_row(state.piles.stack, sure, pool | unplaced, rng)
    state.piles.rest = (state.piles.rest & sure & ~unplaced) | pool
    for other in range(state.seats + 1):
        if other != viewer:
            forget(state, other, state.deck)  # the viewer does not know what others know
    place_in_pile(state, viewer, unplaced)
    redo_sealed_choices(state, seat, rng)


def place_in_pile(state: LawTable, viewer: i64, unplaced: i64) -> None:
    """Record which of the cards that a viewer cannot place in the draw pile are now below the
    stack."""
    below = unplaced & state.piles.rest
    state.known_cards[viewer] = (state.known_cards[viewer] & ~unplaced) | below
    state.unplaced_cards[viewer] = unplaced & ~below


def redeal_hand(state: LawTable, seat: i64, sure: i64, pool: i64, rng: Rng) -> i64:
    """Give a seat the cards it surely has and others from the pool; return the rest of the pool."""
    hand = state.hands[seat] & sure
    if state.bill.shape != NO_BILL and seat == seat_of_bill(state):
        drawn = cards_for_bill(state, seat, hand, pool, rng)
        pool ^= drawn
        hand |= drawn
    drawn = random_cards(pool, count(state.hands[seat]) - count(hand), rng)
    state.hands[seat] = hand | drawn
    return pool ^ drawn


def random_cards(pool: i64, number: i64, rng: Rng) -> i64:
    """This number of random cards from a pool."""
    left = pool
    for _ in range(number):
        left ^= bit(nth(left, rng.below(count(left))))
    return pool ^ left


def seat_of_bill(state: LawTable) -> i64:
    """The seat that is laying a Bill; 0 if there is none."""
    return 0 if state.bill.shape == NO_BILL else seat_of(state.agenda.top())


def cards_for_bill(state: LawTable, seat: i64, hand: i64, pool: i64, rng: Rng) -> i64:
    """Cards from the pool with which a hand can finish its Bill, as is publicly known."""
    terms = state.parameters[seat]
    fitting = state.bill.fitting_cards(terms)
    if not state.bill.is_straight():
        return random_cards(pool & fitting, state.bill.cards - count(hand & fitting), rng)
    unknown = count(state.hands[seat]) - count(hand)
    return max(
        0, cards_for_straight(terms, state.bill, hand & fitting, pool & fitting, unknown, rng)
    )


def cards_for_straight(
    terms: RuleParameters, bill: BillBeingLaid, hand: i64, pool: i64, most: i64, rng: Rng
) -> i64:
    """Random cards with which a hand can finish a straight, at most this many, and only where no
    card of the hand fits; -1 if there are none."""
    if bill.cards == 0:
        return 0 if bill.hearts == 0 else -1
    untried = (hand | pool if most > 0 else hand) & bill.next_places(terms)
    while untried != 0:
        known = untried & hand
        among = untried if known == 0 else known
        card = nth(among, rng.below(count(among)))
        untried ^= bit(card)
        drawn = pool & bit(card)
        after, left = bill.after(card, terms), most - count(drawn)
        rest = cards_for_straight(terms, after, hand & ~bit(card), pool ^ drawn, left, rng)
        if rest >= 0:
            return rest | drawn
    return -1


def redeal_row(cards: vec[i64], sure: i64, pool: i64, rng: Rng) -> i64:
    """Replace, in place, the cards that the viewer does not know; return the rest of the pool."""
    for index in range(len(cards)):
        if not has(sure, cards[index]):
            cards[index] = nth(pool, rng.below(count(pool)))
            pool ^= bit(cards[index])
    return pool


def redo_sealed_choices(state: LawTable, seat: i64, rng: Rng) -> None:
    """Replace the sealed choices of other seats by random ones."""
    if len(state.agenda.tasks) == 0:
        return
    kind = kind_of(state.agenda.top())
    for other in range(state.seats):
        size = count(state.chosen[other])
        if other != seat and size > 0 and is_sealed(kind):
            state.chosen[other] = random_cards(offered_cards(state, other, kind), size, rng)
