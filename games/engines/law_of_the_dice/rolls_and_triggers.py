"""Dice rolls and triggers: playing a card, rolling a die, and the chain of laws that a roll
triggers."""

from __future__ import annotations

from librt.vecs import append, pop
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, has
from games.engines.common.playing_cards import card_code
from games.engines.law_of_the_dice.action_numbers import ROLL_DIE, TASK_CHAIN, TASK_ROLL
from games.engines.law_of_the_dice.card_powers import use_power
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.table_state import NO_CARD, SLOT_COUNT, DiceTable
from games.engines.law_of_the_dice.tablet_slots import slot_of


def play_card(table: DiceTable, seat: i64, card: i64, rng: Rng) -> None:
    """Play a card from the hand: a die starts a chain, a power takes effect."""
    table.discard_from_hand(seat, card)
    if table.is_recording_news:
        table.add_news("played", seat, {"card": card_code(card)})
    if die_of(card) == 0:
        use_power(table, seat, card, True, rng)
    else:
        table.agenda.push(TASK_CHAIN, seat)
        roll_die(table, seat, die_of(card), rng)


def roll_die(table: DiceTable, seat: i64, die: i64, rng: Rng) -> None:
    """Roll, and queue all laws with that number, clockwise from the roller."""
    number = rng.below(die) + 1
    table.rolled = append(table.rolled, (number << 16) | (die << 8) | seat)
    if table.is_recording_news:
        table.add_news("rolled", seat, {"die": int(die), "number": int(number)})
    for step in range(table.seats):
        owner = (seat + step) % table.seats
        slot = slot_of(table, owner, number)
        law = owner * SLOT_COUNT + slot
        # R18: at most once in a chain, however often its number is rolled.
        if slot >= 0 and table.laws[law] != NO_CARD and not has(table.fired, law):
            table.fired |= bit(law)
            table.queue = append(table.queue, law)


def answer_roll(table: DiceTable, seat: i64, kind: i64, die: i64, rng: Rng) -> None:
    """Apply the owner's decision on a triggered die."""
    if kind == ROLL_DIE:
        roll_die(table, seat, die, rng)
    elif table.is_recording_news:
        table.add_news("declined", seat, {})


def fire_next_law(table: DiceTable, rng: Rng) -> None:
    """Fire the first law in the queue; the chain ends when the queue is empty."""
    if len(table.queue) == 0:
        table.fired = 0
        return
    table.queue, law = pop(table.queue, 0)
    owner = law // SLOT_COUNT
    card = table.laws[law]
    table.agenda.push(TASK_CHAIN, owner)
    if table.is_recording_news:
        table.add_news(
            "triggered", owner, {"slot": int(law % SLOT_COUNT + 1), "card": card_code(card)}
        )
    if die_of(card) == 0:
        use_power(table, owner, card, False, rng)
    else:
        table.agenda.push(TASK_ROLL, owner, die_of(card))  # R17
