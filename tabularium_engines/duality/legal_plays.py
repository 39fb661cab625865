"""Legal plays: the places where each card may be laid, from the reach of a seat's paths and the
connection counts on the board."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, members, nth
from tabularium_engines.duality.action_numbers import PLAY, REPLACE, encode_action, tile_in
from tabularium_engines.duality.board import Board, count_connections
from tabularium_engines.duality.cards import FULL_DECK, NO_TILE, card_of, is_symmetric, ports_of
from tabularium_engines.duality.paths import Reach

MAX_RANDOM_TRIES: Final[i64] = 400  # random probes before listing the legal plays


def tiles_of(cards: i64) -> vec[i64]:
    """Every way to lay the cards of a set."""
    tiles: list[i64] = []
    for card in members(cards):
        tiles.append(card << 1)
        if not is_symmetric(card):
            tiles.append(card << 1 | 1)
    return vec[i64](tiles)


def can_lay(board: Board, seat: i64, joined: i64, place: i64, tile: i64) -> bool:
    """Whether the seat may lay a tile where it would be joined at these ports."""
    if ports_of(tile, seat) & joined == 0:
        return False
    old = board.tile(place)
    if old == NO_TILE:
        return True
    around = board.surroundings(place)
    return count_connections(around, tile) >= count_connections(around, old)  # R5


def legal_plays(board: Board, seat: i64, hand: i64) -> list[i64]:
    """All plays of a seat with the cards of a hand, by place, then by card."""
    found: list[i64] = []
    tiles = tiles_of(hand)
    reach = Reach(board, seat)
    for column in range(reach.first_column, reach.last_column + 1):
        if reach.ports[column] != 0:
            for row in range(board.rows):
                joined = reach.ports_at(column << 3 | row)
                if joined != 0:
                    _add_plays_at(board, seat, joined, column << 3 | row, tiles, found)
    return found


def _add_plays_at(
    board: Board, seat: i64, joined: i64, place: i64, tiles: vec[i64], found: list[i64]
) -> None:
    """The plays at one place."""
    old = board.tile(place)
    kind = PLAY if old == NO_TILE else REPLACE
    around = board.surroundings(place)
    least = 0 if old == NO_TILE else count_connections(around, old)
    for tile in tiles:
        if ports_of(tile, seat) & joined != 0 and count_connections(around, tile) >= least:
            found.append(encode_action(kind, tile, place))


def random_play(board: Board, seat: i64, hand: i64, rng: Rng) -> i64:
    """Rejection sampling: try random places and cards of the hand until one is a legal play;
    -1 after MAX_RANDOM_TRIES misses, since there may be none."""
    reach = Reach(board, seat)
    width = reach.last_column - reach.first_column + 1
    held = count(hand)
    for _ in range(MAX_RANDOM_TRIES if held > 0 else 0):
        place = (reach.first_column + rng.below(width)) << 3 | rng.below(board.rows)
        joined = reach.ports_at(place)
        if joined != 0:
            dart = rng.below(2 * held)
            tile = nth(hand, dart >> 1) << 1 | dart & 1
            is_way_to_lie = dart & 1 == 0 or not is_symmetric(card_of(tile))
            if is_way_to_lie and can_lay(board, seat, joined, place, tile):
                kind = PLAY if board.tile(place) == NO_TILE else REPLACE
                return encode_action(kind, tile, place)
    return -1


def playable_cards(board: Board, seat: i64) -> i64:
    """The set of all cards that would give the seat a legal play."""
    cards: i64 = 0
    for play in legal_plays(board, seat, FULL_DECK):
        cards |= bit(card_of(tile_in(play)))
    return cards
