"""The law tablets, in front of each player with slots for laws and their numbers: which cards and
numbers may go there, and placing, shifting and swapping them."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, has
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.cards import die_of

SLOT_COUNT: Final[i64] = 3  # laws per player
MAX_NUMBER: Final[i64] = 20  # the highest number token
ALL_NUMBERS: Final[i64] = 0x1FFFFE  # the set of 1 … 20
NO_CARD: Final[i64] = -1


class Tablets:
    """The laws and numbers of all players, by seat * SLOT_COUNT + slot."""

    def __init__(self, laws: vec[i64], numbers: vec[i64]) -> None:
        self.laws = laws  # the card, or NO_CARD
        self.numbers = numbers  # 1 … 20, or 0

    def clone(self) -> Tablets:
        """An independent copy."""
        return Tablets(self.laws[:], self.numbers[:])

    def contents(self) -> list[Any]:
        """All slots as plain numbers."""
        return [list(self.laws), list(self.numbers)]

    def clear(self) -> None:
        """Remove all laws and numbers."""
        for law in range(len(self.laws)):
            self.laws[law] = NO_CARD
            self.numbers[law] = 0

    def law_cards(self, seat: i64) -> i64:
        """The set of cards in a player's laws."""
        cards: i64 = 0
        for law in range(seat * SLOT_COUNT, seat * SLOT_COUNT + SLOT_COUNT):
            if self.laws[law] != NO_CARD:
                cards |= bit(self.laws[law])
        return cards

    def number(self, seat: i64, slot: i64) -> i64:
        """The number of a slot, or 0."""
        return self.numbers[seat * SLOT_COUNT + slot]

    def is_empty(self, seat: i64, slot: i64) -> bool:
        """Whether a slot has neither a law nor a number."""
        law = seat * SLOT_COUNT + slot
        return self.laws[law] == NO_CARD and self.numbers[law] == 0

    def is_twin(self, seat: i64, slot: i64) -> bool:
        """Whether a slot is empty like one before it: it makes no difference which is used."""
        for other in range(slot):
            if self.is_empty(seat, other):
                return self.is_empty(seat, slot)
        return False

    def slot_of(self, seat: i64, number: i64) -> i64:
        """The slot on which `seat` has `number`, or -1."""
        for slot in range(SLOT_COUNT):
            if self.numbers[seat * SLOT_COUNT + slot] == number:
                return slot
        return -1

    def free_numbers(self, seat: i64, slot: i64) -> i64:
        """The set of numbers that are on no other slot of `seat`."""
        free = ALL_NUMBERS
        for other in range(SLOT_COUNT):
            if other != slot:
                free &= ~bit(self.numbers[seat * SLOT_COUNT + other])
        return free

    def can_enact(self, seat: i64, slot: i64) -> bool:
        """Whether a law can go into the slot: it has a number, or the seat's 20 is free."""
        return self.numbers[seat * SLOT_COUNT + slot] != 0 or self.slot_of(seat, MAX_NUMBER) < 0

    def number_from_die(self, seat: i64, slot: i64, die: i64, upwards: bool) -> i64:
        """The number that a die puts on the slot: its highest, or the nearest free one on one side;
        0 if the other side is nearer, or upwards if the highest itself is free."""
        free = self.free_numbers(seat, slot)
        distance: i64 = 0
        while not has(free, die - distance) and not has(free, die + distance):
            distance += 1
        if upwards and distance == 0:
            return 0
        number = die + distance if upwards else die - distance
        return number if has(free, number) else 0

    def add_number_actions(self, seat: i64, card: i64, found: list[i64]) -> None:
        """Add to `found` the ways to spend a dice card on a number."""
        for slot in range(SLOT_COUNT):
            for upwards in range(2):
                number = self.number_from_die(seat, slot, die_of(card), upwards == 1)
                if number != 0:
                    found.append(n.encode_action(n.PUT_NUMBER, card, slot, number - 1))

    def shift_actions(self, seat: i64) -> list[i64]:
        """The ways to raise or lower one of the seat's numbers by 1."""
        found: list[i64] = []
        for slot in range(SLOT_COUNT):
            number, free = self.numbers[seat * SLOT_COUNT + slot], self.free_numbers(seat, slot)
            for shifted in range(number - 1, number + 2, 2):
                if number != 0 and has(free, shifted):
                    found.append(n.encode_action(n.SHIFT_NUMBER, slot, shifted - 1))
        return found

    def swap_actions(self, seat: i64) -> list[i64]:
        """The pairs of the seat's slots of which at least one has a number."""
        first = seat * SLOT_COUNT
        found: list[i64] = []
        for slot in range(SLOT_COUNT):
            for other in range(slot + 1, SLOT_COUNT):
                if self.numbers[first + slot] + self.numbers[first + other] != 0:
                    found.append(n.encode_action(n.SWAP_NUMBERS, slot, other))
        return found


def empty_tablets(seats: i64) -> Tablets:
    """The tablets without laws and numbers."""
    places = seats * SLOT_COUNT
    return Tablets(vec[i64]([NO_CARD] * places), vec[i64]([0] * places))
