"""The cards of Law: sets of cards of the French deck, and the order of ranks in straights."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import members
from tabularium_engines.common.playing_cards import CARD_CODES, RANK_COUNT

# positions in a straight: the ace counts both below the two and above the king
STRAIGHT_PLACE_COUNT: Final[i64] = 14

_TWOS: Final[i64] = 0x8004002001  # the twos of all suits; each following rank is one bit higher
# The four cards of each rank.
RANK_CARDS: Final[vec[i64]] = vec[i64]([_TWOS * 2**rank for rank in range(RANK_COUNT)])
FIVES: Final[i64] = _TWOS * 8
THREES_AND_FOURS: Final[i64] = _TWOS * 6
INTRODUCTORY_DECK: Final[i64] = _TWOS * 0x1FF  # two to ten


def rank_at(place: i64) -> i64:
    """The rank at a position of a straight: the ace is both the first and the last."""
    return (place + RANK_COUNT - 1) % RANK_COUNT


def is_next_rank(rank: i64, other: i64) -> bool:
    """Whether `rank` follows `other`: the ace follows the king, and the two follows the ace."""
    return rank == (other + 1) % RANK_COUNT


def card_codes(cards: i64) -> list[str]:
    """The codes of a set of cards."""
    return [CARD_CODES[card] for card in members(cards)]
