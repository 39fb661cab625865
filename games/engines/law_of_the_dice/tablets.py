"""The law tablets: what may go into a player's slots, cards and numbers, and putting it there."""

from __future__ import annotations

from librt.vecs import append
from mypy_extensions import i64

from games.engines.common.french import code
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.table import HIGHEST, NO_CARD, SLOTS, DiceTable
from games.engines.law_of_the_dice.tasks import (
    NUMBER,
    SHIFT,
    SHIFT_NUMBER,
    SWAP,
    SWAP_NUMBERS,
    action,
    first_of,
    second_of,
)

# -- what may go where ---------------------------------------------------------------------------


def slot_of(table: DiceTable, seat: i64, number: i64) -> i64:
    """The slot in which `seat` has `number`, or -1."""
    for slot in range(SLOTS):
        if table.numbers[seat * SLOTS + slot] == number:
            return slot
    return -1


def is_free(table: DiceTable, seat: i64, slot: i64, number: i64) -> bool:
    """May `seat` put `number` there, since it exists and no other slot of theirs has it?"""
    if number < 1 or number > HIGHEST:
        return False
    holder = slot_of(table, seat, number)
    return holder < 0 or holder == slot


def may_enact(table: DiceTable, seat: i64, slot: i64) -> bool:
    """Can a law be put into the slot: has it a number, or is the 20 free to become it?"""
    return table.numbers[seat * SLOTS + slot] != 0 or slot_of(table, seat, HIGHEST) < 0


def nearest(table: DiceTable, seat: i64, slot: i64, number: i64) -> i64:
    """How far from `number` the nearest one is that is free for the slot."""
    distance: i64 = 0
    while not (
        is_free(table, seat, slot, number - distance)
        or is_free(table, seat, slot, number + distance)
    ):
        distance += 1
    return distance


def put_number(table: DiceTable, seat: i64, slot: i64, die: i64, upwards: bool) -> i64:
    """The number that a die puts on the slot: its highest, or the nearest free one on one side;
    0 if the other side is nearer, or if this would only repeat it."""
    distance = nearest(table, seat, slot, die)
    if upwards and distance == 0:
        return 0
    number = die + distance if upwards else die - distance
    return number if is_free(table, seat, slot, number) else 0


def number_actions(table: DiceTable, seat: i64, card: i64, found: list[i64]) -> None:
    """Add to `found` the ways to spend a dice card on a number."""
    for slot in range(SLOTS):
        for upwards in range(2):
            number = put_number(table, seat, slot, die_of(card), upwards == 1)
            if number != 0:
                found.append(action(NUMBER, card, slot, number - 1))


# -- the two actions of a turn that change a tablet ----------------------------------------------


def enact(table: DiceTable, seat: i64, card: i64, slot: i64) -> None:
    """Put a card into a slot; the old one goes, the number stays, a first number is 20."""
    law = seat * SLOTS + slot
    old = table.laws[law]
    table.lay_open(seat, card)
    table.laws[law] = card
    if old != NO_CARD:
        table.discards = append(table.discards, old)
    if table.numbers[law] == 0:
        table.numbers[law] = HIGHEST
    if table.listening:
        facts = {"card": code(card), "slot": int(slot + 1), "number": int(table.numbers[law])}
        table.tell("enacted", seat, facts | {"old": None if old == NO_CARD else code(old)})


def spend(table: DiceTable, seat: i64, card: i64, slot: i64, number: i64) -> None:
    """Spend a dice card to give a slot a number."""
    table.discard(seat, card)
    table.numbers[seat * SLOTS + slot] = number
    if table.listening:
        facts = {"card": code(card), "slot": int(slot + 1), "number": int(number)}
        table.tell("numbered", seat, facts)


# -- threes and fives ----------------------------------------------------------------------------


def shifts(table: DiceTable, seat: i64) -> list[i64]:
    """The ways to raise or lower one of the seat's numbers by 1."""
    found: list[i64] = []
    for slot in range(SLOTS):
        number = table.numbers[seat * SLOTS + slot]
        if number == 0:
            continue
        if is_free(table, seat, slot, number - 1):
            found.append(action(SHIFT_NUMBER, slot, number - 2))
        if is_free(table, seat, slot, number + 1):
            found.append(action(SHIFT_NUMBER, slot, number))
    return found


def choose_shift(table: DiceTable, seat: i64) -> None:
    """A three: ask which, unless there is nothing to choose."""
    found = shifts(table, seat)
    if len(found) > 1:
        table.agenda.push(SHIFT, seat)
    elif len(found) == 1:
        shift(table, seat, found[0])
    else:
        table.fizzle(seat)  # R8


def shift(table: DiceTable, seat: i64, chosen: i64) -> None:
    """Raise or lower a number."""
    slot = first_of(chosen)
    number = second_of(chosen) + 1
    table.numbers[seat * SLOTS + slot] = number
    if table.listening:
        table.tell("shifted", seat, {"slot": int(slot + 1), "number": int(number)})


def swaps(table: DiceTable, seat: i64) -> list[i64]:
    """The pairs of the seat's slots of which one at least has a number."""
    found: list[i64] = []
    for slot in range(SLOTS):
        for other in range(slot + 1, SLOTS):
            if table.numbers[seat * SLOTS + slot] + table.numbers[seat * SLOTS + other] != 0:
                found.append(action(SWAP_NUMBERS, slot, other))
    return found


def choose_swap(table: DiceTable, seat: i64) -> None:
    """A five: ask which; even a single number can go to two places."""
    if len(swaps(table, seat)) > 0:
        table.agenda.push(SWAP, seat)
    else:
        table.fizzle(seat)  # R10


def swap(table: DiceTable, seat: i64, chosen: i64) -> None:
    """Swap two numbers; the law cards stay."""
    slot, other = first_of(chosen), second_of(chosen)
    law, other_law = seat * SLOTS + slot, seat * SLOTS + other
    number = table.numbers[law]
    table.numbers[law] = table.numbers[other_law]
    table.numbers[other_law] = number
    if table.listening:
        table.tell("swapped_numbers", seat, {"slot": int(slot + 1), "other": int(other + 1)})
