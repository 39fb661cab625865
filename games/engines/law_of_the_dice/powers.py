"""What the cards from two to eight do when they are played or their laws are triggered."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, lowest
from games.engines.common.french import EIGHT, FIVE, FOUR, SEVEN, SIX, THREE, TWO, code, rank_of
from games.engines.law_of_the_dice.table import DiceTable
from games.engines.law_of_the_dice.tablets import choose_shift, choose_swap
from games.engines.law_of_the_dice.tasks import DISCARD, GIVE, TARGET


def use_power(table: DiceTable, seat: i64, card: i64, is_played: bool, rng: Rng) -> None:
    """Do what the card says, for `seat`: played from the hand, or fired as a law."""
    rank = rank_of(card)
    if rank == TWO:
        draw_two(table, seat, rng)
    elif rank == THREE:
        choose_shift(table, seat)
    elif rank == FIVE:
        choose_swap(table, seat)
    elif rank == SEVEN:
        take_discard(table, seat, is_played)
    else:
        choose_target(table, seat, rank, rng)


def draw_two(table: DiceTable, seat: i64, rng: Rng) -> None:
    """A two, of which an empty pile may leave one or nothing."""
    if table.draw(seat, rng):
        table.draw(seat, rng)


def choose_target(table: DiceTable, seat: i64, rank: i64, rng: Rng) -> None:
    """A four, six or eight: ask at whom it aims, unless there is nothing to choose."""
    seats = table.with_cards(seat)
    if seats == 0 or (rank == EIGHT and table.hands[seat] == 0):
        table.fizzle(seat)  # R13, R14
    elif count(seats) == 1:
        strike(table, seat, rank, lowest(seats), rng)
    else:
        table.agenda.push(TARGET, seat, rank)


def strike(table: DiceTable, seat: i64, rank: i64, target: i64, rng: Rng) -> None:
    """The power reaches its target, who has a card at least."""
    if rank == FOUR:
        steal(table, seat, target, rng)
    elif rank == SIX:
        choose_discard(table, target)
    else:
        choose_gift(table, seat, target, rng)


def steal(table: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """A four: take a random card."""
    card = table.pick(table.hands[target], rng)
    table.lose_sight(target, seat)
    table.hand_over(target, seat, card)
    if table.listening:
        secret = {"card": code(card)}
        table.tell_secret("stole", seat, {"from": int(target)}, secret, bit(seat) | bit(target))


def choose_discard(table: DiceTable, target: i64) -> None:
    """A six: the target chooses what to give up, if there is a choice."""
    if count(table.hands[target]) > 1:
        table.agenda.push(DISCARD, target)
    else:
        give_up(table, target, lowest(table.hands[target]))


def give_up(table: DiceTable, seat: i64, card: i64) -> None:
    """Discard because a six says so."""
    table.discard(seat, card)
    if table.listening:
        table.tell("discarded", seat, {"card": code(card)})


def choose_gift(table: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """An eight: choose what to give, if there is a choice."""
    if count(table.hands[seat]) > 1:
        table.agenda.push(GIVE, seat, target)
    else:
        exchange(table, seat, target, lowest(table.hands[seat]), rng)


def exchange(table: DiceTable, seat: i64, target: i64, given: i64, rng: Rng) -> None:
    """Give a card and get a random one of those the target already had."""
    taken = table.pick(table.hands[target], rng)  # R13: drawn before the gift arrives
    table.lose_sight(target, seat)
    table.lose_sight(seat, target)
    table.hand_over(target, seat, taken)
    table.hand_over(seat, target, given)
    if table.listening:
        secret = {"gave": code(given), "got": code(taken)}
        table.tell_secret("swapped", seat, {"with": int(target)}, secret, bit(seat) | bit(target))


def take_discard(table: DiceTable, seat: i64, is_played: bool) -> None:
    """A seven: take the top discard, but never the seven itself."""
    depth: i64 = 1 if is_played else 0  # R12
    if len(table.discards) <= depth:
        table.fizzle(seat)
        return
    card = table.fetch(seat, depth)
    if table.listening:
        table.tell("took_discard", seat, {"card": code(card)})
