"""Detection of repeated positions. A played card stays, so only the decisions since the last new
card can lead back to a position; they are stored and undone one by one."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.bits import bit
from games.engines.duality.board import Board
from games.engines.duality.cards import card_of

PASS_RECORD: Final[i64] = -1  # a decision to pass
# decisions until a position can recur: each seat swaps, and swaps back
SHORTEST_CYCLE: Final[i64] = 4


def encode_swap(seat: i64, place: i64, laid: i64, taken: i64) -> i64:
    """A replacement as a number."""
    return laid | (taken << 8) | (place << 16) | (seat << 32)


def laid_tile(swapped: i64) -> i64:
    """The tile that was laid."""
    return swapped & 0xFF


def taken_tile(swapped: i64) -> i64:
    """The tile that was taken away."""
    return (swapped >> 8) & 0xFF


def place_of_swap(swapped: i64) -> i64:
    """The place of the swap."""
    return (swapped >> 16) & 0xFFFF


def seat_of_swap(swapped: i64) -> i64:
    """The seat that swapped."""
    return swapped >> 32


def count_occurrences(board: Board, history: vec[i64]) -> i64:
    """How often the position has occurred, including now: the same cards lie and are held in the
    same way, and the same seat is on turn. Swapped cards are public, and so is this count."""
    found: i64 = 1
    if len(history) < SHORTEST_CYCLE:
        return found
    past = board.clone()
    differing: i64 = 0  # places where the tile differed from now
    swapped_cards = vec[i64]([0, 0])  # by seat: the cards held then or now, but not both
    for back in range(1, len(history) + 1):
        ply = history[len(history) - back]
        if ply != PASS_RECORD:
            place, seat = place_of_swap(ply), seat_of_swap(ply)
            differing -= 1 if past.tile(place) != board.tile(place) else 0
            past.lay(place, taken_tile(ply))
            differing += 1 if past.tile(place) != board.tile(place) else 0
            cards = bit(card_of(laid_tile(ply))) ^ bit(card_of(taken_tile(ply)))
            swapped_cards[seat] = swapped_cards[seat] ^ cards
        same_seat = back % 2 == 0
        if same_seat and differing == 0 and swapped_cards[0] == 0 and swapped_cards[1] == 0:
            found += 1
    return found
