"""The powers of the cards from two to eight: their effects when played, or when triggered as
laws."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, lowest
from games.engines.common.playing_cards import (
    EIGHT,
    FIVE,
    FOUR,
    SEVEN,
    SIX,
    THREE,
    TWO,
    card_code,
    rank_of,
)
from games.engines.law_of_the_dice.action_numbers import TASK_DISCARD, TASK_GIVE, TASK_TARGET
from games.engines.law_of_the_dice.table_state import DiceTable
from games.engines.law_of_the_dice.tablet_slots import choose_shift, choose_swap


def use_power(table: DiceTable, seat: i64, card: i64, is_played: bool, rng: Rng) -> None:
    """Use the power of a card for `seat`: played from the hand, or fired as a law."""
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
    """A two: draw two cards; the draw stops at an empty pile."""
    if table.draw_card(seat, rng):
        table.draw_card(seat, rng)


def choose_target(table: DiceTable, seat: i64, rank: i64, rng: Rng) -> None:
    """A four, six or eight: ask for the target unless there is at most one."""
    seats = table.seats_with_cards(seat)
    if seats == 0 or (rank == EIGHT and table.hands[seat] == 0):
        table.add_fizzle_news(seat)  # R13, R14
    elif count(seats) == 1:
        apply_power_to(table, seat, rank, lowest(seats), rng)
    else:
        table.agenda.push(TASK_TARGET, seat, rank)


def apply_power_to(table: DiceTable, seat: i64, rank: i64, target: i64, rng: Rng) -> None:
    """Apply a power to its target, which has at least one card."""
    if rank == FOUR:
        steal_card(table, seat, target, rng)
    elif rank == SIX:
        choose_discard(table, target)
    else:
        choose_gift(table, seat, target, rng)


def steal_card(table: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """A four: steal a random card."""
    card = table.pick_random(table.hands[target], rng)
    table.lose_sight(target, seat)
    table.hand_over(target, seat, card)
    if table.is_recording_news:
        secret = {"card": card_code(card)}
        table.add_news("stole", seat, {"from": int(target)}, secret, bit(seat) | bit(target))


def choose_discard(table: DiceTable, target: i64) -> None:
    """A six: the target chooses a card to discard, if there is a choice."""
    if count(table.hands[target]) > 1:
        table.agenda.push(TASK_DISCARD, target)
    else:
        discard_card(table, target, lowest(table.hands[target]))


def discard_card(table: DiceTable, seat: i64, card: i64) -> None:
    """Discard a card because of a six."""
    table.discard_from_hand(seat, card)
    if table.is_recording_news:
        table.add_news("discarded", seat, {"card": card_code(card)})


def choose_gift(table: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """An eight: choose a card to give, if there is a choice."""
    if count(table.hands[seat]) > 1:
        table.agenda.push(TASK_GIVE, seat, target)
    else:
        exchange_cards(table, seat, target, lowest(table.hands[seat]), rng)


def exchange_cards(table: DiceTable, seat: i64, target: i64, given: i64, rng: Rng) -> None:
    """Give a card and take a random one of those the target held before."""
    taken = table.pick_random(table.hands[target], rng)  # R13: drawn before the gift arrives
    table.lose_sight(target, seat)
    table.lose_sight(seat, target)
    table.hand_over(target, seat, taken)
    table.hand_over(seat, target, given)
    if table.is_recording_news:
        secret = {"gave": card_code(given), "got": card_code(taken)}
        table.add_news("swapped", seat, {"with": int(target)}, secret, bit(seat) | bit(target))


def take_discard(table: DiceTable, seat: i64, is_played: bool) -> None:
    """A seven: take the top discard, but never the seven itself."""
    depth: i64 = 1 if is_played else 0  # R12
    if len(table.discards) <= depth:
        table.add_fizzle_news(seat)
        return
    card = table.take_from_discards(seat, depth)
    if table.is_recording_news:
        table.add_news("took_discard", seat, {"card": card_code(card)})
