"""Determinization: a re-deal of the cards that a seat has not seen, based only on the seat's own
knowledge."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, seat_of
from games.engines.common.bits import bit, count, has, nth
from games.engines.law.bill_combinations import fitting_cards
from games.engines.law.card_moves import LawTable
from games.engines.law.cards import RANK_CARDS, rank_at
from games.engines.law.rule_parameters import SHAPE_FLUSH, SHAPE_KIND, RuleParameters
from games.engines.law.simultaneous_choices import is_sealed, offered_cards
from games.engines.law.table_state import NO_BILL


def redeal(table: LawTable, seat: i64, rng: Rng) -> None:
    """Re-deal at random the cards that `seat` (-1: an onlooker) cannot know."""
    viewer = seat if seat >= 0 else table.seats
    own: i64 = table.hands[seat] if seat >= 0 else 0
    sure = own | table.known_cards[viewer]
    pool = table.deck & ~(table.open_cards() | sure)
    bidder = seat_of_bill(table)
    for step in range(table.seats):  # a seat laying a Bill comes first: it needs certain cards
        other = (bidder + step) % table.seats
        if other != seat:
            pool = redeal_hand(table, other, sure, pool, rng)
    pool = redeal_row(table.stack, sure, pool, rng)
    for cards in table.discards:
        pool = redeal_row(cards, sure, pool, rng)
    table.pile = (table.pile & sure) | pool
    for other in range(table.seats + 1):
        if other != viewer:
            table.known_cards[other] = 0  # the knowledge of others is unknown to the viewer
    redo_sealed_choices(table, seat, rng)


def redeal_hand(table: LawTable, seat: i64, sure: i64, pool: i64, rng: Rng) -> i64:
    """Give a seat the cards it surely has and others from the pool; return the rest of the pool."""
    hand = table.hands[seat] & sure
    if table.bill != NO_BILL and seat == seat_of_bill(table):
        drawn = cards_for_bill(table, seat, hand, pool, rng)
        pool ^= drawn
        hand |= drawn
    for _ in range(count(table.hands[seat]) - count(hand)):
        card = nth(pool, rng.below(count(pool)))
        pool ^= bit(card)
        hand |= bit(card)
    table.hands[seat] = hand
    return pool


def seat_of_bill(table: LawTable) -> i64:
    """The seat that is laying a Bill; 0 if there is none."""
    return 0 if table.bill == NO_BILL else seat_of(table.agenda.top())


def cards_for_bill(table: LawTable, seat: i64, hand: i64, pool: i64, rng: Rng) -> i64:
    """Cards from the pool with which a hand can finish its Bill, as is publicly known."""
    terms = table.parameters[seat]
    fitting = fitting_cards(table, terms)
    if table.bill in (SHAPE_KIND, SHAPE_FLUSH):
        drawn: i64 = 0
        for _ in range(table.bill_left - count(hand & fitting)):
            card = nth(pool & fitting & ~drawn, rng.below(count(pool & fitting & ~drawn)))
            drawn |= bit(card)
        return drawn
    unknown = count(table.hands[seat]) - count(hand)
    steps = StraightBuilder(terms, hand & fitting, pool & fitting, unknown)
    steps.fill(table.bill_place, table.bill_left, table.bill_hearts, rng)
    return steps.drawn


class StraightBuilder:
    """A straight built from known cards of the hand and, where none fits, from a pool."""

    def __init__(self, terms: RuleParameters, hand: i64, pool: i64, most: i64) -> None:
        self.terms = terms
        self.hand: i64 = hand
        self.pool: i64 = pool
        self.max_drawn: i64 = most  # cards from the pool
        self.drawn: i64 = 0

    def fill(self, place: i64, left: i64, hearts: i64, rng: Rng) -> bool:
        """Find a card for each position from this one on; whether that succeeds."""
        if left == 0:
            return hearts <= 0
        fitting = RANK_CARDS[rank_at(place)] | self.terms.wild_ranks
        if self.try_cards(self.hand & fitting, place, left, hearts, rng):
            return True
        if count(self.drawn) >= self.max_drawn:
            return False
        return self.try_cards(self.pool & fitting, place, left, hearts, rng)

    def try_cards(self, cards: i64, place: i64, left: i64, hearts: i64, rng: Rng) -> bool:
        """Try these cards in a random order; whether one of them fits."""
        while cards != 0:
            card = bit(nth(cards, rng.below(count(cards))))
            cards ^= card
            hand, pool, drawn = self.hand, self.pool, self.drawn
            self.drawn |= self.pool & card
            self.hand &= ~card
            self.pool &= ~card
            still: i64 = hearts - 1 if self.terms.heart_cards() & card != 0 else hearts
            if self.fill(place + 1, left - 1, still, rng):
                return True
            self.hand, self.pool, self.drawn = hand, pool, drawn
        return False


def redeal_row(cards: vec[i64], sure: i64, pool: i64, rng: Rng) -> i64:
    """Replace, in place, the cards that the viewer does not know; return the rest of the pool."""
    for index in range(len(cards)):
        if not has(sure, cards[index]):
            cards[index] = nth(pool, rng.below(count(pool)))
            pool ^= bit(cards[index])
    return pool


def redo_sealed_choices(table: LawTable, seat: i64, rng: Rng) -> None:
    """Replace the sealed choices of other seats by random ones."""
    if len(table.agenda.tasks) == 0:
        return
    kind = kind_of(table.agenda.top())
    for other in range(table.seats):
        size = count(table.chosen[other])
        if other != seat and size > 0 and is_sealed(kind):
            cards = offered_cards(table, other, kind)
            table.chosen[other] = 0
            for _ in range(size):
                card = nth(cards, rng.below(count(cards)))
                cards ^= bit(card)
                table.chosen[other] = table.chosen[other] | bit(card)
