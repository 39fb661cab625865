"""The cards of Duality: a deck of 54, on each of which three black or white lines join six ports in
pairs."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, members

BLACK: Final[i64] = 0  # a colour, and the seat that plays it
WHITE: Final[i64] = 1

FULL_DECK: Final[i64] = 0x3FFFFFFFFFFFFF  # all 54 cards, as a mask

# Where lines leave a card, clockwise. North is the side towards White's home, south towards
# Black's; each of these sides has two ports, each flank has one.
PORT_NAMES: Final = ("N1", "N2", "E", "S2", "S1", "W")
NORTH_PORTS: Final[i64] = 0b000011  # sets of ports
EAST_PORTS: Final[i64] = 0b000100
SOUTH_PORTS: Final[i64] = 0b011000
WEST_PORTS: Final[i64] = 0b100000
FACING_PORTS: Final[vec[i64]] = vec[i64]([4, 3, 5, 1, 0, 2])  # by port: the neighbour's port

# Every way to join six ports by three lines of both colours, listed once where two become equal
# when turned, from D01: the colour of each line, then its ports.
_DECK: Final = """
b E-S1, b N1-N2, w S2-W | b E-S1, b N1-S2, w N2-W | b E-S1, b N1-W, w N2-S2
b E-S1, b N2-S2, w N1-W | b E-S1, b N2-W, w N1-S2 | b E-S1, b S2-W, w N1-N2
b E-S1, w N1-N2, w S2-W | b E-S1, w N1-S2, w N2-W | b E-S1, w N1-W, w N2-S2
b E-S2, b N1-N2, w S1-W | b E-S2, b N1-S1, w N2-W | b E-S2, b N1-W, w N2-S1
b E-S2, b N2-S1, w N1-W | b E-S2, b S1-W, w N1-N2 | b E-S2, w N1-N2, w S1-W
b E-S2, w N1-S1, w N2-W | b E-S2, w N1-W, w N2-S1 | b E-W, b N1-N2, w S2-S1
b E-W, b N1-S1, w N2-S2 | b E-W, b N1-S2, w N2-S1 | b E-W, b N2-S1, w N1-S2
b E-W, w N1-N2, w S2-S1 | b E-W, w N1-S1, w N2-S2 | b E-W, w N1-S2, w N2-S1
b N1-E, b N2-S1, w S2-W | b N1-E, b N2-S2, w S1-W | b N1-E, b S1-W, w N2-S2
b N1-E, b S2-S1, w N2-W | b N1-E, b S2-W, w N2-S1 | b N1-E, w N2-S1, w S2-W
b N1-E, w N2-S2, w S1-W | b N1-E, w N2-W, w S2-S1 | b N1-N2, b S1-W, w E-S2
b N1-N2, b S2-S1, w E-W | b N1-N2, w E-S1, w S2-W | b N1-N2, w E-S2, w S1-W
b N1-N2, w E-W, w S2-S1 | b N1-S1, b N2-E, w S2-W | b N1-S1, b N2-S2, w E-W
b N1-S1, w E-S2, w N2-W | b N1-S1, w E-W, w N2-S2 | b N1-S1, w N2-E, w S2-W
b N1-S2, b N2-E, w S1-W | b N1-S2, b N2-S1, w E-W | b N1-S2, w E-S1, w N2-W
b N1-S2, w E-W, w N2-S1 | b N1-S2, w N2-E, w S1-W | b N2-E, b S1-W, w N1-S2
b N2-E, w N1-S1, w S2-W | b N2-E, w N1-S2, w S1-W | b N2-E, w N1-W, w S2-S1
b N2-S1, w E-S2, w N1-W | b N2-S1, w E-W, w N1-S2 | b N2-S1, w N1-E, w S2-W
"""
CARD_LINES: Final = tuple(_DECK.strip().replace(" | ", "\n").split("\n"))
CARD_CODES: Final = tuple(f"D{number:02}" for number in range(1, len(CARD_LINES) + 1))

# A tile is a card as it lies: the card's number * 2, plus 1 if it is turned by half.
NO_TILE: Final[i64] = -1


def lines_of(card: int, turned: bool) -> list[tuple[int, int, int]]:
    """The lines of a card as it lies: the colour, then both ports in ascending order."""
    found = []
    for line in CARD_LINES[card].split(", "):
        colour, ends = line.split(" ")
        half = 3 if turned else 0
        one, other = sorted([(PORT_NAMES.index(end) + half) % 6 for end in ends.split("-")])
        found.append(("bw".index(colour), one, other))
    return sorted(found)


TILE_COUNT: Final = 2 * len(CARD_LINES)
OTHER_ENDS: Final[vec[i64]] = vec[i64]([0] * (8 * TILE_COUNT))  # by tile and port, 8 for each tile
PORTS_BY_COLOUR: Final[vec[i64]] = vec[i64]([0] * (2 * TILE_COUNT))  # by tile and colour: a set
SYMMETRY_FLAGS: Final[vec[i64]] = vec[i64](
    [int(lines_of(card, False) == lines_of(card, True)) for card in range(len(CARD_LINES))]
)


def _fill_tables() -> None:
    for tile in range(TILE_COUNT):
        for colour, one, other in lines_of(tile >> 1, tile % 2 == 1):
            OTHER_ENDS[tile << 3 | one] = other
            OTHER_ENDS[tile << 3 | other] = one
            ports = PORTS_BY_COLOUR[tile << 1 | colour] | bit(one) | bit(other)
            PORTS_BY_COLOUR[tile << 1 | colour] = ports


_fill_tables()


def other_end(tile: i64, port: i64) -> i64:
    """The other end of the line at a port."""
    return OTHER_ENDS[tile << 3 | port]


def ports_of(tile: i64, colour: i64) -> i64:
    """The set of ports of the colour."""
    return PORTS_BY_COLOUR[tile << 1 | colour]


def card_of(tile: i64) -> i64:
    """The card of a tile."""
    return tile >> 1


def is_symmetric(card: i64) -> bool:
    """Whether the card looks the same turned; such a card is never laid turned."""
    return SYMMETRY_FLAGS[card] == 1


def card_codes(cards: i64) -> list[str]:
    """The codes of a set of cards."""
    return [CARD_CODES[card] for card in members(cards)]
