"""Changes of the tablets: laws enacted, and numbers put on slots, shifted and swapped."""

from __future__ import annotations

from typing import Any

from librt.vecs import append
from mypy_extensions import i64

from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.table_state import DiceTable
from tabularium_engines.law_of_the_dice.tablets import MAX_NUMBER, NO_CARD, SLOT_COUNT


def enact_law(state: DiceTable, seat: i64, card: i64, slot: i64) -> None:
    """Put a card into a slot: the old card is discarded, the number stays, a first number is 20."""
    deck = state.deck
    tablets = state.tablets
    law = seat * SLOT_COUNT + slot
    old = tablets.laws[law]
    deck.lay_open(seat, card)
    tablets.laws[law] = card
    if old != NO_CARD:
        deck.discard_pile = append(deck.discard_pile, old)
    if tablets.numbers[law] == 0:
        tablets.numbers[law] = MAX_NUMBER
    if state.is_recording_news:
        discarded: dict[str, Any] = {"old": None if old == NO_CARD else card_code(old)}
        facts = {"card": card_code(card), "slot": slot + 1, "number": tablets.numbers[law]}
        state.add_news("enacted", seat, facts | discarded)


def put_number_on_slot(state: DiceTable, seat: i64, card: i64, slot: i64, number: i64) -> None:
    """Spend a dice card to give a slot a number."""
    state.deck.discard(seat, card)
    state.tablets.numbers[seat * SLOT_COUNT + slot] = number
    if state.is_recording_news:
        facts = {"card": card_code(card), "slot": slot + 1, "number": number}
        state.add_news("numbered", seat, facts)


def choose_shift(state: DiceTable, seat: i64) -> None:
    """A three: ask which number to change, unless there is at most one way."""
    found = state.tablets.shift_actions(seat)
    if len(found) > 1:
        state.agenda.push(n.TASK_SHIFT, seat)
    elif len(found) == 1:
        shift_number(state, seat, found[0])
    else:
        state.add_plain_news("fizzled", seat)  # R8


def shift_number(state: DiceTable, seat: i64, chosen: i64) -> None:
    """Raise or lower a number."""
    slot, number = n.field(chosen, 1), n.field(chosen, 2) + 1
    state.tablets.numbers[seat * SLOT_COUNT + slot] = number
    if state.is_recording_news:
        state.add_news("shifted", seat, {"slot": int(slot + 1), "number": int(number)})


def choose_swap(state: DiceTable, seat: i64) -> None:
    """A five: ask which slots to swap; even a single number can go to two slots."""
    if len(state.tablets.swap_actions(seat)) > 0:
        state.agenda.push(n.TASK_SWAP, seat)
    else:
        state.add_plain_news("fizzled", seat)  # R10


def swap_numbers(state: DiceTable, seat: i64, chosen: i64) -> None:
    """Swap two numbers; the law cards stay."""
    slot, other, numbers = n.field(chosen, 1), n.field(chosen, 2), state.tablets.numbers
    law, other_law = seat * SLOT_COUNT + slot, seat * SLOT_COUNT + other
    number = numbers[law]
    numbers[law] = numbers[other_law]
    numbers[other_law] = number
    if state.is_recording_news:
        state.add_news("swapped_numbers", seat, {"slot": int(slot + 1), "other": int(other + 1)})
