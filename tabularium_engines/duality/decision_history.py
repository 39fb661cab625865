"""The history of decisions: their number, and those since the last new card, which are undone one
by one to count how often a position has occurred."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.common.state_fields import fields_of
from tabularium_engines.duality.board import Board
from tabularium_engines.duality.cards import card_of

PASS_RECORD: Final[i64] = -1  # a decision to pass
NO_PLACE: Final[i64] = -1
SHORTEST_CYCLE: Final[i64] = 4  # decisions: each seat swaps a card, and swaps it back


class DecisionHistory:
    """The decisions so far. A played card stays, so only those since then can lead back to a
    position."""

    def __init__(self, plies: i64, records: vec[i64], latest_place: i64) -> None:
        self.plies: i64 = plies  # decisions so far
        self.records: vec[i64] = records  # since the last new card: swaps and passes
        self.latest_place: i64 = latest_place  # where a card was laid last, or NO_PLACE

    def clone(self) -> DecisionHistory:
        """An independent copy."""
        return DecisionHistory(self.plies, self.records[:], self.latest_place)

    def contents(self) -> list[Any]:
        """The history as plain numbers."""
        return fields_of(self)

    def add_play(self, place: i64) -> None:
        """Add a new card, after which no earlier position can occur."""
        self.plies += 1
        self.records = vec[i64]()
        self.latest_place = place

    def add_swap(self, seat: i64, place: i64, laid: i64, taken: i64) -> None:
        """Add a replacement."""
        self.plies += 1
        self.records = append(self.records, laid | taken << 8 | place << 16 | seat << 32)
        self.latest_place = place

    def add_pass(self) -> None:
        """Add a pass."""
        self.plies += 1
        self.records = append(self.records, PASS_RECORD)

    def is_passed_twice(self) -> bool:
        """Whether the last two decisions were passes."""
        length = len(self.records)
        return length > 1 and self.records[length - 1] == self.records[length - 2] == PASS_RECORD

    def count_occurrences(self, board: Board) -> i64:
        """How often the position has occurred, including now: the same cards lie and are held in
        the same way, and the same seat is on turn. Swapped cards are public, and so is this."""
        found: i64 = 1
        records = self.records
        if len(records) < SHORTEST_CYCLE:
            return found
        past = board.clone()
        differing: i64 = 0  # places where the tile differed from now
        swapped_cards = vec[i64]([0, 0])  # by seat: the cards held then or now, but not both
        for back in range(1, len(records) + 1):
            record = records[len(records) - back]
            if record != PASS_RECORD:
                seat, place, laid, taken = decode_swap(record)
                differing -= 1 if past.tile(place) != board.tile(place) else 0
                past.lay(place, taken)
                differing += 1 if past.tile(place) != board.tile(place) else 0
                cards = bit(card_of(laid)) ^ bit(card_of(taken))
                swapped_cards[seat] = swapped_cards[seat] ^ cards
            same_seat = back % 2 == 0
            if same_seat and differing == 0 and swapped_cards[0] == 0 and swapped_cards[1] == 0:
                found += 1
        return found


def decode_swap(record: i64) -> tuple[i64, i64, i64, i64]:
    """The seat, the place, the tile laid and the tile taken of a replacement."""
    return record >> 32, record >> 16 & 0xFFFF, record & 0xFF, record >> 8 & 0xFF
