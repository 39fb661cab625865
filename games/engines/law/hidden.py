"""Where could the cards be that a seat has not seen? A re-deal that knows what the seat knows, and
nothing else."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of
from games.engines.common.bits import bit, count, has, nth
from games.engines.law.sealed import is_sealed, offered
from games.engines.law.table import LawTable


def deal_again(table: LawTable, seat: i64, rng: Rng) -> None:
    """Put what `seat` (-1: an onlooker) cannot know where chance puts it."""
    viewer = seat if seat >= 0 else table.seats
    own: i64 = table.hands[seat] if seat >= 0 else 0
    sure = own | table.knows[viewer]
    pool = table.deck & ~(table.open_cards() | sure)
    for other in range(table.seats):
        if other != seat:
            pool = deal_hand(table, other, sure, pool, rng)
    pool = deal_row(table.stack, sure, pool, rng)
    for cards in table.discards:
        pool = deal_row(cards, sure, pool, rng)
    table.pile = (table.pile & sure) | pool
    for other in range(table.seats + 1):
        if other != viewer:
            table.knows[other] = 0  # what others are sure of is theirs to know
    choose_again(table, seat, rng)


def deal_hand(table: LawTable, seat: i64, sure: i64, pool: i64, rng: Rng) -> i64:
    """Give a seat the cards it surely has and others from the pool; what is left of that."""
    hand = table.hands[seat] & sure
    for _ in range(count(table.hands[seat]) - count(hand)):
        card = nth(pool, rng.below(count(pool)))
        pool ^= bit(card)
        hand |= bit(card)
    table.hands[seat] = hand
    return pool


def deal_row(cards: vec[i64], sure: i64, pool: i64, rng: Rng) -> i64:
    """Put cards from the pool, in place, where the viewer knows none; what is left of that."""
    for index in range(len(cards)):
        if not has(sure, cards[index]):
            cards[index] = nth(pool, rng.below(count(pool)))
            pool ^= bit(cards[index])
    return pool


def choose_again(table: LawTable, seat: i64, rng: Rng) -> None:
    """Sealed choices of others could be any."""
    if len(table.agenda.tasks) == 0:
        return
    kind = kind_of(table.agenda.top())
    for other in range(table.seats):
        size = count(table.chosen[other])
        if other != seat and size > 0 and is_sealed(kind):
            cards = offered(table, other, kind)
            table.chosen[other] = 0
            for _ in range(size):
                card = nth(cards, rng.below(count(cards)))
                cards ^= bit(card)
                table.chosen[other] = table.chosen[other] | bit(card)
