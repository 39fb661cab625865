"""The cards of the Rainbow Deck, version 1.16: twelve suits of thirteen cards, and six jokers, with
all that is printed on each of them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

REGULAR_COUNT: Final[i64] = 156  # lower numbers are cards in suits: suit * 13 + rank
JOKER_COUNT: Final[i64] = 6
CARD_COUNT: Final[i64] = 162
NO_CARD: Final[i64] = -1
NO_FEATURE: Final[i64] = -1  # a feature that a card does not have

COLOUR_NAMES: Final = (
    *("red", "pink", "orange", "yellow", "dark green", "light green"),
    *("dark blue", "light blue", "dark purple", "light purple", "black", "gray"),
)  # by suit
RANK_SIGNS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K")
POKER_SUITS: Final = ("spades", "hearts", "clubs", "diamonds")
POKER_SIGNS: Final = ("♠", "♥", "♣", "♦")
SHADE_NAMES: Final = ("dark", "light")
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# The letters of each suit, from 0 to king. (Published are the letters of each suit and how often
# each is in the deck; the cards follow from how they were printed. R2)
LETTERS_BY_SUIT: Final = (
    *("AAAAAAAAACDDD", "AAAABBCCCDDDD", "EEEEEEEEEEFFF", "EEEEEEEEEGGGH"),
    *("HHHHHHHHIIJKL", "IIIIIIIIILLLL", "LMMMMNNNNOOOO", "NNNNNNOOOOOOO"),
    *("PPPQRRRRRSSSS", "RRRRSSSSSSTTT", "TTTTTTTTTWWWX", "TTUUUUVVWYYYZ"),
)
VALUE_BY_LETTER: Final = (
    *(1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3),
    *(1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10),
)
POKER_BY_SUIT: Final = (0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)
JOKER_SHADES: Final = (0, 1, 1, 0, 0, 1)  # of the jokers with dice suits 1 to 6

_SUITS: Final = [suit for suit in range(12) for _ in range(13)]  # of the cards in suits
_RANKS: Final = [*range(13)] * 12
_JOKER_BLANKS: Final = [NO_FEATURE] * 6  # the features that jokers lack
_LETTERS: Final = [ALPHABET.index(letter) for letter in "".join(LETTERS_BY_SUIT)]

# By card; jokers have a die and a shade, and nothing else.
SUIT_BY_CARD: Final[vec[i64]] = vec[i64](_SUITS + _JOKER_BLANKS)
RANK_BY_CARD: Final[vec[i64]] = vec[i64](_RANKS + _JOKER_BLANKS)  # 10, 11, 12: J, Q, K
# a suit and a rank, read as one; face cards have none
NUMBER_BY_CARD: Final[vec[i64]] = vec[i64](
    [at // 13 * 10 + at % 13 if at % 13 < 10 else NO_FEATURE for at in range(156)] + _JOKER_BLANKS
)
LETTER_BY_CARD: Final[vec[i64]] = vec[i64](_LETTERS + _JOKER_BLANKS)
LETTER_VALUE_BY_CARD: Final[vec[i64]] = vec[i64](
    [VALUE_BY_LETTER[letter] for letter in _LETTERS] + _JOKER_BLANKS
)
DIE_BY_CARD: Final[vec[i64]] = vec[i64]([suit // 2 + 1 for suit in _SUITS] + [*range(1, 7)])
SHADE_BY_CARD: Final[vec[i64]] = vec[i64]([suit % 2 for suit in _SUITS] + list(JOKER_SHADES))
POKER_SUIT_BY_CARD: Final[vec[i64]] = vec[i64](
    [POKER_BY_SUIT[suit] for suit in _SUITS] + _JOKER_BLANKS
)

CARD_CODES: Final = (
    *[f"{suit}{sign}" for suit in range(12) for sign in RANK_SIGNS],
    *[f"*{dice}" for dice in range(1, 7)],
)  # a number as it is printed: "07", "110", "3Q"; a joker by its die: "*5"


def is_joker(card: i64) -> bool:
    """Whether this card is a joker, which may stand for others."""
    return card >= REGULAR_COUNT


def card_code(card: i64) -> str:
    """The code of a card in JSON."""
    return CARD_CODES[card]
