"""Playing cards: the French deck of 52, with suits and ranks. A card is suit * 13 + rank, so a suit
is thirteen adjacent bits."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

SPADES: Final[i64] = 0
HEARTS: Final[i64] = 1
DIAMONDS: Final[i64] = 2
CLUBS: Final[i64] = 3

TWO: Final[i64] = 0
THREE: Final[i64] = 1
FOUR: Final[i64] = 2
FIVE: Final[i64] = 3
SIX: Final[i64] = 4
SEVEN: Final[i64] = 5
EIGHT: Final[i64] = 6
NINE: Final[i64] = 7
TEN: Final[i64] = 8
JACK: Final[i64] = 9
QUEEN: Final[i64] = 10
KING: Final[i64] = 11
ACE: Final[i64] = 12

RANK_COUNT: Final[i64] = 13
CARD_COUNT: Final[i64] = 52
FULL_DECK: Final[i64] = 0xFFFFFFFFFFFFF  # all 52, as a mask
# The thirteen cards of each suit: a table, because compiled code shifts a literal in 32 bits.
SUIT_MASKS: Final[vec[i64]] = vec[i64]([0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39])

SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
SUIT_SIGNS: Final = "♠♥♦♣"
RANK_SIGNS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARD_CODES: Final = tuple(rank + suit for suit in "SHDC" for rank in RANK_SIGNS)
CARD_NUMBERS: Final = {code: number for number, code in enumerate(CARD_CODES)}


def rank_of(card: i64) -> i64:
    """The rank, TWO … ACE."""
    return card % RANK_COUNT


def suit_of(card: i64) -> i64:
    """The suit, SPADES … CLUBS."""
    return card // RANK_COUNT


def suit_mask(suit: i64) -> i64:
    """All thirteen cards of a suit."""
    return SUIT_MASKS[suit]


def card_code(card: i64) -> str:
    """The code of a card: "7S", "10H"."""
    return CARD_CODES[card]


def card_sign(card: i64) -> str:
    """A card as players read it: "7♠", "10♥"."""
    return RANK_SIGNS[rank_of(card)] + SUIT_SIGNS[suit_of(card)]
