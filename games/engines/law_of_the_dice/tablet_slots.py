"""The slots of law tablets, in front of each player for laws and their numbers: which cards and
numbers may go there, and placing, shifting and swapping them."""

from __future__ import annotations

from librt.vecs import append
from mypy_extensions import i64

from games.engines.common.playing_cards import card_code
from games.engines.law_of_the_dice.action_numbers import (
    PUT_NUMBER,
    SHIFT_NUMBER,
    SWAP_NUMBERS,
    TASK_SHIFT,
    TASK_SWAP,
    encode_action,
    first_field,
    second_field,
)
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.table_state import MAX_NUMBER, NO_CARD, SLOT_COUNT, DiceTable

# -- legal cards and numbers ---------------------------------------------------------------------


def slot_of(table: DiceTable, seat: i64, number: i64) -> i64:
    """The slot on which `seat` has `number`, or -1."""
    for slot in range(SLOT_COUNT):
        if table.numbers[seat * SLOT_COUNT + slot] == number:
            return slot
    return -1


def is_number_free(table: DiceTable, seat: i64, slot: i64, number: i64) -> bool:
    """Whether `number` is in range and on no other slot of `seat`."""
    if number < 1 or number > MAX_NUMBER:
        return False
    holder = slot_of(table, seat, number)
    return holder < 0 or holder == slot


def can_enact(table: DiceTable, seat: i64, slot: i64) -> bool:
    """Whether a law can go into the slot: it has a number, or the seat's 20 is free."""
    return table.numbers[seat * SLOT_COUNT + slot] != 0 or slot_of(table, seat, MAX_NUMBER) < 0


def distance_to_free(table: DiceTable, seat: i64, slot: i64, number: i64) -> i64:
    """The distance from `number` to the nearest number that is free for the slot."""
    distance: i64 = 0
    while not (
        is_number_free(table, seat, slot, number - distance)
        or is_number_free(table, seat, slot, number + distance)
    ):
        distance += 1
    return distance


def number_from_die(table: DiceTable, seat: i64, slot: i64, die: i64, upwards: bool) -> i64:
    """The number that a die puts on the slot: its highest, or the nearest free one on one side;
    0 if the other side is nearer, or upwards if the highest itself is free."""
    distance = distance_to_free(table, seat, slot, die)
    if upwards and distance == 0:
        return 0
    number = die + distance if upwards else die - distance
    return number if is_number_free(table, seat, slot, number) else 0


def add_number_actions(table: DiceTable, seat: i64, card: i64, found: list[i64]) -> None:
    """Add to `found` the ways to spend a dice card on a number."""
    for slot in range(SLOT_COUNT):
        for upwards in range(2):
            number = number_from_die(table, seat, slot, die_of(card), upwards == 1)
            if number != 0:
                found.append(encode_action(PUT_NUMBER, card, slot, number - 1))


# -- the two actions of a turn that change a tablet ----------------------------------------------


def enact_law(table: DiceTable, seat: i64, card: i64, slot: i64) -> None:
    """Put a card into a slot: the old card is discarded, the number stays, a first number is 20."""
    law = seat * SLOT_COUNT + slot
    old = table.laws[law]
    table.lay_open(seat, card)
    table.laws[law] = card
    if old != NO_CARD:
        table.discards = append(table.discards, old)
    if table.numbers[law] == 0:
        table.numbers[law] = MAX_NUMBER
    if table.is_recording_news:
        facts = {"card": card_code(card), "slot": int(slot + 1), "number": int(table.numbers[law])}
        table.add_news("enacted", seat, facts | {"old": None if old == NO_CARD else card_code(old)})


def put_number_on_slot(table: DiceTable, seat: i64, card: i64, slot: i64, number: i64) -> None:
    """Spend a dice card to give a slot a number."""
    table.discard_from_hand(seat, card)
    table.numbers[seat * SLOT_COUNT + slot] = number
    if table.is_recording_news:
        facts = {"card": card_code(card), "slot": int(slot + 1), "number": int(number)}
        table.add_news("numbered", seat, facts)


# -- threes and fives ----------------------------------------------------------------------------


def shift_actions(table: DiceTable, seat: i64) -> list[i64]:
    """The ways to raise or lower one of the seat's numbers by 1."""
    found: list[i64] = []
    for slot in range(SLOT_COUNT):
        number = table.numbers[seat * SLOT_COUNT + slot]
        if number == 0:
            continue
        if is_number_free(table, seat, slot, number - 1):
            found.append(encode_action(SHIFT_NUMBER, slot, number - 2))
        if is_number_free(table, seat, slot, number + 1):
            found.append(encode_action(SHIFT_NUMBER, slot, number))
    return found


def choose_shift(table: DiceTable, seat: i64) -> None:
    """A three: ask which number to change, unless there is at most one way."""
    found = shift_actions(table, seat)
    if len(found) > 1:
        table.agenda.push(TASK_SHIFT, seat)
    elif len(found) == 1:
        shift_number(table, seat, found[0])
    else:
        table.add_fizzle_news(seat)  # R8


def shift_number(table: DiceTable, seat: i64, chosen: i64) -> None:
    """Raise or lower a number."""
    slot = first_field(chosen)
    number = second_field(chosen) + 1
    table.numbers[seat * SLOT_COUNT + slot] = number
    if table.is_recording_news:
        table.add_news("shifted", seat, {"slot": int(slot + 1), "number": int(number)})


def swap_actions(table: DiceTable, seat: i64) -> list[i64]:
    """The pairs of the seat's slots of which at least one has a number."""
    found: list[i64] = []
    for slot in range(SLOT_COUNT):
        for other in range(slot + 1, SLOT_COUNT):
            if (
                table.numbers[seat * SLOT_COUNT + slot] + table.numbers[seat * SLOT_COUNT + other]
                != 0
            ):
                found.append(encode_action(SWAP_NUMBERS, slot, other))
    return found


def choose_swap(table: DiceTable, seat: i64) -> None:
    """A five: ask which slots to swap; even a single number can go to two slots."""
    if len(swap_actions(table, seat)) > 0:
        table.agenda.push(TASK_SWAP, seat)
    else:
        table.add_fizzle_news(seat)  # R10


def swap_numbers(table: DiceTable, seat: i64, chosen: i64) -> None:
    """Swap two numbers; the law cards stay."""
    slot, other = first_field(chosen), second_field(chosen)
    law, other_law = seat * SLOT_COUNT + slot, seat * SLOT_COUNT + other
    number = table.numbers[law]
    table.numbers[law] = table.numbers[other_law]
    table.numbers[other_law] = number
    if table.is_recording_news:
        table.add_news("swapped_numbers", seat, {"slot": int(slot + 1), "other": int(other + 1)})
